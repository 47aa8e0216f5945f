import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameNeed } from '../../../src/catalog/needs/found.ts'
import { SEVERITIES } from '../../../src/catalog/safety/rule.ts'
import type { FindingSeverity } from '../../../src/catalog/safety/rule.ts'
import { locate } from '../../../src/catalog/address.ts'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import type { Finding, Skill } from '../../../src/catalog/skill.ts'
import { makeSkillInTime, openSkill } from '../../../src/catalog/skill-folder.ts'
import { decodeLoosely } from '../../../src/catalog/text.ts'
import type { SkillBits } from '../../machine/checkout.ts'
import { compareCode, findOddPlace } from './code.ts'
import type { CodeChange } from './code.ts'

/**
 * The digest of the parts of a version that a curator judges: its files, author and licence, not where or when it was
 * seen.
 */
export const digestVersion = (
  { folder, files, bytes }: Pick<OpenedSkill, 'folder' | 'files' | 'bytes'>,
  record: SkillRecord,
): string => {
  const { name, description, author, licence, source } = record
  const rows = files.map(({ path, isExecutable }) => [
    path,
    hash('sha256', bytes.get(path) ?? readFileSync(join(folder, path))),
    ...(isExecutable ? ['executable'] : []),
  ])
  const isByRecord = files.length === 0 || (source.kind === 'upstream' && source.via !== undefined)
  const words = isByRecord ? [name, description] : []
  const odd = findOddPlace(record)
  const text = JSON.stringify([rows.sort(), words, author, licence ?? '', ...(odd ? [odd] : [])])
  return hash('sha256', text, 'hex').slice(0, 16)
}

/** Whether no context makes a finding milder than this for the decision to hold its version back. */
const isAsGrave = ({ held }: Finding, least: FindingSeverity): boolean =>
  SEVERITIES.indexOf(held) <= SEVERITIES.indexOf(least)

/** Whether a curator has to see a finding before readers do: it would make its skill one to review. */
export const isGrave = (finding: Finding): boolean => isAsGrave(finding, 'medium')

/** All findings that may hold a version back, those that no page shows included. */
export const findingsOf = (skill: Skill | undefined): readonly Finding[] =>
  skill ? [...skill.findings, ...(skill.asides ?? [])] : []

const placeOf = ({ rule, file, digest }: Finding): string => [rule, file, digest].join('\n')

/**
 * The findings of a version that the one before did not have on a line of the same text in the same file, or milder, or
 * less often.
 */
export const listNewFindings = (
  before: readonly Finding[],
  after: readonly Finding[],
): Finding[] => {
  const known = new Map(before.map((one) => [placeOf(one), one]))
  return after.filter((one) => {
    const old = known.get(placeOf(one))
    const isKnown = old && isAsGrave(old, one.held) && old.count >= one.count
    return one.accepted === undefined && !isKnown
  })
}

/** Whether a finding that a curator has to see, or has accepted, is in two versions, on a line of the same text. */
export const keepsGrave = (before: readonly Finding[], after: readonly Finding[]): boolean => {
  const known = new Set(before.map(placeOf))
  return after.some((one) => isGrave(one) && known.has(placeOf(one)))
}

/** A change in words of ours, and what strangers wrote, such as a name before and after. */
export interface Change {
  what: string
  values: string[]
}

/** A version as its folder was read, and as the build will load it. */
interface LoadedVersion {
  opened: OpenedSkill
  skill: Skill | undefined
}

/** Reads a skill of a catalog, or a version that waits. */
export const loadVersion = (content: string, slug: string, bits: SkillBits): LoadedVersion => {
  const opened = openSkill(content, slug, bits.ofSkill(slug))
  return { opened, skill: makeSkillInTime(opened).skill }
}

const readLines = ({ bytes }: OpenedSkill): string[] => {
  const text = bytes.get(SKILL_MD)
  return text ? decodeLoosely(text).split('\n') : []
}

