import { join } from 'node:path'
import { buildSkill } from './build-skill.ts'
import type { Named, OpenedSkill } from './build-skill.ts'
import { takeFingerprint } from './fingerprint.ts'
import type { GitBits } from './fingerprint.ts'
import { refuseExcess, listSkillFiles, readSkillFile, readSkillFiles } from './folder-files.ts'
import { FrontMatterError, synthesizeSkillMd, tryFrontMatter } from './front-matter.ts'
import type { FrontMatter } from './front-matter.ts'
import { SKILL_TIME, runEach } from './in-time.ts'
import { listProblems, readPlainFile, readRecord, refuseField, refuseFile } from './problems.ts'
import type { Problem } from './problems.ts'
import { skillRecord } from './schema.ts'
import type { Counters, SkillRecord } from './schema.ts'
import { RECORD_FILE, SKILL_MD } from './skill.ts'
import type { Skill } from './skill.ts'
import { SLUG_RULE, decodeLoosely, isSlug, showValue } from './text.ts'

/** Reads a skill's SKILL.md as in its zip: the author's bytes, or a synthesized file. */
export const readSkillMd = (skill: Skill): Uint8Array =>
  skill.files[0]?.path === SKILL_MD
    ? readSkillFile(skill, SKILL_MD)
    : new TextEncoder().encode(synthesizeSkillMd(skill))

interface LoadedSkill {
  /** Absent if there are problems. */
  skill?: Skill
  problems: Problem[]
}

const NAMED = skillRecord.pick({ name: true, description: true }).required()

/** Reads name and description from the record, or else from SKILL.md. Returns undefined after adding a problem. */
const readNamed = (
  record: SkillRecord,
  text: string | undefined,
  file: string,
  problems: Problem[],
): Named | undefined => {
  const refuseNaming = (reason: string, line = 1): undefined => {
    const remedy = 'write name and description there, or in skill.json'
    problems.push({ ...refuseFile(file, reason, remedy, 'front-matter'), line })
  }
  let front: FrontMatter | undefined
  if (record.name === undefined || record.description === undefined) {
    if (text === undefined) return refuseNaming('is missing')
    const read = tryFrontMatter(text)
    if (read instanceof FrontMatterError)
      return refuseNaming(`line ${read.line}: ${read.message}`, read.line)
    front = read
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

export const NEEDS_RECORD = 'every skill folder needs a record'

/** Reads a folder of `skills/`, whose name is the slug, and the record in it. */
export const openSkill = (content: string, slug: string, bits?: GitBits): OpenedSkill => {
  const label = `skills/${slug}`
  const folder = join(content, 'skills', slug)
  if (!isSlug(slug)) {
    const remedy = `the folder's name is the slug: ${SLUG_RULE}`
    const problems = [refuseField(`skills/${showValue(slug)}`, 'slug', undefined, remedy)]
    return { slug, folder, files: [], fingerprints: [], problems, bytes: new Map() }
  }
  const recordFile = `${label}/${RECORD_FILE}`
  const problems: Problem[] = []
  const fingerprint = takeFingerprint(folder, RECORD_FILE, bits)
  if (!fingerprint) problems.push(refuseFile(recordFile, 'is missing', NEEDS_RECORD))
  const listed = listSkillFiles(folder, label, { bits })
  const excess = refuseExcess(`${label}/`, listed.files)
  const bytes = readSkillFiles(folder, listed.files)
  const readText = (): string => {
    const text = readPlainFile(join(folder, RECORD_FILE))
    bytes.set(RECORD_FILE, text)
    return text.toString('utf8')
  }
  const record = fingerprint && readRecord(recordFile, readText, skillRecord, problems)
  return {
    slug,
    folder,
    files: listed.files,
    fingerprints: [fingerprint ?? [], listed.fingerprints].flat(),
    problems: [...problems, ...listed.problems, ...excess],
    record,
    bytes,
  }
}

/** Makes a skill from its folder. Parses untrusted text, so call it only with a time limit. */
export const makeSkill = (opened: OpenedSkill, counters: Counters = {}): LoadedSkill => {
  const { slug, record, files, bytes } = opened
  const problems = [...opened.problems]
  if (!record) return { problems }
  // If a skill is gone, its SKILL.md is not shown, but can still provide the name.
  const text = files[0]?.path === SKILL_MD ? decodeLoosely(bytes.get(SKILL_MD)!) : undefined
  const file = `skills/${slug}/${SKILL_MD}`
  const named = readNamed(record, text, file, problems)
  if (record.source.kind === 'own' && text === undefined) {
    const remedy = 'one of the registry’s own skills must have its text here'
    problems.push(refuseFile(file, 'is missing', remedy))
  }
  if (!named || problems.length > 0) return { problems }
  return { skill: buildSkill({ ...opened, record, named, text, counters }), problems }
}

const SLOW_REMEDY = 'simplify its SKILL.md and the files beside it, or retire it'

/** Returns the problem for a skill that cannot be read within the time limit. */
export const refuseSlow = (slug: string, fault: string): Problem =>
  refuseFile(`skills/${slug}`, fault, SLOW_REMEDY)

/** Makes a skill from its folder within `limit` milliseconds. `fault` is set if that fails, and says why. */
export const makeSkillInTime = (
  opened: OpenedSkill,
  limit = SKILL_TIME,
  counters: Counters = {},
): LoadedSkill & { fault?: string } => {
  const [made] = runEach(limit, [opened], (folder) => makeSkill(folder, counters))
  if (made && 'result' in made) return made.result
  const fault = made?.fault ?? ''
  return { problems: [...opened.problems, refuseSlow(opened.slug, fault)], fault }
}

/** Reads and checks a folder of `skills/`, whose name is the slug. */
export const loadSkill = (content: string, slug: string, counters?: Counters) =>
  makeSkillInTime(openSkill(content, slug), SKILL_TIME, counters)
