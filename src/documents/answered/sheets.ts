import type { RootContent } from 'mdast'
import { SEVERITIES } from '../../catalog/safety/rule.ts'
import type { FindingSeverity } from '../../catalog/safety/rule.ts'
import { INSTALLED_NAME } from '../../catalog/skill.ts'
import type { Skill } from '../../catalog/skill.ts'
import { countOf, foldLine, showNumber, showValue } from '../../catalog/text.ts'
import { CLIENTS } from '../clients.ts'
import type { Fact, Section } from '../document.ts'
import { writeListingFit } from '../entries.ts'
import { showSize } from '../facts.ts'
import { sectionOf } from '../markdown.ts'
import {
  MOST_BUNDLED,
  MOST_COMPARED,
  PATHS,
  authorPath,
  bundlePath,
  categoryPath,
  comparePath,
  skillPath,
} from '../paths.ts'
import {
  codeBlock,
  foldOf,
  inlineCode,
  joinWords,
  linkTo,
  listOf,
  paragraph,
  strong,
  tableOf,
} from '../tree.ts'
import type { Words } from '../tree.ts'
import type { AnsweredDocument } from './page.ts'

// Several skills on one page: side by side, or to be installed together.

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

const KINDS = {
  compare: {
    heading: 'Compare skills',
    description: 'Skills of the catalog, side by side.',
    most: MOST_COMPARED,
  },
  bundle: {
    heading: 'Skills to install together',
    description: 'Skills of the catalog that one line installs together.',
    most: MOST_BUNDLED,
  },
} as const

/** What such a page begins with; one more skill can be added to those of `kept`. */
const start = (
  kind: keyof typeof KINDS,
  path: string,
  kept: readonly string[],
  lead: string = KINDS[kind].description,
): Omit<AnsweredDocument, 'sections'> => {
  const { heading, description, most } = KINDS[kind]
  return {
    kind,
    path,
    heading,
    lead: [lead],
    ...(kept.length < most ? { compared: kept } : {}),
    description,
    updated: '',
    isIndexable: false,
    facts: [],
  }
}

const listNames = (sheets: readonly SkillSheet[]): string =>
  sheets.map(({ name }) => foldLine(name)).join(', ')

