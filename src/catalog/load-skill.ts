import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { showValue } from './characters.ts'
import { decodeLoosely } from './decode.ts'
import { deriveDifficulty } from './difficulty.ts'
import { FrontMatterError, parseFrontMatter } from './front-matter.ts'
import type { FrontMatter } from './front-matter.ts'
import { problemsOf } from './problems.ts'
import type { Problem } from './problems.ts'
import { scanText } from './safety.ts'
import { SLUG_RULE, isSlug, skillRecord } from './schema.ts'
import type { SkillRecord, counterRecords } from './schema.ts'
import { RECORD_FILE, SKILL_MD, listSkillFiles, readSkillFile, takeMark } from './skill-files.ts'
import type { FileMark } from './skill-files.ts'
import type { Finding, Skill, SkillFile } from './skill.ts'
import { synthesizeSkillMd } from './synthesize.ts'

/** A skill, where its record holds, and what is wrong with it. */
export interface LoadedSkill {
  skill?: Skill
  /** How its files and folders looked before they were read. */
  marks: readonly FileMark[]
  problems: Problem[]
}

/** Reads a file of a skill's folder by its path below it. */
export type ReadFile = (folder: string, path: string) => Buffer

type Counters = z.infer<typeof counterRecords>

/** Text files worth scanning; the scan of others would read noise. */
const SCANNED = /\.(?:md|txt|sh|bash|zsh|ps1|py|js|mjs|cjs|ts|rb|pl|json|ya?ml|toml)$/i

/** Largest file that is scanned, in bytes. */
const SCAN_LIMIT = 1024 * 1024

const readRecord = (
  folder: string,
  file: string,
  read: ReadFile,
): { record?: SkillRecord; problems: Problem[] } => {
  if (!existsSync(join(folder, RECORD_FILE))) {
    return { problems: [{ file, field: '', remedy: 'is missing; every skill folder has one' }] }
  }
  let input: unknown
  try {
    input = JSON.parse(read(folder, RECORD_FILE).toString('utf8'))
  } catch (error) {
    return { problems: [{ file, field: '', remedy: `is not JSON: ${(error as Error).message}` }] }
  }
  const checked = skillRecord.safeParse(input)
  return checked.success
    ? { record: checked.data, problems: [] }
    : { problems: problemsOf(file, input, checked.error) }
}

const readMissingFields = (
  record: SkillRecord,
  text: string | undefined,
  label: string,
): { front: FrontMatter; problems: Problem[] } => {
  if (record.name !== undefined && record.description !== undefined) {
    return { front: {}, problems: [] }
  }
  const file = `${label}/${SKILL_MD}`
  const wanted = 'give name and description there, or in skill.json'
  if (text === undefined) {
    return { front: {}, problems: [{ file, field: '', remedy: `is missing; ${wanted}` }] }
  }
  try {
    return { front: parseFrontMatter(text), problems: [] }
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    const remedy = `line ${error.line}: ${error.message}; ${wanted}`
    return { front: {}, problems: [{ file, field: '', remedy }] }
  }
}

const FRONT_FIELDS = skillRecord.pick({ name: true, description: true }).required()

const checkFields = (
  record: SkillRecord,
  front: FrontMatter,
  label: string,
): { name: string; description: string; problems: Problem[] } => {
  const input = {
    name: record.name ?? front.name?.trim(),
    description: record.description ?? front.description?.trim(),
  }
  const checked = FRONT_FIELDS.safeParse(input)
  return checked.success
    ? { ...checked.data, problems: [] }
    : {
        name: '',
        description: '',
        problems: problemsOf(`${label}/${SKILL_MD}`, input, checked.error),
      }
}

/** Scans those files of a skill that are text and not too long. */
export const scanFiles = (folder: string, files: readonly SkillFile[], read: ReadFile): Finding[] =>
  files
    .filter((file) => SCANNED.test(file.path) && file.size <= SCAN_LIMIT)
    .flatMap((file) => scanText(file.path, decodeLoosely(read(folder, file.path))))

/** Says whether the registry shows the files it holds: a gone skill's are synthesized instead. */
const keepsFiles = ({ source }: SkillRecord): boolean =>
  source.kind === 'own' || source.status !== 'gone'

/**
 * Reads and checks one folder of `skills/`; the folder's name is the slug. `read` may remember what
 * it read.
 */
export const loadSkill = (
  content: string,
  slug: string,
  counters: Counters,
  read: ReadFile = (folder, path) => readSkillFile({ folder }, path),
): LoadedSkill => {
  const label = `skills/${slug}`
  const folder = join(content, 'skills', slug)
  if (!isSlug(slug)) {
    const remedy = `the folder's name is the slug: ${SLUG_RULE}`
    return { marks: [], problems: [{ file: `skills/${showValue(slug)}`, field: 'slug', remedy }] }
  }
  const mark = takeMark(folder, RECORD_FILE)
  const listed = listSkillFiles(folder, label)
  const marks = mark ? [mark, ...listed.marks] : listed.marks
  const { record, problems } = readRecord(folder, `${label}/${RECORD_FILE}`, read)
  if (!record) return { marks, problems: [...problems, ...listed.problems] }
  const files = keepsFiles(record) ? listed.files : []
  // A gone skill's file is not shown, but may still be what names it.
  const hasText = listed.files[0]?.path === SKILL_MD
  const text = hasText ? decodeLoosely(read(folder, SKILL_MD)) : undefined
  const { front, problems: unread } = readMissingFields(record, text, label)
  const fields = checkFields(record, front, label)
  const faults = [...problems, ...listed.problems, ...unread]
  if (unread.length === 0) faults.push(...fields.problems)
  if (record.source.kind === 'own' && !hasText) {
    const remedy = 'is missing; a skill of the registry’s own has its text here'
    faults.push({ file: `${label}/${SKILL_MD}`, field: '', remedy })
  }
  if (faults.length > 0) return { marks, problems: faults }
  return {
    skill: buildSkill({ slug, folder, record, files, text, counters, front, read, ...fields }),
    marks,
    problems: [],
  }
}

interface Ingredients {
  slug: string
  folder: string
  record: SkillRecord
  front: FrontMatter
  name: string
  description: string
  files: SkillFile[]
  text: string | undefined
  counters: Counters
  read: ReadFile
}

const buildSkill = (from: Ingredients): Skill => {
  const { record, slug, name, description, folder, files } = from
  const findings = scanFiles(folder, files, from.read)
  const { source } = record
  const counted = Object.hasOwn(from.counters, record.id) ? from.counters[record.id] : undefined
  const metadata = {
    id: record.id,
    slug,
    name,
    author: record.author,
    description,
    category: record.category,
    updated: record.updated,
    licence: record.licence ?? from.front.license,
    source,
  }
  const text = from.text ?? synthesizeSkillMd(metadata)
  return {
    ...metadata,
    views: counted?.views ?? 0,
    installs: counted?.installs ?? 0,
    difficulty: record.difficulty ?? deriveDifficulty(text, files),
    difficultyDerived: record.difficulty === undefined,
    safety: findings.length > 0 ? 'Review' : 'No findings',
    findings,
    visibility: source.kind === 'own' ? 'own' : source.status === 'gone' ? 'gone' : 'indexable',
    parts: record.parts ?? {},
    folder,
    files,
  }
}
