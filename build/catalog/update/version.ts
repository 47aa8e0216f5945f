import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameNeed } from '../../../src/catalog/needs/found.ts'
import type { NeedKind } from '../../../src/catalog/needs/found.ts'
import { worse } from '../../../src/catalog/safety/rule.ts'
import { isHeld } from '../../../src/catalog/safety/scan.ts'
import { locate } from '../../../src/catalog/address.ts'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import type { Finding, Skill } from '../../../src/catalog/skill.ts'
import { makeSkillInTime, openSkill } from '../../../src/catalog/skill-folder.ts'
import { unifyLineEnds } from '../../../src/catalog/lines.ts'
import { decodeLoosely } from '../../../src/catalog/text.ts'
import type { SkillBits } from '../../machine/checkout.ts'
import type { SourcesLock } from '../store/sources-lock.ts'

type Files = Pick<OpenedSkill, 'folder' | 'files' | 'bytes'>

/** Lists the files of a version with their digests; without files, the words of its record. */
const listFiles = ({ folder, files, bytes }: Files, { name, description }: SkillRecord) => {
  const rows = files.map(({ path, isExecutable }) => [
    path,
    hash('sha256', bytes.get(path) ?? readFileSync(join(folder, path))),
    ...(isExecutable ? ['executable'] : []),
  ])
  return [rows.sort(), files.length === 0 ? [name, description] : []]
}

// An author can make two versions with the same 64 bits in minutes: one to be rejected, and one that it would hide.
const digestParts = (parts: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32)

/** Digests what a rejection is about: only the files, wherever they are. */
export const digestContents = (files: Files, record: SkillRecord): string =>
  digestParts(listFiles(files, record))

/** Digests what a curator judges: files, author and licence, but neither the folder nor a day. */
export const digestVersion = (files: Files, record: SkillRecord): string => {
  const { author, licence = '' } = record
  return digestParts([...listFiles(files, record), author, licence])
}

/** Returns a test for versions that a curator rejected. Version 1.0.0 kept the first digits of another digest. */
export const createRejectedTest = ({
  rejected,
}: Pick<SourcesLock, 'rejected'>): ((files: Files, record: SkillRecord) => boolean) => {
  const digests = rejected.map((row) => row.rejected)
  return (files, record) =>
    digests.includes(digestContents(files, record)) ||
    digests.some((old) => digestVersion(files, record).startsWith(old))
}

/** The rule for files that the scan does not look into, whose severity is low. */
const UNREAD = 'archive-file'

/** Whether a finding needs a look. */
export const isSevere = (finding: Finding): boolean => isHeld(finding) || finding.rule === UNREAD

const findingsOf = (skill: Skill | undefined): readonly Finding[] => skill?.findings ?? []

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
    const isKnown = old && worse(old.held, finding.held) === old.held && old.count >= finding.count
    return finding.accepted === undefined && !isKnown
  })
}

/** Lists the severe findings of a version, open or accepted. */
export const listSevere = (skill: Skill | undefined): Finding[] =>
  findingsOf(skill).filter(isSevere)

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

/** Counts the lines that SKILL.md gained and lost. */
const countLines = (before: OpenedSkill, after: OpenedSkill): string => {
  const [old, now] = [readLines(before), readLines(after)]
  return `+${countMissing(now, old)} −${countMissing(old, now)} lines`
}

/** How a file differs from the one before, and in which words. */
const FILE_CHANGES = {
  new: 'new',
  changed: 'changed',
  gone: 'gone',
  link: 'new or changed link',
  disguised: 'new or changed, a program or no text by the name of Markdown',
  executable: 'executable now',
  plain: 'no longer executable',
} as const

export interface FileChange {
  path: string
  how: keyof typeof FILE_CHANGES
  /** A remark, such as the count of lines. */
  more: string
}

const MARKDOWN = /\.(?:md|markdown)$/i

/** Whether a file is Markdown only by its name: a shell and most interpreters do not care how a program is named. */
const isDisguised = (path: string, bytes: Uint8Array = new Uint8Array()): boolean =>
  MARKDOWN.test(path) &&
  (bytes.includes(0) || !isUtf8(bytes) || decodeLoosely(bytes.subarray(0, 2)) === '#!')

/** Whether a change is of a file that is not Markdown, of a link, or of an executable bit. */
export const isBeyondProse = ({ path, how }: FileChange): boolean =>
  how === 'new' || how === 'changed' ? !MARKDOWN.test(path) : how !== 'gone'

const compareFiles = (
  before: OpenedSkill | undefined,
  after: OpenedSkill,
  links: ReadonlySet<string>,
): FileChange[] => {
  const old = new Map(before?.files.map((file) => [file.path, file]))
  const now = new Set(after.files.map(({ path }) => path))
  const changes = after.files.flatMap(({ path, isExecutable = false }): FileChange[] => {
    const known = old.get(path)
    const [was, is] = [before?.bytes.get(path), after.bytes.get(path)]
    const how = known ? 'changed' : 'new'
    const odd = links.has(path) ? 'link' : isDisguised(path, is) ? 'disguised' : undefined
    // A file beyond the limits has no bytes.
    const isSame = known && was !== undefined && is !== undefined && was.equals(is)
    const more = known && path === SKILL_MD && before ? countLines(before, after) : ''
    const bit = { path, how: isExecutable ? 'executable' : 'plain', more: '' } as const
    return [
      ...(isSame ? [] : [{ path, how: odd ?? how, more } as const]),
      ...((known?.isExecutable ?? false) === isExecutable ? [] : [bit]),
    ]
  })
  const gone = [...old.keys()].filter((path) => !now.has(path))
  return [...changes, ...gone.map((path) => ({ path, how: 'gone', more: '' }) as const)]
}

export const describeFileChange = ({ how, more }: FileChange): string =>
  more === '' ? FILE_CHANGES[how] : `${FILE_CHANGES[how]} (${more})`

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

/** What a skill needs, with the words of the report. */
const NEEDS: Readonly<Partial<Record<NeedKind, string>>> = {
  unasked: 'runs by itself',
  tools: 'tools',
  hosts: 'hosts',
  commands: 'commands',
  packages: 'packages',
  servers: 'servers',
  variables: 'variables',
  accounts: 'accounts',
  outside: 'outside the project',
}

const isChange = ({ values }: Change): boolean => values.length > 0

/** How a version differs from the live one, if there is one. */
export type VersionChanges = ReturnType<typeof compareVersions>

/** Compares two versions. `scanned` has the findings of the new version, `links` its files that are links at their source. */
export const compareVersions = (
  before: LoadedVersion | undefined,
  { opened, skill }: LoadedVersion,
  {
    scanned = skill,
    links = new Set(),
  }: { scanned?: Skill | undefined; links?: ReadonlySet<string> } = {},
) => {
  const old = before?.skill
  const fields = FIELDS.map(([what, read]): Change => {
    const [was, is] = [old, skill].map((one) => (one && read(one)) ?? 'none')
    return { what, values: old && skill && was !== is ? [was!, is!] : [] }
  })
  const needs = Object.entries(NEEDS).map(([kind, what]): Change => {
    const [was, is] = [old, skill].map((one) => one?.needs?.[kind as NeedKind].map(nameNeed) ?? [])
    return { what, values: is!.filter((name) => !was!.includes(name)) }
  })
  return {
    /** Only new and graver findings. */
    findings: listNewFindings(findingsOf(old), findingsOf(scanned)),
    files: compareFiles(before?.opened, opened, links),
    /** Fields before and after. */
    fields: fields.filter(isChange),
    /** What it needs that it did not need before. */
    needs: needs.filter(isChange),
  }
}
