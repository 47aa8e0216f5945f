import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { decodeLoosely } from '../../../src/catalog/text.ts'
import { FrontMatterError, parseFrontMatter } from '../../../src/catalog/front-matter.ts'
import type { Retired } from '../../../src/catalog/schema.ts'
import { SKILL_MD } from '../../../src/catalog/skill-folder.ts'
import type { StoredRecord } from '../store/records.ts'
import type { Candidate } from './candidate.ts'
import type { MissingSkill } from './report.ts'
import { chooseSlug, slugify } from './slug.ts'
import { locate, locationKey } from './source-url.ts'
import type { ReadSource } from './sources.ts'

/** A skill of the catalog, with what a candidate may be recognised by. */
interface CatalogSkill extends StoredRecord {
  /** As shown: the record's name, else its SKILL.md's. */
  name: string
  /** SHA-256 of the SKILL.md of one of the registry's own skills; empty for the others. */
  textDigest: string
  /** Whether it comes from a source that is being imported now, which should still have it. */
  isCovered: boolean
}

const readName = (text: string): string => {
  try {
    return parseFrontMatter(text).name ?? ''
  } catch (error) {
    // Such a skill can still be recognised by its slug.
    if (error instanceof FrontMatterError) return ''
    throw error
  }
}

export const describeSkill = (
  content: string,
  stored: StoredRecord,
  sources: readonly ReadSource[],
): CatalogSkill => {
  const { slug, record } = stored
  const path = join(content, 'skills', slug, SKILL_MD)
  const isCovered = sources.some(({ origin }) => origin.covers(stored))
  if (record.source.kind !== 'own' || !existsSync(path)) {
    return { slug, record, name: record.name ?? '', textDigest: '', isCovered }
  }
  const bytes = readFileSync(path)
  const name = record.name ?? readName(decodeLoosely(bytes))
  return {
    slug,
    record,
    name,
    textDigest: createHash('sha256').update(bytes).digest('hex'),
    isCovered,
  }
}

/** One way to recognise a skill: both sides give the same text. */
interface Rule {
  ofCandidate: (candidate: Candidate) => string | undefined
  ofSkill: (skill: CatalogSkill) => string | undefined
}

const byUrl = (keyOf: (url: string) => string): Rule => ({
  ofCandidate: ({ provenance: { url } }) => (url === undefined ? undefined : keyOf(url)),
  ofSkill: ({ record: { source } }) => (source.kind === 'own' ? undefined : keyOf(source.url)),
})

/** For the registry's own skills, which have no address; only within one author. */
const byText = (
  textOf: (candidate: Candidate) => string,
  textOfSkill: (skill: CatalogSkill) => string,
): Rule => ({
  ofCandidate: (candidate) =>
    candidate.provenance.url === undefined
      ? `${candidate.provenance.author}\n${textOf(candidate)}`
      : undefined,
  ofSkill: (skill) =>
    skill.record.source.kind === 'own'
      ? `${skill.record.author}\n${textOfSkill(skill)}`
      : undefined,
})

/** The most trusted first; each takes what the ones before it left. */
const RULES: readonly Rule[] = [
  byUrl((url) => url),
  // The same folder at another commit is the same skill.
  byUrl(locationKey),
  // A skill that moved inside its repository; only where the source would still have the old place.
  {
    ofCandidate: ({ provenance: { url }, name }) =>
      url === undefined ? undefined : `${locate(url).repository}\n${name}`,
    ofSkill: ({ record: { source }, name, isCovered }) =>
      source.kind === 'own' || !isCovered || name === ''
        ? undefined
        : `${locate(source.url).repository}\n${name}`,
  },
  byText(
    ({ textDigest }) => textDigest,
    ({ textDigest }) => textDigest,
  ),
  byText(
    ({ name }) => name,
    ({ name }) => name,
  ),
  byText(
    ({ name }) => slugify(name),
    ({ slug }) => slug,
  ),
]

/** No skill of the catalog is given to two candidates. */
const matchSkills = (
  candidates: readonly Candidate[],
  skills: readonly CatalogSkill[],
): Map<Candidate, CatalogSkill> => {
  const matched = new Map<Candidate, CatalogSkill>()
  const claimed = new Set<CatalogSkill>()
  for (const { ofCandidate, ofSkill } of RULES) {
    const free = Map.groupBy(
      skills.filter((one) => !claimed.has(one)),
      ofSkill,
    )
    for (const candidate of candidates.filter((one) => !matched.has(one))) {
      const key = ofCandidate(candidate)
      const found = key === undefined ? undefined : free.get(key)?.shift()
      if (!found) continue
      matched.set(candidate, found)
      claimed.add(found)
    }
  }
  return matched
}

/** A candidate with the id and slug it has in the catalog, or gets there. */
export interface Assigned {
  candidate: Candidate
  id: number
  slug: string
  /** The skill it updates; undefined for a new one. */
  skill?: CatalogSkill | undefined
}

/** A known skill keeps its id and slug; a new one gets the next that were never given before. */
export const assignSlugs = (
  candidates: readonly Candidate[],
  skills: readonly CatalogSkill[],
  retired: readonly Retired[],
): Assigned[] => {
  const matched = matchSkills(candidates, skills)
  const taken = new Set([...skills, ...retired].map(({ slug }) => slug.toLowerCase()))
  const ids = [...skills.map(({ record }) => record.id), ...retired.map(({ id }) => id)]
  let last = ids.reduce((highest, id) => Math.max(highest, id), 0)
  return candidates.map((candidate) => {
    const skill = matched.get(candidate)
    if (skill) return { candidate, id: skill.record.id, slug: skill.slug, skill }
    last += 1
    const { name, folderName, provenance } = candidate
    const slug = chooseSlug({ name, folderName, author: provenance.author, id: last }, taken)
    taken.add(slug)
    return { candidate, id: last, slug }
  })
}

/** Lists the skills that should be in these sources and are not; one that is there but cannot be read is. */
export const listMissing = (
  sources: readonly ReadSource[],
  skills: readonly CatalogSkill[],
  assigned: readonly Assigned[],
): MissingSkill[] => {
  const claimed = new Set(assigned.map(({ slug }) => slug))
  const traced = sources.flatMap((source) => [...source.traced])
  const locations = new Set(
    traced.flatMap(([, { url }]) => (url === undefined ? [] : [locationKey(url)])),
  )
  const folders = new Set(traced.map(([path]) => slugify(basename(path))))
  return skills
    .filter(({ slug, isCovered }) => isCovered && !claimed.has(slug))
    .filter(({ slug, record: { source } }) =>
      source.kind === 'upstream' ? !locations.has(locationKey(source.url)) : !folders.has(slug),
    )
    .map(({ slug, record: { id, source } }) =>
      source.kind === 'upstream' ? { slug, id, url: source.url } : { slug, id },
    )
}
