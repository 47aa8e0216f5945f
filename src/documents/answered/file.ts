import { SKILL_MD } from '../../catalog/skill.ts'
import { revealHidden, showNumber } from '../../catalog/text.ts'
import type { Crumb, Fact, FileView, LineNote, Section } from '../document.ts'
import { showSize } from '../facts.ts'
import { PAGED_BYTES, PAGED_LINES } from './file-text.ts'
import { SAFETY_DOCS_PATH, filePagePath, skillFilePath, skillPath } from '../paths.ts'
import { printBlocks } from '../print.ts'
import { findSigns, printSource, splitLines } from '../source.ts'
import { inlineCode, linkTo, listOf, strong } from '../tree.ts'
import { SHOWN_NAME, writeMissingDocument } from './missing.ts'
import type { AnsweredDocument } from './print.ts'

export type { FileView } from '../document.ts'

/** A finding in a file; the build writes the findings of each skill for the function. */
export interface FileFinding {
  /** 1-based; 0 means the whole file. */
  line: number
  rule: string
  /** Name of its severity. */
  label: string
  /** Severe, and not accepted by a curator. */
  isGrave: boolean
  says: string
}

/** A file of a skill, by name. */
export interface NamedFile {
  slug: string
  path: string
}

/** A text file of a skill with its findings. */
interface ScannedFile extends NamedFile {
  text: string
  /** In bytes. */
  size: number
  findings: readonly FileFinding[]
  view?: FileView | undefined
}

/** Names the line endings of a text, and normalizes them to ones that HTML and Markdown preserve. */
export const readEnds = (text: string): { text: string; ends: string } => {
  if (!text.includes('\r')) return { text, ends: '' }
  const plain = text.replaceAll('\r\n', '\n')
  if (plain.includes('\r')) return { text, ends: 'some CR' }
  return /(?<!\r)\n/.test(text) ? { text, ends: 'LF and CRLF' } : { text: plain, ends: 'CRLF' }
}

const skillCrumb = (slug: string): Crumb => ({ label: slug, path: skillPath(slug) })

const rulePath = ({ rule }: FileFinding): string => `${SAFETY_DOCS_PATH}#${rule}`

const toNote = (finding: FileFinding): LineNote => ({
  line: finding.line,
  label: `${finding.label}: ${finding.rule}`,
  path: rulePath(finding),
  isWarning: finding.isGrave,
})

const writeFindings = (findings: readonly FileFinding[], page: string): Section[] => {
  if (findings.length === 0) return []
  const rows = findings.map((one) => [
    one.isGrave ? strong(one.label) : one.label,
    ', ',
    linkTo(one.rule, rulePath(one)),
    ...(one.line > 0 ? [', ', linkTo(`line ${one.line}`, `${page}#L${one.line}`)] : []),
    `: ${one.says}`,
  ])
  const blocks = [listOf(rows)]
  return [{ id: 'findings', heading: 'Findings', markdown: printBlocks(blocks), blocks }]
}

const describeLines = (lines: readonly string[], ends: string): string => {
  const last = lines.at(-1)?.endsWith('\n') === false ? 'no line end after the last' : ''
  return [String(lines.length), ends, last].filter(Boolean).join(', ')
}

const describeSigns = (lines: readonly string[], page: string): Fact[] => {
  const signs = findSigns(lines)
  const [first] = signs.lines
  return first === undefined
    ? []
    : [
        {
          label: 'Hidden characters',
          value: `${signs.count}, the first in line ${first}`,
          path: `${page}#L${first}`,
          isWarning: true,
        },
      ]
}

/** Writes the page of a text file of a skill: facts and numbered lines. */
export const writeFileDocument = (file: ScannedFile): AnsweredDocument => {
  const { slug, path, size, findings } = file
  const page = filePagePath(slug, path)
  const name = revealHidden(path)
  const { text, ends } = readEnds(file.text)
  const lines = splitLines(text)
  const grave = findings.filter(({ isGrave }) => isGrave).length
  const source: Section = {
    id: 'source',
    ...(findings.length > 0 ? { heading: 'Source' } : {}),
    markdown: printSource(text, path),
    source: {
      text,
      // SKILL.md is the only file that the page of a skill renders.
      ...(path === SKILL_MD ? { rendered: `${skillPath(slug)}#about` } : {}),
      view: file.view,
      notes: findings.map(toNote),
    },
  }
  return {
    kind: 'file',
    path: page,
    heading: name,
    partOf: skillCrumb(slug),
    lead: ['A file of the skill ', linkTo(slug, skillPath(slug)), '.'],
    description: `The file ${name} of the skill ${slug}, with its lines numbered.`,
    updated: '',
    isIndexable: false,
    facts: [
      { label: 'Size', value: showSize(size) },
      { label: 'Lines', value: describeLines(lines, ends) },
      ...(findings.length > 0
        ? [
            {
              label: 'Findings',
              value: grave > 0 ? `${findings.length}, ${grave} to review` : `${findings.length}`,
              path: `${page}#findings`,
              isWarning: grave > 0,
            },
          ]
        : []),
      ...describeSigns(lines, page),
      { label: 'Raw file', value: 'its bytes', path: skillFilePath(slug, path) },
    ],
    sections: [...writeFindings(findings, page), source],
  }
}

const explainUnpaged = ({ size, hasManyLines }: Parameters<typeof writeUnpagedFile>[1]): string => {
  if (size > PAGED_BYTES)
    return ` has ${showSize(size)}, and only files up to ${showSize(PAGED_BYTES)} are shown here. `
  return hasManyLines
    ? ` has more than ${showNumber(PAGED_LINES)} lines, so it is not shown here. `
    : ' is no text in UTF-8, so it is not shown here. '
}

/** Writes the page for a file that cannot be shown because it is too long or not text. */
export const writeUnpagedFile = (
  siteName: string,
  file: NamedFile & Pick<ScannedFile, 'size'> & { hasManyLines: boolean },
): AnsweredDocument => {
  const { slug, path } = file
  const why = explainUnpaged(file)
  return {
    ...writeMissingDocument(siteName),
    heading: 'File not shown',
    partOf: skillCrumb(slug),
    lead: [
      inlineCode(revealHidden(path)),
      ' of the skill ',
      linkTo(slug, skillPath(slug)),
      why,
      linkTo('Open the raw file', skillFilePath(slug, path)),
      '.',
    ],
  }
}

/** Writes the page for an unknown file of a skill. */
export const writeUnknownFile = (
  siteName: string,
  { slug, path }: NamedFile,
): AnsweredDocument => ({
  ...writeMissingDocument(siteName),
  partOf: skillCrumb(slug),
  lead: [
    'The skill ',
    linkTo(slug, skillPath(slug)),
    ' has no file ',
    inlineCode(revealHidden(path.slice(0, SHOWN_NAME).toWellFormed())),
    '.',
  ],
})
