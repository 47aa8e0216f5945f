import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import unhomoglyph from 'unhomoglyph'
import { locate, locationKey } from '../../../src/catalog/address.ts'
import { FrontMatterError, tryFrontMatter } from '../../../src/catalog/front-matter.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import type { Retired } from '../../../src/catalog/schema.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import { decodeLoosely, showValue } from '../../../src/catalog/text.ts'
import { makeProblem } from '../rules.ts'
import type { Violation } from '../rules.ts'
import { readRecords } from '../store/records.ts'
import type { StoredRecord } from '../store/records.ts'
import type { SkillBits } from '../../machine/checkout.ts'
import { compareFolder } from '../store/write.ts'
import type { Candidate } from './candidate.ts'
import { chooseSlug, slugify } from './skill-md.ts'
import type { ReadSource } from './sources.ts'

/** The fields that identify a candidate or a catalog skill. */
interface Identity {
  /** Address upstream; undefined for the registry's own skills. */
  url?: string | undefined
  author: string
  /** Displayed name; empty if unknown. */
  name: string
  /** SHA-256 of the SKILL.md of one of the registry's own skills; empty for others. */
  textDigest: string
  /** A candidate's slugified name. */
  slug: string
  /** Whether it comes from the source of this import. */
  isCovered: boolean
}

interface CatalogSkill extends StoredRecord, Identity {}

const readName = (text: string): string => {
  const front = tryFrontMatter(text)
  // A skill without a readable name can still be recognized by its slug.
  return front instanceof FrontMatterError ? '' : (front.name ?? '')
}

const describeSkill = (
  content: string,
  stored: StoredRecord,
  { origin }: ReadSource,
): CatalogSkill => {
  const { record, slug } = stored
  const skill = {
    ...stored,
    url: record.source.kind === 'own' ? undefined : record.source.url,
    author: record.author,
    name: record.name ?? '',
    textDigest: '',
    isCovered: origin.covers(stored),
  }
  const path = join(content, 'skills', slug, SKILL_MD)
  if (skill.url !== undefined || !existsSync(path)) return skill
  const bytes = readFileSync(path)
  const name = record.name ?? readName(decodeLoosely(bytes))
  return { ...skill, name, textDigest: hash('sha256', bytes) }
}

type KeyOf = (skill: Identity) => string | undefined

/** Restricts a key to the registry's own skills. They have no address and match only if their authors are the same. */
const ofOwn =
  (keyOf: KeyOf): KeyOf =>
  (skill) =>
    skill.url === undefined ? `${skill.author}\n${keyOf(skill)}` : undefined

/** A name in a repository. It is no proof: whoever may add a folder there could take the name of a skill that is gone. */
const MOVED: KeyOf = ({ url, name, isCovered }) =>
  url !== undefined && isCovered && name !== '' ? `${locate(url).repository}\n${name}` : undefined

/** Keys that identify a skill, most trusted first. Two skills match if they share a key. */
const RULES: readonly KeyOf[] = [
  ({ url }) => url,
  // The same folder at another commit is the same skill.
  ({ url }) => url && locationKey(url),
  // A skill that moved inside its repository without a new or changed file, if this import also covers the old path.
  MOVED,
  ofOwn(({ textDigest }) => textDigest),
  ofOwn(({ name }) => name),
  ofOwn(({ slug }) => slug),
]

type HasFiles = (skill: CatalogSkill, files: Candidate['files']) => boolean

/** Applies the rules in order to the skills still unmatched; no skill is matched twice. */
const matchSkills = (
  candidates: readonly Candidate[],
  skills: readonly CatalogSkill[],
  hasFiles: HasFiles,
): Map<Candidate, CatalogSkill> => {
  const matched = new Map<Candidate, CatalogSkill>()
  const claimed = new Set<CatalogSkill>()
  for (const keyOf of RULES) {
    const free = Map.groupBy(
      skills.filter((skill) => !claimed.has(skill)),
      keyOf,
    )
    for (const candidate of candidates.filter((other) => !matched.has(other))) {
      const { url, author, name, textDigest } = candidate
      const key = keyOf({ url, author, name, textDigest, slug: slugify(name), isCovered: true })
      const found = (key === undefined ? undefined : free.get(key))?.find(
        (skill) => !claimed.has(skill) && (keyOf !== MOVED || hasFiles(skill, candidate.files)),
      )
      if (!found) continue
      matched.set(candidate, found)
      claimed.add(found)
    }
  }
  return matched
}

