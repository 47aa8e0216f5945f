import { readSync } from 'node:fs'
import { walkTokens } from 'marked'
import { splitLoosely } from '../../../src/catalog/front-matter.ts'
import { decodeReferences, readMarkdown } from '../../../src/catalog/markdown.ts'
import type { OwnFiles } from '../../../src/catalog/needs/files.ts'

/** Names that some systems cannot store; copies keep them. `check` and import reports use the same words. */
const NAME_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i, 'Windows keeps this name for a device'],
  [/[<>:"|?*]/, 'Windows forbids one of its characters'],
  [/[. ]$/, 'Windows drops the dot or space at its end'],
]

/** Finds file names that some systems cannot store, with the reason. */
export const findNameFaults = (paths: readonly string[]): { path: string; detail: string }[] =>
  paths.flatMap((path) => {
    const parts = path.split('/')
    return NAME_FAULTS.filter(([fault]) => parts.some((part) => fault.test(part))).map(
      ([, detail]) => ({ path, detail }),
    )
  })

/** Bytes to read from the start of a file: enough for a first line or a whole Git LFS pointer. */
const HEAD = 512

export const readHead = (file: number): Buffer => {
  const head = Buffer.alloc(HEAD)
  return head.subarray(0, readSync(file, head, 0, HEAD, 0))
}

/** Detects a script that Unix systems cannot run, or a Git LFS pointer, from the start of a file. */
export const findHeadFault = (head: Buffer): 'crlf' | 'pointer' | undefined => {
  const text = head.toString('latin1')
  if (/^#![^\n]*\r\n/.test(text)) return 'crlf'
  return text.startsWith('version https://git-lfs.github.com/spec/') ? 'pointer' : undefined
}

/** A link in SKILL.md to a file that the skill does not have; `at` counts UTF-16 units. */
interface DeadLink {
  href: string
  at: number
}

/** Finds the dead links of a SKILL.md with LF line endings. Returns the fault if the text cannot be read. */
export const findDeadLinks = (source: string, own: OwnFiles): DeadLink[] | string => {
  const { body } = splitLoosely(source)
  const reading = readMarkdown(body)
  if ('fault' in reading) return reading.fault
  const found: DeadLink[] = []
  let at = source.length - body.length
  walkTokens(reading.result, (token) => {
    // A reference link is reported at its definition.
    if (!('href' in token) || (token.type !== 'def' && token.raw.endsWith(']'))) return
    const href = decodeReferences(token.href)
    // In a quote or a table cell, the raw token may differ from the source.
    at = Math.max(at, source.indexOf(token.raw, at))
    if (own.findMissing(href) !== undefined) found.push({ href, at })
  })
  return found
}