/** Sums up the findings of the scan. */
const describeFindings = ({ safety, findings, files }: SkillSheet): Words => {
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
  ['Updated', ({ updated }) => [updated ?? 'not known']],
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

const writeColumns = (sheets: readonly SkillSheet[]): RootContent =>
  tableOf(
    [
      [[''], ...sheets.map(({ name, slug }) => [linkTo(foldLine(name), skillPath(slug))])],
      ...ROWS.map(([label, tell]) => [[strong(label)] as Words].concat(sheets.map(tell))),
      ...dropRow(sheets),
    ],
    [],
  )

/** Writes the comparison: a column for each skill. */
export const writeCompared = (sheets: readonly SkillSheet[]): AnsweredDocument => {
  const slugs = sheets.map(({ slug }) => slug)
  return {
    ...start('compare', PATHS.compare, slugs, `${listNames(sheets)}, side by side.`),
    query: `skills=${slugs.join(',')}`,
    sections: [
      sectionOf('side-by-side', undefined, [writeColumns(sheets)]),
      sectionOf(
        'install-each',
        'Install',
        sheets.flatMap((sheet) => [
          paragraph(linkTo(foldLine(sheet.name), skillPath(sheet.slug))),
          codeBlock(sheet.install, 'sh'),
        ]),
      ),
    ],
  }
}

/** A slug of a page that cannot have its skill, and suggestions for it. */
export interface MissingSkill {
  slug: string
  why: keyof typeof REASONS
  nearest: readonly { slug: string; name: string }[]
}

/** Why a bundle cannot have a skill. */
const REASONS = {
  unknown: (slug: string): Words => [`No skill has the slug ${showValue(slug)}.`],
  gone: (slug: string): Words => [
    linkTo(slug, skillPath(slug)),
    ' is gone: its source no longer answers, and its text is not here.',
  ],
  withheld: (slug: string): Words => [
    linkTo(slug, skillPath(slug)),
    ' is withheld: its licence does not allow us to pass its text on.',
  ],
  long: (slug: string): Words => [
    linkTo(slug, skillPath(slug)),
    ` has a name of ${slug.length} characters, and clients install none above ${INSTALLED_NAME}.`,
  ],
}

/**
 * The address of the page with one slug corrected: other missing slugs are replaced by their nearest suggestion or
 * dropped. If a single skill remains, the address of its page.
 */
const pathOfMeant = (
  slugs: readonly string[],
  missing: readonly MissingSkill[],
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

/** Says of each missing skill why, and what may be meant. */
const explainMissing = (
  slugs: readonly string[],
  missing: readonly MissingSkill[],
  pathOf: (slugs: readonly string[]) => string,
  reasons: Readonly<Record<keyof typeof REASONS, (slug: string) => Words>>,
): RootContent[] =>
  missing.map(({ slug, why, nearest }) => {
    const meant = joinWords(nearest, (one) => [
      linkTo(foldLine(one.name), pathOfMeant(slugs, missing, { slug, meant: one.slug }, pathOf)),
    ])
    const question = meant.length > 0 ? [' Did you mean ', ...meant, '?'] : []
    return paragraph(...reasons[why](slug), ...question)
  })

const withoutMissing = (slugs: readonly string[], missing: readonly MissingSkill[]): string[] =>
  slugs.filter((slug) => missing.every((one) => one.slug !== slug))

/** Writes the page for slugs that all belong to one skill. */
export const writeSame = (
  slugs: readonly string[],
  slug: string,
  query: string,
): AnsweredDocument => ({
  ...start('compare', PATHS.compare, [slug]),
  query,
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

/** Writes the page of a comparison in which some slugs are unknown, or their skills gone. */
export const writeIncomparable = (
  slugs: readonly string[],
  missing: readonly MissingSkill[],
  query: string,
): AnsweredDocument => ({
  ...start(
    'compare',
    PATHS.compare,
    withoutMissing(slugs, missing),
    'Not all of these skills are in the catalog.',
  ),
  query,
  sections: [
    sectionOf(
      'missing',
      'Not in the catalog',
      explainMissing(slugs, missing, comparePath, {
        ...REASONS,
        gone: (slug) => [linkTo(slug, skillPath(slug)), ' is gone: its source no longer answers.'],
      }),
    ),
  ],
})

/** Writes the page of an invalid comparison address; `slugs` are the ones that could be compared. */
export const writeUncompared = (
  slugs: readonly string[],
  { message, hint }: Readonly<Record<'message' | 'hint', string>>,
  query: string,
): AnsweredDocument => ({
  ...start('compare', PATHS.compare, slugs),
  query,
  sections: [
    sectionOf('how', 'Nothing to compare', [
      paragraph(`${message} ${hint}`),
      ...(slugs.length > 1
        ? [paragraph(linkTo(`Compare ${slugs.join(', ')}`, comparePath(slugs)), '.')]
        : []),
    ]),
  ],
})

const sumOf = (sheets: readonly SkillSheet[], read: (sheet: SkillSheet) => number): number =>
  sheets.reduce((sum, sheet) => sum + read(sheet), 0)

const describeBundle = (sheets: readonly SkillSheet[]): Fact[] => {
  const reviewed = sheets.filter(({ safety }) => safety === 'Review').length
  const unscanned = sheets.filter((sheet) => sheet.files === 0).length
  const files = sumOf(sheets, (sheet) => sheet.files)
  return [
    { label: 'Skills', value: showNumber(sheets.length) },
    {
      label: 'Files',
      value: `${showNumber(files)}, ${showSize(sumOf(sheets, ({ size }) => size))}`,
    },
    { label: 'Tokens', value: showNumber(sumOf(sheets, ({ tokens = 0 }) => tokens)) },
    {
      label: 'Safety',
      value:
        (reviewed === 0 ? 'No findings to review' : `Review in ${reviewed} of ${sheets.length}`) +
        (unscanned === 0 ? '' : `, ${unscanned} not scanned`),
      ...(reviewed === 0 ? {} : { path: '#what-is-in-it', isWarning: true }),
    },
  ]
}

const writeLines = (address: string, slugs: readonly string[]): Section => {
  const line = `npx skills add ${address}`
  return sectionOf('install-together', 'Install', [
    codeBlock(line, 'sh'),
    paragraph(
      'It asks which clients are meant, and installs in the project. With ',
      inlineCode('-g'),
      ' it is for every project, with ',
      inlineCode('-y'),
      ' it asks nothing.',
    ),
    foldOf(
      'A line for each client',
      listOf(
        CLIENTS.map(({ name, agent }): Words => [`${name}: `, inlineCode(`${line} -a ${agent}`)]),
      ),
    ),
    paragraph(
      inlineCode('npx skills update'),
      ' brings what changed here, and ',
      inlineCode(`npx skills remove ${slugs.join(' ')}`),
      ' takes them away.',
    ),
  ])
}

const writeTable = (sheets: readonly SkillSheet[]): Section =>
  sectionOf('what-is-in-it', 'What is in it', [
    tableOf(
      [
        [['Skill'], ['What it does'], ['Author'], ['Size'], ['Tokens'], ['Findings']],
        ...sheets.map((sheet): Words[] => [
          [linkTo(foldLine(sheet.name), skillPath(sheet.slug))],
          [foldLine(sheet.summary)],
          [linkTo(sheet.author, authorPath(sheet.author))],
          [`${countOf(sheet.files, 'file')}, ${showSize(sheet.size)}`],
          [showNumber(sheet.tokens ?? 0)],
          describeFindings(sheet),
        ]),
      ],
      [],
    ),
  ])

/** Writes the page of a bundle: skills that one command installs together. */
export const writeBundle = (sheets: readonly SkillSheet[], origin: string): AnsweredDocument => {
  const slugs = sheets.map(({ slug }) => slug)
  const path = bundlePath(slugs)
  return {
    ...start('bundle', path, slugs, `${listNames(sheets)}.`),
    facts: describeBundle(sheets),
    sections: [
      writeLines(origin + path, slugs),
      writeTable(sheets),
      writeListingFit(sheets),
      sectionOf('without-npx', 'Without npx', [
        paragraph('Each by itself, in a shell, for Claude Code:'),
        ...sheets.map(({ install }) => codeBlock(install, 'sh')),
      ]),
    ],
  }
}

const installOthers = (slugs: readonly string[]): RootContent[] => {
  const [only] = slugs
  if (only === undefined) return []
  return slugs.length === 1
    ? [paragraph(linkTo(`Install ${only} alone`, skillPath(only)), '.')]
    : [paragraph(linkTo(`Install ${slugs.join(', ')}`, bundlePath(slugs)), '.')]
}

/** Writes the page of a bundle in which some skills cannot be installed, with the reasons. */
export const writeUnbundled = (
  slugs: readonly string[],
  missing: readonly MissingSkill[],
): AnsweredDocument => {
  const others = withoutMissing(slugs, missing)
  return {
    ...start(
      'bundle',
      bundlePath(slugs),
      others,
      'Not all of these skills can be installed from here.',
    ),
    sections: [
      sectionOf('missing', 'Not installed from here', [
        ...explainMissing(slugs, missing, bundlePath, REASONS),
        ...installOthers(others),
      ]),
    ],
  }
}

/** Writes the page of an invalid bundle address; `slugs` are the ones that could be read. */
export const writeNoBundle = (
  slugs: readonly string[],
  { message, hint }: Readonly<Record<'message' | 'hint', string>>,
): AnsweredDocument => ({
  // A list with too many slugs is not repeated.
  ...start(
    'bundle',
    slugs.length > MOST_BUNDLED || slugs.length === 0 ? PATHS.bundles : bundlePath(slugs),
    slugs,
  ),
  sections: [
    sectionOf('how', slugs.length === 1 ? 'One more is needed' : 'Nothing to install', [
      paragraph(`${message} ${hint}`),
      ...installOthers(slugs),
    ]),
  ],
})
