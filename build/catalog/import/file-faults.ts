import { readSync } from 'node:fs'
import { walkTokens } from 'marked'
import { splitLoosely } from '../../../src/catalog/front-matter.ts'
import { decodeReferences, readMarkdown } from '../../../src/catalog/markdown.ts'
import type { OwnFiles } from '../../../src/catalog/needs/files.ts'
import { showValue } from '../../../src/catalog/text.ts'

/** Faults of files that copies have all the same; `check` and the reports of imports use the same words. */
const NAME_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i, 'Windows keeps this name for a device'],
  [/[<>:"|?*]/, 'Windows forbids one of its characters'],
  [/[. ]$/, 'Windows drops the point or blank at its end'],
]

/** A name as systems compare it that ignore case and the composition of letters. */
const foldName = (path: string): string => path.normalize('NFC').toLowerCase()

/** Names that are not valid on some systems, with the reason. */
export const findNameFaults = (paths: readonly string[]): { path: string; detail: string }[] => {
  const known = new Map<string, string>()
  return paths.flatMap((path) => {
    const other = known.get(foldName(path))
    known.set(foldName(path), path)
    const parts = path.split('/')
    const details = NAME_FAULTS.filter(([fault]) => parts.some((part) => fault.test(part))).map(
      ([, words]) => words,
    )
    if (other !== undefined) details.push(`some systems do not tell it from ${showValue(other)}`)
    return details.map((detail) => ({ path, detail }))
  })
}

/** Bytes that are read from the start of a file: a first line, or a whole pointer. */
const HEAD = 512

/** Reads the start of an open file. */
export const readHead = (file: number): Buffer => {
  const head = Buffer.alloc(HEAD)
  return head.subarray(0, readSync(file, head, 0, HEAD, 0))
}

/** The fault that the start of a file shows: a script that Unix systems cannot run, or a Git LFS pointer. */
export const findHeadFault = (head: Buffer): 'crlf' | 'pointer' | undefined => {
  const text = head.toString('latin1')
  if (/^#![^\n]*\r\n/.test(text)) return 'crlf'
  return text.startsWith('version https://git-lfs.github.com/spec/') ? 'pointer' : undefined
}

/** A link of a SKILL.md to a file that the skill does not have; `at` counts UTF-16 units. */
interface DeadLink {
  href: string
  at: number
}

/** Finds the dead links of a SKILL.md, whose line ends are LF; or says why it could not be read. */
export const findDeadLinks = (source: string, own: OwnFiles): DeadLink[] | string => {
  const { body } = splitLoosely(source)
  const reading = readMarkdown(body)
  if ('fault' in reading) return reading.fault
  const found: DeadLink[] = []
  let at = source.length - body.length
  walkTokens(reading.result, (token) => {
    // A link by reference is reported where its address stands.
    if (!('href' in token) || (token.type !== 'def' && token.raw.endsWith(']'))) return
    const href = decodeReferences(token.href)
    // In a quote or a cell the source may differ from the text that is read.
    at = Math.max(at, source.indexOf(token.raw, at))
    if (own.findMissing(href) !== undefined) found.push({ href, at })
  })
  return found
}
