import type { ListedVersion } from '../on-request/version.ts'
import type { Skill } from '../../catalog/skill.ts'
import { spellUnseen } from '../../catalog/lines.ts'
import { shortenVersion, showNumber } from '../../catalog/text.ts'
import type { Document, Section } from '../document.ts'
import { describeSafety } from '../lists/entries.ts'
import { PATHS, skillPath, versionPath, versionZipPath, versionsPath } from '../paths.ts'
import { fenced } from '../prose/blocks.ts'
import { readLicenceWords, showSize } from './facts.ts'
import type { SkillPageSite } from './facts.ts'
import { writeFindings } from './findings.ts'
import { findPinnedCommands } from './install.ts'
import { showName } from './words.ts'
import {
  bullets,
  factLine,
  inCode,
  inWarning,
  joinPhrases,
  linked,
  paragraphs,
  phrase,
  stacked,
} from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'

const KINDS = ['added', 'changed', 'removed'] as const

export interface VersionPageInput {
  /** The skill in this version. */
  skill: Skill
  version: ListedVersion & { name: string }
  isCurrent: boolean
  /** The name of the version before it, unless that has none. */
  before?: string | undefined
  /** The text in the format of git, perhaps cut; undefined if the version before it must not be shown. */
  difference: { text: string; isCut: boolean } | undefined
  site: SkillPageSite
}

const describeSize = ({ files, tokens }: Skill): string => {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const [count, file] = files.length === 1 ? ['', ''] : [`${files.length} files, `, 'SKILL.md ']
  const cost = tokens === undefined ? '' : `, ${file}${showNumber(tokens)} tokens`
  return `${count}${showSize(bytes)}${cost}`
}

const listFacts = ({ skill, version: { day, source } }: VersionPageInput): Phrase => {
  const number = skill.needs?.version
  const safety = describeSafety(skill)
  return factLine([
    linked(skill.slug, skillPath(skill.slug)),
    number !== undefined && phrase`the author’s version ${inCode(showName(number))}`,
    day !== undefined && `of ${day}`,
    readLicenceWords(skill)?.short,
    describeSize(skill),
    safety === 'Review' ? linked(inWarning(safety), '#findings') : safety,
    source !== undefined && linked('the author’s folder', source),
  ])
}

const writePin = ({ skill, version: { name }, site }: VersionPageInput): Phrase => {
  const { shell, npx } = findPinnedCommands(skill, name, site)
  const zip = linked('The zip', versionZipPath(skill.slug, name))
  const check = site.hasVersionDocs
    ? phrase`; ${linked('compute its name from the files', PATHS.versionDocs)}`
    : ''
  return stacked([
    ...[shell, npx].map((line) => line !== undefined && fenced(line, 'sh')),
    paragraphs(phrase`${zip} of this version never changes${check}.`),
  ])
}

/** At most this many files of one kind are named. */
const FILES_NAMED = 20

const writeChanges = ({ skill, version, before, difference }: VersionPageInput): Phrase => {
  const { changes } = version
  if (!changes) return paragraphs(phrase`The first version of this skill that the registry has.`)
  const rows = KINDS.map((kind) => {
    const paths = changes[kind]
    const names = paths.slice(0, FILES_NAMED).map((path) => inCode(showName(path)))
    return (
      names.length > 0 && phrase`${kind}: ${joinPhrases(names, ', ', paths.length - names.length)}`
    )
  })
  const name =
    before === undefined
      ? ''
      : phrase`, ${linked(shortenVersion(before), versionPath(skill.slug, before))}`
  const hidden = difference ? '' : ' Its text is not shown.'
  const words = phrase`Compared with the previous version${name}.${hidden}`
  return stacked([paragraphs(words), bullets(rows)])
}

const writeDifference = (
  { text, isCut }: NonNullable<VersionPageInput['difference']>,
  zip: string,
): Phrase => {
  const cut = phrase`This is the beginning of the difference. Compare ${linked('the zip', zip)} for the rest.`
  return stacked([isCut && paragraphs(cut), fenced(spellUnseen(text), 'diff')])
}

export const writeVersionDocument = (input: VersionPageInput): Document => {
  const { skill, version, isCurrent, difference, site } = input
  const { slug, findings } = skill
  const { name, day = '' } = version
  // The files of a version have no pages, so findings have no links to them.
  const bare = { ...skill, files: [] }
  const zip = versionZipPath(slug, name)
  const sections: Section[] = [
    { id: 'pin', heading: 'Pin this version', ...writePin(input) },
    { id: 'what-changed', heading: 'What changed', ...writeChanges(input) },
    ...(findings.length > 0
      ? [
          {
            id: 'findings',
            heading: 'Findings',
            ...writeFindings(bare, site, () => skillPath(slug)),
          },
        ]
      : []),
    ...(difference && difference.text !== ''
      ? [{ id: 'difference', heading: 'Difference', ...writeDifference(difference, zip) }]
      : []),
  ]
  const newer = paragraphs(
    phrase`**A newer version is current**: ${linked('the skill', skillPath(slug))}, ${linked('all versions', versionsPath(slug))}.`,
  )
  return {
    kind: 'article',
    path: versionPath(slug, name),
    partOf: { label: slug, path: skillPath(slug) },
    heading: `Version ${shortenVersion(name)}`,
    lead: phrase`${skill.name}, ${isCurrent ? 'the current version' : 'an earlier version'}. ${skill.summary}`,
    description: `Version ${shortenVersion(name)} of ${slug}: its facts and changes.`,
    updated: day,
    isUnindexed: true,
    ...(isCurrent ? {} : { notice: newer }),
    category: skill.category,
    below: listFacts(input),
    sections,
  }
}