/** A candidate with its id and slug in the catalog. */
export interface Assigned {
  candidate: Candidate
  id: number
  slug: string
  /** The catalog skill that it updates; undefined for a new skill. */
  skill?: CatalogSkill | undefined
  /** For a new skill, the slug of a retired skill from the same repository with the same name or text. */
  returned?: string | undefined
  /** For a new skill, the slug of a missing skill from the same repository with the same name. */
  namesake?: string | undefined
  /** The slug of another skill whose name looks the same. */
  lookalike?: string | undefined
}

/** Retired skills by repository, without those that moved to another address. */
type FormerSkills = ReadonlyMap<string, readonly Retired[]>

const groupFormer = (retired: readonly Retired[]): FormerSkills =>
  Map.groupBy(
    retired.filter(({ source, movedTo }) => source !== undefined && movedTo === undefined),
    ({ source = '' }) => locate(source).repository,
  )

/** Finds a retired skill that the candidate may bring back. */
const findReturned = (
  { url, name, folderName, bodyDigest }: Candidate,
  former: FormerSkills,
): string | undefined => {
  const rows = url === undefined ? [] : (former.get(locate(url).repository) ?? [])
  const names = new Set([name, folderName].map(slugify))
  return rows.find(
    (row) => names.has(row.slug) || names.has(slugify(row.name ?? '')) || row.text === bodyDigest,
  )?.slug
}

/** Assigns ids and slugs. A known skill keeps its id and slug. */
const assignSlugs = (
  candidates: readonly Candidate[],
  skills: readonly CatalogSkill[],
  { retired, lastId }: ReturnType<typeof readRecords>,
  hasFiles: HasFiles,
): Assigned[] => {
  const matched = matchSkills(candidates, skills, hasFiles)
  const takenSlugs = new Set([...skills, ...retired].map(({ slug }) => slug.toLowerCase()))
  let last = lastId
  const former = groupFormer(retired)
  return candidates.map((candidate) => {
    const skill = matched.get(candidate)
    if (skill) return { candidate, id: skill.record.id, slug: skill.slug, skill }
    last += 1
    const { name, folderName, author } = candidate
    const slug = chooseSlug({ name, folderName, author, id: last }, takenSlugs)
    takenSlugs.add(slug)
    return { candidate, id: last, slug, returned: findReturned(candidate, former) }
  })
}

/** Reduces a name to what a reader sees of it, with one letter for all that look like it. */
const drawName = (name: string): string =>
  unhomoglyph(
    name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/\p{Default_Ignorable_Code_Point}/gu, ''),
  ).toLowerCase()

/** Notes on new names: those that a missing skill of the repository had, and those that look like another skill's. */
const noteNames = (
  assigned: readonly Assigned[],
  skills: readonly CatalogSkill[],
  missing: readonly MissingSkill[],
): Assigned[] => {
  const gone = new Set(missing.map(({ slug }) => slug))
  const left = new Map(
    skills.filter(({ slug }) => gone.has(slug)).map((one) => [MOVED(one), one.slug]),
  )
  const drawn = new Map(
    skills.flatMap(({ name, slug }) => [name, slug].map((word) => [drawName(word), slug] as const)),
  )
  return assigned.map((each) => {
    const { candidate, slug, skill } = each
    const key = skill === undefined ? MOVED({ ...candidate, slug, isCovered: true }) : undefined
    const name = drawName(candidate.name)
    const other = drawn.get(name)
    if (other === undefined) drawn.set(name, slug)
    const isRenamed = skill === undefined || drawName(skill.name) !== name
    return {
      ...each,
      namesake: key === undefined ? undefined : left.get(key),
      lookalike: isRenamed && other !== slug ? other : undefined,
    }
  })
}

interface MissingSkill {
  slug: string
  id: number
  url?: string
}

/** Lists the catalog's skills missing from a source; a skill that could not be read is not missing. */
const listMissingSkills = (
  { traced }: ReadSource,
  skills: readonly CatalogSkill[],
  assigned: readonly Assigned[],
): MissingSkill[] => {
  const claimed = new Set(assigned.map(({ slug }) => slug))
  const locations = new Set([...traced.values()].map(({ url }) => url && locationKey(url)))
  const folders = new Set([...traced.keys()].map((path) => slugify(basename(path))))
  return skills
    .filter(({ slug, isCovered }) => isCovered && !claimed.has(slug))
    .filter(({ slug, url }) =>
      url === undefined ? !folders.has(slug) : !locations.has(locationKey(url)),
    )
    .map(({ slug, url, record: { id } }) => (url === undefined ? { slug, id } : { slug, id, url }))
}

