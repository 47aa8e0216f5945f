import { join } from 'node:path'
import { buildSkill } from './build-skill.ts'
import type { Named, ReadFile } from './build-skill.ts'
import { takeFingerprint } from './fingerprint.ts'
import type { Fingerprint } from './fingerprint.ts'
import { findExcess, listSkillFiles, readSkillFile } from './folder-files.ts'
import { FrontMatterError, parseFrontMatter, synthesizeSkillMd } from './front-matter.ts'
import type { FrontMatter } from './front-matter.ts'
import { listProblems, readRecord } from './problems.ts'
import type { Problem } from './problems.ts'
import { skillRecord } from './schema.ts'
import type { Counters, SkillRecord } from './schema.ts'
import { RECORD_FILE, SKILL_MD } from './skill.ts'
import type { Skill } from './skill.ts'
import { SLUG_RULE, decodeLoosely, isSlug, showValue } from './text.ts'

/** Reads the SKILL.md of a skill as in its zip: the author's bytes, or a synthesized file. */
export const readSkillMd = (skill: Skill): Uint8Array =>
  skill.files[0]?.path === SKILL_MD
    ? readSkillFile(skill, SKILL_MD)
    : new TextEncoder().encode(synthesizeSkillMd(skill))

/** The skill is undefined if there are problems. */
interface LoadedSkill {
  skill?: Skill
  /** The record, if it can be read. */
  record?: SkillRecord
  /** Fingerprints of its record, files and folders, taken before they were read. */
  fingerprints: readonly Fingerprint[]
  problems: Problem[]
}

const NAMED = skillRecord.pick({ name: true, description: true }).required()

/** Takes name and description from the record or else from SKILL.md; undefined after a problem. */
const readNamed = (
  record: SkillRecord,
  text: string | undefined,
  file: string,
  problems: Problem[],
): Named | undefined => {
  const refuseNaming = (reason: string): undefined => {
    const remedy = `${reason}; give name and description there, or in skill.json`
    problems.push({ file, field: '', remedy })
  }
  let front: FrontMatter | undefined
  if (record.name === undefined || record.description === undefined) {
    if (text === undefined) return refuseNaming('is missing')
    try {
      front = parseFrontMatter(text)
    } catch (error) {
      if (!(error instanceof FrontMatterError)) throw error
      return refuseNaming(`line ${error.line}: ${error.message}`)
    }
  }
  const input = {
    name: record.name ?? front?.name?.trim(),
    description: record.description ?? front?.description?.trim(),
  }
  const checked = NAMED.safeParse(input)
  if (checked.success) return { ...checked.data, front }
  problems.push(...listProblems(file, input, checked.error))
  return undefined
}

/**
 * Reads and checks one folder of `skills/`, whose name is the slug. `read` may be a caching function.
 */
export const loadSkill = (
  content: string,
  slug: string,
  counters: Counters,
  read: ReadFile = (folder, path) => readSkillFile({ folder }, path),
): LoadedSkill => {
  const label = `skills/${slug}`
  const folder = join(content, 'skills', slug)
  const problems: Problem[] = []
  const refuse = (file: string, field: string, remedy: string): void => {
    problems.push({ file, field, remedy })
  }
  if (!isSlug(slug)) {
    refuse(`skills/${showValue(slug)}`, 'slug', `the folder's name is the slug: ${SLUG_RULE}`)
    return { fingerprints: [], problems }
  }
  const recordFile = `${label}/${RECORD_FILE}`
  const fingerprint = takeFingerprint(folder, RECORD_FILE)
  const listed = listSkillFiles(folder, label)
  if (!fingerprint) {
    refuse(recordFile, '', 'is missing; every skill folder has one')
    return { fingerprints: listed.fingerprints, problems: [...problems, ...listed.problems] }
  }
  const fingerprints = [fingerprint, ...listed.fingerprints]
  const readText = (): string => read(folder, RECORD_FILE).toString('utf8')
  const record = readRecord(recordFile, readText, skillRecord, problems)
  problems.push(...listed.problems)
  for (const excess of findExcess(listed.files)) refuse(`${label}/`, '', excess)
  if (!record) return { fingerprints, problems }
  // The SKILL.md of a skill that is gone is not shown, but may still provide its name.
  const text =
    listed.files[0]?.path === SKILL_MD ? decodeLoosely(read(folder, SKILL_MD)) : undefined
  const skillMd = `${label}/${SKILL_MD}`
  const named = readNamed(record, text, skillMd, problems)
  if (record.source.kind === 'own' && text === undefined) {
    refuse(skillMd, '', 'is missing; a skill of the registry’s own has its text here')
  }
  if (!named || problems.length > 0) return { record, fingerprints, problems }
  const from = { slug, folder, record, named, text, listed: listed.files, counters, read }
  return { skill: buildSkill(from), record, fingerprints, problems }
}
