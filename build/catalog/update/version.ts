import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameNeed } from '../../../src/catalog/needs/found.ts'
import type { NeedKind } from '../../../src/catalog/needs/found.ts'
import { SEVERITIES } from '../../../src/catalog/safety/rule.ts'
import type { FindingSeverity } from '../../../src/catalog/safety/rule.ts'
import { locate } from '../../../src/catalog/address.ts'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import type { Finding, Skill } from '../../../src/catalog/skill.ts'
import { makeSkillInTime, openSkill } from '../../../src/catalog/skill-folder.ts'
import { unifyLineEnds } from '../../../src/catalog/lines.ts'
import { decodeLoosely } from '../../../src/catalog/text.ts'
import type { SkillBits } from '../../machine/checkout.ts'
import { compareCode, findOddPlace } from './code.ts'
import type { CodeChange } from './code.ts'

/** Digests the parts that a curator judges: files, author and licence, but not the day, or a path of plain words. */
export const digestVersion = (
  { folder, files, bytes }: Pick<OpenedSkill, 'folder' | 'files' | 'bytes'>,
  record: SkillRecord,
): string => {
  const { name, description, author, licence } = record
  const rows = files.map(({ path, isExecutable }) => [
    path,
    hash('sha256', bytes.get(path) ?? readFileSync(join(folder, path))),
    ...(isExecutable ? ['executable'] : []),
  ])
  const words = files.length === 0 ? [name, description] : []
  const odd = findOddPlace(record)
  const text = JSON.stringify([rows.sort(), words, author, licence ?? '', ...(odd ? [odd] : [])])
  // An author can make two versions with the same 64 bits in minutes: one to be accepted, and one to replace it.
  return hash('sha256', text, 'hex').slice(0, 32)
}

/** Whether a finding is at least this severe, judged by `held`, its severity for the decision to hold versions back. */
const isAtLeast = ({ held }: Finding, least: FindingSeverity): boolean =>
  SEVERITIES.indexOf(held) <= SEVERITIES.indexOf(least)

/** Whether a finding holds its version back until a curator has read it. */
export const isSevere = (finding: Finding): boolean => isAtLeast(finding, 'medium')

export const findingsOf = (skill: Skill | undefined): readonly Finding[] => skill?.findings ?? []

/** The key of a finding. The digest covers the line's text, so the key stays the same when the line moves. */
const identify = ({ rule, file, digest }: Finding): string => [rule, file, digest].join('\n')

/**
 * Lists the findings of a version that are new, more severe or more frequent than before. A finding is known if its
 * rule, file and line text are the same.
 */
export const listNewFindings = (
  before: readonly Finding[],
  after: readonly Finding[],
): Finding[] => {
  const known = new Map(before.map((finding) => [identify(finding), finding]))
  return after.filter((finding) => {
    const old = known.get(identify(finding))
    const isKnown = old && isAtLeast(old, finding.held) && old.count >= finding.count
    return finding.accepted === undefined && !isKnown
  })
}

/** Whether a version has a severe finding, open or accepted. */
export const hasSevere = (skill: Skill | undefined): boolean => findingsOf(skill).some(isSevere)

/** A change: `what` is our text, `values` are untrusted, such as a name before and after. */
export interface Change {
  what: string
  values: string[]
}

/** A version: its files, and the skill that the build makes of them (undefined if the build refuses it). */
interface LoadedVersion {
  opened: OpenedSkill
  skill: Skill | undefined
}

/** Loads a skill from a content folder or from `pending/`. */
export const loadVersion = (content: string, slug: string, bits: SkillBits): LoadedVersion => {
  const opened = openSkill(content, slug, bits.ofSkill(slug))
  return { opened, skill: makeSkillInTime(opened).skill }
}

const readLines = ({ bytes }: OpenedSkill): string[] => {
  const text = bytes.get(SKILL_MD)
  return text ? unifyLineEnds(decodeLoosely(text)).split('\n') : []
}

/** Counts the lines that the other text does not have; repeated lines count each time. */
const countMissing = (lines: readonly string[], others: readonly string[]): number => {
  const left = new Map<string, number>()
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1)
  return lines.filter((line) => {
    const count = left.get(line) ?? 0
    left.set(line, count - 1)
    return count <= 0
  }).length
}

const GONE = 'text removed: its licence does not permit redistribution'

const compareTexts = (before: OpenedSkill, after: OpenedSkill): Change[] => {
  const [old, now] = [readLines(before), readLines(after)]
  if (now.length === 0 && old.length > 0) return [{ what: GONE, values: [] }]
  if (old.join('\n') === now.join('\n')) return []
  const counts = `+${countMissing(now, old)} −${countMissing(old, now)}`
  return [{ what: `text ${counts} lines`, values: [] }]
}

const locatedIn = ({ source }: Skill) => (source.kind === 'own' ? undefined : locate(source.url))

/** Single values whose changes are reported. */
const FIELDS: readonly (readonly [string, (skill: Skill) => string | undefined])[] = [
  ['name', ({ name }) => name],
  ['description', ({ description }) => description],
  ['author', ({ author }) => author],
  ['licence', ({ licence }) => licence],
  ['repository', (skill) => locatedIn(skill)?.repository],
  ['folder', (skill) => locatedIn(skill)?.folder],
]

const NEEDS = [
  'unasked',
  'tools',
  'hosts',
  'commands',
  'packages',
  'servers',
  'variables',
  'accounts',
  'outside',
] as const

const NEED_NAMES: Partial<Record<NeedKind, string>> = {
  unasked: 'runs by itself',
  outside: 'outside the project',
}

/** Lists whose changes are reported. */
const LISTS: readonly (readonly [string, (skill: Skill) => readonly string[]])[] = [
  ['files', ({ files }) => files.map(({ path }) => path)],
  ['executable', ({ files }) => files.flatMap((file) => (file.isExecutable ? file.path : []))],
  ...NEEDS.map((kind) => {
    const name = NEED_NAMES[kind] ?? kind
    return [name, ({ needs }: Skill) => needs?.[kind].map(nameNeed) ?? []] as const
  }),
]

/** Describes the differences between two versions, starting with the text of SKILL.md. */
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
    const added = is.filter((value) => !was.includes(value)).map((value) => `+${value}`)
    return {
      what,
      values: [...added, ...was.filter((value) => !is.includes(value)).map((value) => `−${value}`)],
    }
  })
  const files = { what: 'files changed', values: edited.map(({ path }) => path) }
  // A listed-only skill has no files to compare.
  const all = now.needs ? [...fields, files, ...lists] : fields
  return [...texts, ...all.filter(({ values }) => values.length > 0)]
}

/** How a version differs from the live one, if there is one. */
export interface VersionChanges {
  /** Only new and more severe findings. */
  findings: Finding[]
  changes: Change[]
  /** Changes beyond plain words. */
  code: CodeChange[]
}

/** Compares two versions. `scanned` has the findings of the new version. */
export const compareVersions = (
  before: LoadedVersion | undefined,
  after: LoadedVersion,
  scanned = after.skill,
): VersionChanges => ({
  findings: listNewFindings(findingsOf(before?.skill), findingsOf(scanned)),
  changes: before ? listChanges(before, after) : [],
  code: compareCode(before?.opened, after.opened),
})
