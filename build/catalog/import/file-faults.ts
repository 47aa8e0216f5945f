import { readSync } from 'node:fs'
import { posix } from 'node:path'
import { walkTokens } from 'marked'
import type { Tokens } from 'marked'
import { splitLoosely } from '../../../src/catalog/front-matter.ts'
import type { FrontMatter } from '../../../src/catalog/front-matter.ts'
import { decodeReferences, readMarkdown } from '../../../src/catalog/markdown.ts'
import type { OwnFiles } from '../../../src/catalog/needs/files.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import { showValue } from '../../../src/catalog/text.ts'
import type { Violation } from '../rules.ts'
import { isSkillMd } from './find.ts'

/** Names that some systems cannot store; copies keep them. `check` and import reports use the same words. */
const NAME_FAULTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i, 'Windows keeps this name for a device'],
  [/[<>:"|?*]/, 'Windows forbids one of its characters'],
  [/[. ]$/, 'Windows drops the dot or space at its end'],
]

/** A broken rule in a file of a skill. */
export interface FileViolation extends Violation {
  path: string
}

/** Finds file names that some systems cannot store or some clients do not read, with the reason. */
export const findNameFaults = (paths: readonly string[]): FileViolation[] =>
  paths.flatMap((path) => {
    const parts = path.split('/')
    const details = NAME_FAULTS.flatMap(([fault, detail]) =>
      parts.some((part) => fault.test(part)) ? detail : [],
    )
    if (isSkillMd(path) && path !== SKILL_MD) details.push(`many clients read only ${SKILL_MD}`)
    return details.map((detail) => ({ rule: 'file-name', path, detail }))
  })

/** Limits of the upload of Claude, by its documentation of November 2026. */
const UPLOAD_FILES = 200
const RESERVED_WORD = /claude|anthropic/i
const TAG = /<\/?[a-z][^>]*>/i
const ARCHIVE = /\.(?:zip|skill|tar|tgz|gz|7z|rar)$/i

/** Finds what the upload of Claude refuses, with the field, except for what the specification forbids, too. */
export const findUploadFaults = (
  { name = '', when_to_use: when = '' }: FrontMatter,
  paths: readonly string[],
): (FileViolation & { field?: 'name' | 'when_to_use' })[] => {
  const rule = 'upload'
  const faults: (ReturnType<typeof findUploadFaults>[number] | false)[] = [
    RESERVED_WORD.test(name) && {
      rule,
      path: SKILL_MD,
      field: 'name',
      detail: `the name ${showValue(name)} has a reserved word`,
      remedy: 'leave "claude" and "anthropic" out of the name',
    },
    TAG.test(when) && {
      rule,
      path: SKILL_MD,
      field: 'when_to_use',
      detail: 'a tag in when_to_use',
      remedy: 'write it in words',
    },
    paths.length > UPLOAD_FILES && {
      rule,
      path: SKILL_MD,
      detail: `${paths.length} files; at most ${UPLOAD_FILES}`,
      remedy: 'remove files that no agent reads',
    },
    ...paths.flatMap((path) => {
      if (path.includes('/') && isSkillMd(posix.basename(path)))
        return [{ rule, path, detail: 'a second SKILL.md', remedy: 'give it another name' }]
      return ARCHIVE.test(path) ? [{ rule, path, detail: 'an archive', remedy: 'unpack it' }] : []
    }),
  ]
  return faults.filter((fault) => fault !== false)
}

/** Bytes to read from the start of a file: enough for a first line or a whole Git LFS pointer. */
const HEAD = 512

export const readHead = (file: number): Buffer => {
  const head = Buffer.alloc(HEAD)
  return head.subarray(0, readSync(file, head, 0, HEAD, 0))
}

/** Whether a text is not the file itself but what Git LFS keeps in its place. */
export const isPointer = (text: string): boolean =>
  text.startsWith('version https://git-lfs.github.com/spec/')

/** Detects a script that Unix systems cannot run, or a Git LFS pointer, from the start of a file. */
export const findHeadFault = (head: Buffer): 'script-crlf' | 'lfs-pointer' | undefined => {
  const text = head.toString('latin1')
  if (/^#![^\n]*\r\n/.test(text)) return 'script-crlf'
  return isPointer(text) ? 'lfs-pointer' : undefined
}

/** A name in SKILL.md to which no file of the skill has the same spelling; `at` counts UTF-16 units. */
interface BadName {
  name: string
  /** The file in another spelling; undefined for a link to a file that the skill does not have. */
  file: string | undefined
  at: number
}

/**
 * Finds dead links in a SKILL.md with LF line endings, and names of files in another spelling, in links and code.
 * Returns the fault if the text cannot be read.
 */
export const findBadNames = (source: string, own: OwnFiles): BadName[] | string => {
  const { body } = splitLoosely(source)
  const reading = readMarkdown(body)
  if ('fault' in reading) return reading.fault
  const found: BadName[] = []
  let at = source.length - body.length
  walkTokens(reading.result, (token) => {
    const isCode = token.type === 'code' || token.type === 'codespan'
    // A reference link is reported at its definition.
    const isLink = 'href' in token && (token.type === 'def' || !token.raw.endsWith(']'))
    if (!isCode && !isLink) return
    // In a quote or a table cell, the raw token may differ from the source.
    at = Math.max(at, source.indexOf(token.raw, at))
    const names: string[] = isCode
      ? (token as Tokens.Code).text.split(/[\s"']+/)
      : [decodeReferences((token as Tokens.Link).href)]
    for (const name of names) {
      const named = isCode ? own.findWord(name) : own.find(name)
      const isBad = named && named.file !== named.path && (isLink || named.file !== undefined)
      if (isBad) found.push({ name, file: named.file, at })
    }
  })
  return found
}