/** How many lines of one text the other does not have. */
const countOthers = (lines: readonly string[], others: readonly string[]): number => {
  const left = new Map<string, number>()
  for (const one of others) left.set(one, (left.get(one) ?? 0) + 1)
  return lines.filter((one) => {
    const count = left.get(one) ?? 0
    left.set(one, count - 1)
    return count <= 0
  }).length
}

const GONE = 'text no longer here: its licence does not let everyone hand it on'

const compareTexts = (before: OpenedSkill, after: OpenedSkill): Change[] => {
  const [old, now] = [readLines(before), readLines(after)]
  if (now.length === 0 && old.length > 0) return [{ what: GONE, values: [] }]
  if (old.join('\n') === now.join('\n')) return []
  const counts = `+${countOthers(now, old)} −${countOthers(old, now)}`
  return [{ what: `text ${counts} lines`, values: [] }]
}

const locatedIn = ({ source }: Skill) => (source.kind === 'own' ? undefined : locate(source.url))

/** Single values of a skill that readers go by. */
const FIELDS: readonly (readonly [string, (skill: Skill) => string | undefined])[] = [
  ['name', ({ name }) => name],
  ['description', ({ description }) => description],
  ['author', ({ author }) => author],
  ['licence', ({ licence }) => licence],
  ['repository', (skill) => locatedIn(skill)?.repository],
  ['folder', (skill) => locatedIn(skill)?.folder],
]

const NEEDS = [
  'tools',
  'hosts',
  'commands',
  'packages',
  'servers',
  'variables',
  'accounts',
  'outside',
] as const

/** Lists of a skill that a curator wants to know of. */
const LISTS: readonly (readonly [string, (skill: Skill) => readonly string[]])[] = [
  ['files', ({ files }) => files.map(({ path }) => path)],
  ['executable', ({ files }) => files.flatMap((one) => (one.isExecutable ? one.path : []))],
  ...NEEDS.map((kind) => [kind, ({ needs }: Skill) => needs?.[kind].map(nameNeed) ?? []] as const),
]

/** The differences of two versions of a skill in words; the texts of files first. */
const listChanges = (before: LoadedVersion, after: LoadedVersion): Change[] => {
  const texts = compareTexts(before.opened, after.opened)
  if (!before.skill || !after.skill) return texts
  const [old, now] = [before.skill, after.skill]
  const fields = FIELDS.map(([what, read]): Change => {
    const [was, is] = [read(old) ?? 'none', read(now) ?? 'none']
    return { what, values: was === is ? [] : [was, '→', is] }
  })
  const edited = now.files.filter(({ path }) => {
    const [was, is] = [before, after].map(({ opened }) => opened.bytes.get(path))
    return path !== SKILL_MD && was && is && !was.equals(is)
  })
  const lists = LISTS.map(([what, read]): Change => {
    const [was, is] = [read(old), read(now)]
    const added = is.filter((one) => !was.includes(one)).map((one) => `+${one}`)
    return {
      what,
      values: [...added, ...was.filter((one) => !is.includes(one)).map((one) => `−${one}`)],
    }
  })
  const files = { what: 'files changed', values: edited.map(({ path }) => path) }
  // Without its text, a skill has no files and names nothing.
  const all = now.needs ? [...fields, files, ...lists] : fields
  return [...texts, ...all.filter(({ values }) => values.length > 0)]
}

/** The differences of a version from the one of the catalog, if there is one. */
export interface VersionChanges {
  /** New or graver ones. */
  findings: Finding[]
  changes: Change[]
  /** Changes of files that are run, opened or obeyed. */
  code: CodeChange[]
}

export const compareVersions = (
  before: LoadedVersion | undefined,
  after: LoadedVersion,
): VersionChanges => ({
  findings: listNewFindings(findingsOf(before?.skill), findingsOf(after.skill)),
  changes: before ? listChanges(before, after) : [],
  code: compareCode(before?.opened, after.opened),
})