type IsKnown = (candidate: Candidate) => boolean

/** Says why a candidate is skipped; undefined to keep it. */
type Judge = (candidate: Candidate) => Violation | undefined

/** Judges whether a curator retired a skill that its source still has. */
const judgeRetired = (retired: readonly Retired[], isKnown: IsKnown): Judge => {
  const rows = new Map(
    retired.flatMap((row) => (row.source === undefined ? [] : [[locationKey(row.source), row]])),
  )
  return (candidate) => {
    const { url } = candidate
    const row = url === undefined || isKnown(candidate) ? undefined : rows.get(locationKey(url))
    const why = row?.reason === undefined ? '' : `: ${row.reason}`
    return row && { rule: 'retired', message: `was retired as ${row.slug} (id ${row.id})${why}` }
  }
}

const copyKey = ({ url, author, name, textDigest }: Candidate): string =>
  [url === undefined ? author : locate(url).repository, name, textDigest].join('\n')

/** Orders copies: known skills first, then by plainness: no symlink, no hidden folder, shallow path. */
const compareCopies =
  (isKnown: IsKnown) =>
  (a: Candidate, b: Candidate): number => {
    const [ranks, others] = [a, b].map((candidate) => {
      const folders = candidate.path.split('/')
      const isHidden = folders.some((folder) => folder.startsWith('.'))
      return [!isKnown(candidate), candidate.isLink, isHidden, folders.length].map(Number)
    }) as [number[], number[]]
    return ranks.map((rank, at) => rank - others[at]!).find(Boolean) ?? 0
  }

/** Judges all copies of a skill but one: the one already in the catalog, else the one with the plainest path. */
const judgeCopies = (candidates: readonly Candidate[], isKnown: IsKnown): Judge => {
  /** The kept candidate's file, by key. */
  const firsts = new Map<string, string>()
  const originals = new Map<Candidate, string>()
  for (const candidate of candidates.toSorted(compareCopies(isKnown))) {
    const first = firsts.get(copyKey(candidate))
    if (first === undefined) firsts.set(copyKey(candidate), candidate.file)
    else originals.set(candidate, first)
  }
  return (candidate) => {
    const first = originals.get(candidate)
    const message = `is a copy of ${showValue(first)}: same repository, name and bytes`
    return first === undefined ? undefined : { rule: 'duplicate', message }
  }
}

/** Whether a skill of the catalog is not known to be gone. */
const isAlive = ({ record: { source } }: StoredRecord): boolean =>
  source.kind === 'own' || source.status === 'alive'

/**
 * Matches the skills of a source with the skills of a catalog, skipping retired skills and duplicates. `missing` are
 * catalog skills that the source no longer has.
 */
export const matchSource = (
  content: string,
  source: ReadSource,
  bits: SkillBits,
): { assigned: Assigned[]; skips: Problem[]; missing: MissingSkill[] } => {
  const stored = readRecords(content)
  const { records, retired } = stored
  const skills = records.map((record) => describeSkill(content, record, source))
  const known = new Set(skills.map(({ url }) => url && locationKey(url)))
  const isKnown: IsKnown = ({ url }) => url !== undefined && known.has(locationKey(url))
  const skips: Problem[] = []
  const keep = (candidates: readonly Candidate[], judge: Judge): Candidate[] =>
    candidates.filter((candidate) => {
      const violation = judge(candidate)
      if (violation) skips.push(makeProblem(candidate.file, violation))
      return violation === undefined
    })
  const unretired = keep(source.candidates, judgeRetired(retired, isKnown))
  const published = keep(unretired, (candidate) =>
    candidate.isInternal && !isKnown(candidate) ? { rule: 'unlisted' } : undefined,
  )
  const unique = keep(published, judgeCopies(published, isKnown))
  const hasFiles: HasFiles = ({ slug }, files) => {
    const place = join(content, 'skills', slug)
    return files.length > 0 && compareFolder(place, files, bits.ofSkill(slug)).written.length === 0
  }
  const identified = assignSlugs(unique, skills, stored, hasFiles)
  const missing = listMissingSkills(source, skills, identified)
  const assigned = noteNames(identified, skills, missing)
  const alive = new Set(records.filter(isAlive).map(({ slug }) => slug))
  return { assigned, skips, missing: missing.filter(({ slug }) => alive.has(slug)) }
}
