import type { RootContent } from 'mdast'
import { SEVERITIES } from '../../catalog/safety/rule.ts'
import type { FindingSeverity } from '../../catalog/safety/rule.ts'
import type { Skill } from '../../catalog/skill.ts'
import { foldLine, showNumber, showValue } from '../../catalog/text.ts'
import type { Section } from '../document.ts'
import { showSize } from '../facts.ts'
import { PATHS, MOST_COMPARED, authorPath, categoryPath, comparePath, skillPath } from '../paths.ts'
import { printBlocks } from '../print.ts'
import { codeBlock, dayWord, linkTo, paragraph, strong, tableOf } from '../tree.ts'
import type { Words } from '../tree.ts'
import type { AnsweredDocument } from './page.ts'

/** What the function knows about a skill when it compares; the build writes one file for each skill. */
export type SkillSheet = Pick<
  Skill,
  'id' | 'slug' | 'name' | 'author' | 'category' | 'summary' | 'difficulty' | 'visibility'
> &
  Pick<Skill, 'updated' | 'licence' | 'tokens' | 'size' | 'safety'> & {
    /** The whole description, as clients list it. */
    description: string
    /** Number of its files in the registry. */
    files: number
    /** Command that installs it. */
    install: string
    /** Findings that no curator has accepted. */
    findings: Readonly<Partial<Record<FindingSeverity, number>>>
  }

const page = (
  query: string,
  kept: readonly string[],
): Omit<AnsweredDocument, 'heading' | 'lead' | 'sections'> => ({
  kind: 'compare',
  path: PATHS.compare,
  query,
  ...(kept.length < MOST_COMPARED ? { compared: kept } : {}),
  description: 'Skills of the catalog, side by side.',
  updated: '',
  isIndexable: false,
  facts: [],
})

/** Makes a section of blocks. */
export const sectionOf = (
  id: string,
  heading: string | undefined,
  blocks: RootContent[],
): Section => ({
  id,
  ...(heading === undefined ? {} : { heading }),
  markdown: printBlocks(blocks),
  blocks,
})

/** Sums up the findings of the scan. */
export const describeFindings = ({ safety, findings, files }: SkillSheet): Words => {
  const counts = SEVERITIES.flatMap((severity) =>
    findings[severity] === undefined ? [] : [`${findings[severity]} ${severity}`],
  ).join(', ')
  if (files === 0) return ['its files are not here, so none was scanned']
  return safety === 'Review'
    ? [strong(safety), `: ${counts}`]
    : [counts ? `${safety} to review: ${counts}` : safety]
}

/** The rows of the table: a label, and how its cell is made from a sheet. */
const ROWS: readonly (readonly [label: string, tell: (sheet: SkillSheet) => Words])[] = [
  ['What it does', ({ summary }) => [foldLine(summary)]],
  ['Author', ({ author }) => [linkTo(author, authorPath(author))]],
  ['Category', ({ category }) => [linkTo(category, categoryPath(category))]],
  ['Updated', ({ updated }) => [updated === undefined ? 'not known' : dayWord(updated)]],
  ['Licence', ({ licence }) => [licence ?? 'not stated']],
  ['Findings', describeFindings],
  ['Difficulty', ({ difficulty }) => [difficulty]],
  [
    'Size',
    ({ files, size }) => [
      files === 0
        ? 'text not here'
        : `${showNumber(files)} ${files === 1 ? 'file' : 'files'}, ${showSize(size)}`,
    ],
  ],
  ['Tokens', ({ tokens }) => [tokens === undefined ? 'not known' : showNumber(tokens)]],
]

/** Links that drop one skill from the comparison, while at least two remain. */
const dropRow = (sheets: readonly SkillSheet[]): Words[][] => {
  const drop = ({ slug, name }: SkillSheet): Words => {
    const others = sheets.map((one) => one.slug).filter((one) => one !== slug)
    return [linkTo(`Drop ${foldLine(name)}`, comparePath(others))]
  }
  return sheets.length > 2 ? [[[''], ...sheets.map(drop)]] : []
}

const writeTable = (sheets: readonly SkillSheet[]): RootContent =>
  tableOf(
    [
      [[''], ...sheets.map(({ name, slug }) => [linkTo(foldLine(name), skillPath(slug))])],
      ...ROWS.map(([label, tell]) => [[strong(label)] as Words].concat(sheets.map(tell))),
      ...dropRow(sheets),
    ],
    [],
  )

