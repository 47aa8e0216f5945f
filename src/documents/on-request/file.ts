import { splitLines } from '../../catalog/lines.ts'
import {
  countOf,
  revealHidden,
  remember,
  showNumber,
  NotTextError,
  decodeLoosely,
  decodeText,
} from '../../catalog/text.ts'
import type { Crumb, FileFinding, Section } from '../document.ts'
export type { FileFinding } from '../document.ts'
import { showSize } from '../skill/facts.ts'
import { filePagePath, hasRawAddress, rulePath, skillFilePath, skillPath } from '../paths.ts'
import { Markdown } from '../prose/md.ts'
import { findHidden, printSource } from '../prose/source.ts'
import { SHOWN_NAME, writeMissingDocument } from './page.ts'
import type { OnRequestDocument } from './page.ts'
import {
  NO_WORDS,
  bullets,
  factLine,
  inCode,
  inStrong,
  inWarning,
  linked,
  phrase,
} from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'

/** Size limit of a text file that has a page, in bytes. */
export const PAGED_BYTES = 64 * 1024

/** Line limit of a file that has a page, because each line becomes an HTML element. */
const PAGED_LINES = 5_000

/** Whether a file has more lines than a page can show. */
const hasManyLines = (bytes: Uint8Array): boolean =>
  bytes.length > PAGED_LINES && splitLines(decodeLoosely(bytes)).length > PAGED_LINES

const BYTE_ORDER_MARK = '\uFEFF'

const startsWithMark = ([first, second, third]: Uint8Array): boolean =>
  first === 0xef && second === 0xbb && third === 0xbf

/** Decodes a file for its page and keeps a byte order mark. Returns undefined if the file is too long or not text. */
export const readPagedText = (bytes: Uint8Array): string | undefined => {
  if (bytes.length > PAGED_BYTES || hasManyLines(bytes)) return undefined
  try {
    return (startsWithMark(bytes) ? BYTE_ORDER_MARK : '') + decodeText(bytes)
  } catch (error) {
    if (error instanceof NotTextError) return undefined
    throw error
  }
}

/** A file in the zip of a skill. */
export interface SkillBytes {
  path: string
  bytes: Uint8Array
}

/** Returns the address that shows a file of a skill, or a line of it. */
export type FileAddress = (path: string, line?: number) => string

/** Creates the `FileAddress` of a skill. It returns the page of a file, or the raw file if there is no page. */
export const createFileAddress = (slug: string, files: readonly SkillBytes[]): FileAddress => {
  const bytesOf = new Map(files.map(({ path, bytes }) => [path, bytes]))
  // Few files of a skill have an address on its page; the others need not be read.
  const isPaged = remember((path) => {
    const bytes = bytesOf.get(path)
    return bytes !== undefined && readPagedText(bytes) !== undefined
  })
  return (path, line) => {
    if (!isPaged(path) && hasRawAddress(path)) return skillFilePath(slug, path)
    return `${filePagePath(slug, path)}${line === undefined ? '' : `#L${line}`}`
  }
}

interface NamedFile {
  slug: string
  path: string
}

/** A text file of a skill with its findings. */
interface ScannedFile extends NamedFile {
  text: string
  /** In bytes. */
  size: number
  findings: readonly FileFinding[]
  /** Paths of all files of the skill that have a page. */
  paged: readonly string[]
}

/** Names the line endings of a text. If all are CRLF, replaces them with LF, because HTML does not preserve CR. */
const readEnds = (text: string): { text: string; ends: string } => {
  if (!text.includes('\r')) return { text, ends: '' }
  const plain = text.replaceAll('\r\n', '\n')
  if (plain.includes('\r')) return { text, ends: 'some CR' }
  return /(?<!\r)\n/.test(text) ? { text, ends: 'LF and CRLF' } : { text: plain, ends: 'CRLF' }
}

const skillCrumb = (slug: string): Crumb => ({ label: slug, path: skillPath(slug) })

const writeFindings = (findings: readonly FileFinding[], page: string): Section[] => {
  if (findings.length === 0) return []
  const rows = findings.map(({ line, rule, label, says, isSevere }) => {
    const place = line > 0 ? phrase`, ${linked(`line ${line}`, `${page}#L${line}`)}` : ''
    return phrase`${isSevere ? inStrong(label) : label}, ${linked(rule, rulePath(rule))}${place}: ${says}`
  })
  return [{ id: 'findings', heading: 'Findings', ...bullets(rows) }]
}

