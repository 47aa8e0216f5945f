import { INSTALLED_NAME } from '../../catalog/skill.ts'
import { countOf, foldLine, showNumber, showValue } from '../../catalog/text.ts'
import { CLIENTS } from '../clients.ts'
import type { Fact, Section } from '../document.ts'
import { showSize } from '../facts.ts'
import { writeListingFit } from '../entries.ts'
import { PATHS, MOST_BUNDLED, authorPath, bundlePath, skillPath } from '../paths.ts'
import { codeBlock, foldOf, inlineCode, linkTo, listOf, paragraph, tableOf } from '../tree.ts'
import type { Words } from '../tree.ts'
import { describeFindings, pathOfMeant, sectionOf } from './compare.ts'
import type { SkillSheet } from './compare.ts'
import type { AnsweredDocument } from './page.ts'

const HEADING = 'Skills to install together'

const page = (
  kept: readonly string[],
  path: string,
): Omit<AnsweredDocument, 'heading' | 'lead' | 'sections'> => ({
  kind: 'bundle',
  path,
  ...(kept.length < MOST_BUNDLED ? { compared: kept } : {}),
  description: 'Skills of the catalog that one line installs together.',
  updated: '',
  isIndexable: false,
  facts: [],
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
    ...page(slugs, path),
    heading: HEADING,
    lead: [`${sheets.map(({ name }) => foldLine(name)).join(', ')}.`],
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

/** A slug that cannot be bundled, and suggestions for it. */
export interface Unbundled {
  slug: string
  why: keyof typeof REASONS
  nearest: readonly { slug: string; name: string }[]
}

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

const installOthers = (slugs: readonly string[]): Words[] => {
  const [only] = slugs
  if (only === undefined) return []
  return slugs.length === 1
    ? [[linkTo(`Install ${only} alone`, skillPath(only)), '.']]
    : [[linkTo(`Install ${slugs.join(', ')}`, bundlePath(slugs)), '.']]
}

/** Writes the page of a bundle in which some skills cannot be installed, with the reasons. */
export const writeUnbundled = (
  slugs: readonly string[],
  unbundled: readonly Unbundled[],
): AnsweredDocument => {
  const others = slugs.filter((slug) => unbundled.every((one) => one.slug !== slug))
  const tell = ({ slug, why, nearest }: Unbundled): Words => {
    const meant = nearest.flatMap((one, at): Words => [
      at === 0 ? ' Did you mean ' : ', ',
      linkTo(
        foldLine(one.name),
        pathOfMeant(slugs, unbundled, { slug, meant: one.slug }, bundlePath),
      ),
    ])
    return [...REASONS[why](slug), ...meant, ...(meant.length > 0 ? ['?'] : [])]
  }
  return {
    ...page(others, bundlePath(slugs)),
    heading: HEADING,
    lead: ['Not all of these skills can be installed from here.'],
    sections: [
      sectionOf('missing', 'Not installed from here', [
        ...unbundled.map((one) => paragraph(...tell(one))),
        ...installOthers(others).map((words) => paragraph(...words)),
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
  ...page(
    slugs,
    slugs.length > MOST_BUNDLED || slugs.length === 0 ? PATHS.bundles : bundlePath(slugs),
  ),
  heading: HEADING,
  lead: ['Skills of the catalog that one line installs together.'],
  sections: [
    sectionOf('how', slugs.length === 1 ? 'One more is needed' : 'Nothing to install', [
      paragraph(`${message} ${hint}`),
      ...installOthers(slugs).map((words) => paragraph(...words)),
    ]),
  ],
})