/** Writes the comparison: a column for each skill. */
export const writeCompared = (sheets: readonly SkillSheet[]): AnsweredDocument => ({
  ...page(
    `skills=${sheets.map(({ slug }) => slug).join(',')}`,
    sheets.map(({ slug }) => slug),
  ),
  heading: 'Compare skills',
  lead: [`${sheets.map(({ name }) => foldLine(name)).join(', ')}, side by side.`],
  sections: [
    sectionOf('side-by-side', undefined, [writeTable(sheets)]),
    sectionOf(
      'install-each',
      'Install',
      sheets.flatMap((sheet) => [
        paragraph(linkTo(foldLine(sheet.name), skillPath(sheet.slug))),
        codeBlock(sheet.install, 'sh'),
      ]),
    ),
  ],
})

/** A slug that no skill has, and suggestions for it. */
export interface Incomparable {
  slug: string
  isGone: boolean
  nearest: readonly { slug: string; name: string }[]
}

/**
 * The address of the comparison with one slug corrected: other unknown slugs are replaced by their nearest
 * suggestion or dropped. If a single skill remains, the address of its page.
 */
export const pathOfMeant = (
  slugs: readonly string[],
  missing: readonly Pick<Incomparable, 'slug' | 'nearest'>[],
  { slug, meant }: { slug: string; meant: string },
  pathOf: (slugs: readonly string[]) => string,
): string => {
  const nearest = new Map(missing.map((one) => [one.slug, one.nearest[0]?.slug]))
  const known = slugs.flatMap((each) => {
    if (each === slug) return meant
    return nearest.has(each) ? (nearest.get(each) ?? []) : each
  })
  const all = [...new Set(known)]
  return all.length > 1 ? pathOf(all) : skillPath(meant)
}

/** Writes the page for slugs that all belong to one skill. */
export const writeSame = (
  slugs: readonly string[],
  slug: string,
  given: string,
): AnsweredDocument => ({
  ...page(given, [slug]),
  heading: 'Compare skills',
  lead: ['Skills of the catalog, side by side.'],
  sections: [
    sectionOf('how', 'Nothing to compare', [
      paragraph(
        `${slugs.map((one) => showValue(one)).join(' and ')} are one skill: `,
        linkTo(slug, skillPath(slug)),
        '.',
      ),
    ]),
  ],
})

/** Writes the page of a comparison in which some slugs are unknown. */
export const writeIncomparable = (
  slugs: readonly string[],
  missing: readonly Incomparable[],
  given: string,
): AnsweredDocument => {
  const tell = ({ slug, isGone, nearest }: Incomparable): RootContent => {
    if (isGone)
      return paragraph(linkTo(slug, skillPath(slug)), ' is gone: its source no longer answers.')
    const meant = nearest.flatMap((one, at): Words => [
      at === 0 ? ' Did you mean ' : ', ',
      linkTo(
        foldLine(one.name),
        pathOfMeant(slugs, missing, { slug, meant: one.slug }, comparePath),
      ),
    ])
    return paragraph(
      `No skill has the slug ${showValue(slug)}.`,
      ...meant,
      ...(meant.length > 0 ? ['?'] : []),
    )
  }
  return {
    ...page(
      given,
      slugs.filter((slug) => missing.every((one) => one.slug !== slug)),
    ),
    heading: 'Compare skills',
    lead: ['Not all of these skills are in the catalog.'],
    sections: [sectionOf('missing', 'Not in the catalog', missing.map(tell))],
  }
}

/** Writes the page of an invalid comparison address; `slugs` are the ones that could be compared. */
export const writeUncompared = (
  slugs: readonly string[],
  { message, hint }: Readonly<Record<'message' | 'hint', string>>,
  given: string,
): AnsweredDocument => ({
  ...page(given, slugs),
  heading: 'Compare skills',
  lead: ['Skills of the catalog, side by side.'],
  sections: [
    sectionOf('how', 'Nothing to compare', [
      paragraph(`${message} ${hint}`),
      ...(slugs.length > 1
        ? [paragraph(linkTo(`Compare ${slugs.join(', ')}`, comparePath(slugs)), '.')]
        : []),
    ]),
  ],
})
