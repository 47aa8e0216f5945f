import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COPIES_FILE } from '../../../src/catalog/copies.ts'
import { decodeLoosely } from '../../../src/catalog/text.ts'
import { FrontMatterError, splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { SKILL_MD, loadSkill } from '../../../src/catalog/skill-folder.ts'
import { loadSiteContent } from '../../../src/catalog/load.ts'
import type { SiteContent } from '../../../src/catalog/load.ts'
import { ContentError } from '../../../src/catalog/problems.ts'
import { readRecords } from '../store/records.ts'
import type { StoredRecord } from '../store/records.ts'
import type { Member } from './families.ts'

/** A skill with where it lies and how it describes itself. */
export interface Described extends Member {
  slug: string
  description: string
}

/** Its name and description, which an own skill's record may leave to its SKILL.md. */
const describeRecord = (
  content: string,
  { slug, record }: StoredRecord,
): Pick<Described, 'name' | 'description'> => {
  const { name, description } = record
  if (name !== undefined && description !== undefined) return { name, description }
  const { skill, problems } = loadSkill(content, slug, {})
  if (!skill) throw new ContentError(problems)
  return skill
}

const isThere = ({ record: { source } }: StoredRecord): boolean =>
  source.kind === 'own' || source.status === 'alive'

const toMember = (
  content: string,
  stored: StoredRecord,
  counters: SiteContent['counters'],
): Described => {
  const { id, updated } = stored.record
  const { name, description } = describeRecord(content, stored)
  const installs = Object.hasOwn(counters, id) ? (counters[id]?.installs ?? 0) : 0
  return { id, slug: stored.slug, name, description, installs, updated }
}

/** Reads the skills of a content folder that may be listed. Throws ContentError. */
export const readMembers = (content: string): Described[] => {
  const { counters, problems } = loadSiteContent(content)
  // What is wrong with the file itself is mended by writing it anew.
  const others = problems.filter(({ file }) => file !== COPIES_FILE)
  if (others.length > 0) throw new ContentError(others)
  return readRecords(content)
    .records.filter(isThere)
    .map((stored) => toMember(content, stored, counters))
}

const bodyOf = (text: string): string => {
  try {
    return splitSkillMd(text).body
  } catch (error) {
    // A front matter that does not end is compared as the text that it is.
    if (error instanceof FrontMatterError) return text
    throw error
  }
}

/** Gives what is compared of a skill: its description, and its SKILL.md below the front matter. */
export const readFamilyText = (content: string, { slug, description }: Described): string => {
  const path = join(content, 'skills', slug, SKILL_MD)
  if (!existsSync(path)) return description
  return `${description}\n${bodyOf(decodeLoosely(readFileSync(path)))}`
}