const describeLineCount = (lines: readonly string[], ends: string): string => {
  const last = lines.at(-1)?.endsWith('\n') === false ? 'no final line break' : ''
  return [countOf(lines.length, 'line'), ends, last].filter(Boolean).join(', ')
}

const describeHidden = (lines: readonly string[], page: string): Phrase | undefined => {
  const hidden = findHidden(lines)
  const [first] = hidden.lines
  const words = inWarning(
    `${countOf(hidden.count, 'hidden character')}, the first on line ${first}`,
  )
  return first === undefined ? undefined : linked(words, `${page}#L${first}`)
}

const describeFindings = (findings: readonly FileFinding[], page: string): Phrase | undefined => {
  const severe = findings.filter(({ isSevere }) => isSevere).length
  const count = countOf(findings.length, 'finding')
  const words = severe > 0 ? inWarning(`${count}, ${severe} to review`) : count
  return findings.length === 0 ? undefined : linked(words, `${page}#findings`)
}

/** Writes the page of a text file of a skill: facts and numbered lines. */
export const writeFileDocument = (file: ScannedFile): OnRequestDocument => {
  const { slug, path, size, findings, paged } = file
  const page = filePagePath(slug, path)
  const name = revealHidden(path)
  const { text, ends } = readEnds(file.text)
  const lines = splitLines(text)
  const source: Section = {
    id: 'source',
    ...(findings.length > 0 ? { heading: 'Source' } : {}),
    ...NO_WORDS,
    markdown: new Markdown(printSource(text, path)),
    source: { text, findings },
  }
  return {
    kind: 'file',
    path: page,
    heading: name,
    partOf: skillCrumb(slug),
    lead: phrase`A file in the skill ${linked(slug, skillPath(slug))}.`,
    description: `The file ${name} in the skill ${slug}, with line numbers.`,
    updated: '',
    isUnindexed: true,
    files: paged.map((other) => ({
      label: revealHidden(other),
      path: filePagePath(slug, other),
    })),
    below: factLine([
      showSize(size),
      describeLineCount(lines, ends),
      describeFindings(findings, page),
      describeHidden(lines, page),
      hasRawAddress(path)
        ? linked('Raw file', skillFilePath(slug, path))
        : linked('In the zip', skillPath(slug)),
    ]),
    sections: [...writeFindings(findings, page), source],
  }
}

const explainUnpaged = (file: Parameters<typeof writeUnpagedFile>[1]): string => {
  if (file.size > PAGED_BYTES)
    return `is ${showSize(file.size)}, and only files up to ${showSize(PAGED_BYTES)} are shown here`
  return file.bytes && hasManyLines(file.bytes)
    ? `has more than ${showNumber(PAGED_LINES)} lines, so it is not shown here`
    : 'is not UTF-8 text, so it is not shown here'
}

/** Writes the page for a file that is too long to show, or not text. */
export const writeUnpagedFile = (
  siteName: string,
  file: NamedFile & Pick<ScannedFile, 'size'> & { bytes: Uint8Array | undefined },
): OnRequestDocument => {
  const { slug, path } = file
  const skill = linked(slug, skillPath(slug))
  const raw = hasRawAddress(path)
    ? linked('Open the raw file', skillFilePath(slug, path))
    : phrase`The zip of the skill contains it`
  return {
    ...writeMissingDocument(siteName),
    heading: 'File not shown',
    partOf: skillCrumb(slug),
    lead: phrase`${inCode(revealHidden(path))} in the skill ${skill} ${explainUnpaged(file)}. ${raw}.`,
  }
}

/** Writes the page for an unknown file of a skill. */
export const writeUnknownFile = (
  siteName: string,
  { slug, path }: NamedFile,
): OnRequestDocument => {
  const name = inCode(revealHidden(path.slice(0, SHOWN_NAME).toWellFormed()))
  return {
    ...writeMissingDocument(siteName),
    partOf: skillCrumb(slug),
    lead: phrase`The skill ${linked(slug, skillPath(slug))} has no file ${name}.`,
  }
}
