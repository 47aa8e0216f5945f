import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COPIES_FILE } from '../../../src/catalog/references.ts'
import { FrontMatterError, splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { loadSiteContent } from '../../../src/catalog/load.ts'
import { ContentError } from '../../../src/catalog/problems.ts'
import { copyRecords } from '../../../src/catalog/schema.ts'
import type { Copies } from '../../../src/catalog/schema.ts'
import { loadSkill } from '../../../src/catalog/skill-folder.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import { decodeLoosely } from '../../../src/catalog/text.ts'
import { createProgress } from '../../site/progress.ts'
import {
  CONTENT_OPTION,
  JSON_OPTION,
  readContentOption,
  pluralize,
  renderJson,
} from '../cli/command.ts'
import type { Command, Arguments, CommandContext } from '../cli/command.ts'
import { withLock, renderRecord, writeWhole } from '../store/write.ts'
import { readRecords } from '../store/records.ts'
import type { StoredRecord } from '../store/records.ts'
import { findCopies } from './families.ts'
import type { Member } from './families.ts'

interface Described extends Member {
  slug: string
  description: string
}

/** Name and description; the registry's own skills may have them only in SKILL.md. */
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

const isShown = (status: string): boolean => status === 'alive' || status === 'copied'

/** Reads the skills of a content folder that are listed. Throws ContentError. */
const readMembers = (content: string): Described[] => {
  const { counters, problems } = loadSiteContent(content)
  // Problems of copies.json itself are solved by rewriting it.
  const others = problems.filter(({ file }) => file !== COPIES_FILE)
  if (others.length > 0) throw new ContentError(others)
  return readRecords(content)
    .records.filter(({ record: { source } }) => source.kind === 'own' || isShown(source.status))
    .map((stored) => {
      const { id, updated } = stored.record
      const { name, description } = describeRecord(content, stored)
      const installs = counters[id]?.installs ?? 0
      return { id, slug: stored.slug, name, description, installs, updated }
    })
}

const bodyOf = (text: string): string => {
  try {
    return splitSkillMd(text).body
  } catch (error) {
    // An unterminated front matter is compared as text.
    if (error instanceof FrontMatterError) return text
    throw error
  }
}

/** The text to compare: the description, and the SKILL.md without its front matter. */
const readFamilyText = (content: string, { slug, description }: Described): string => {
  const path = join(content, 'skills', slug, SKILL_MD)
  if (!existsSync(path)) return description
  return `${description}\n${bodyOf(decodeLoosely(readFileSync(path)))}`
}

/** An unreadable file counts as empty. */
const parseCopies = (text: string): Copies => {
  try {
    return copyRecords.safeParse(JSON.parse(text)).data ?? {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** Compares the file with the copies that were found, byte by byte; without copies it need not exist. */
const compareCopies = (content: string, copies: ReturnType<typeof findCopies>) => {
  const path = join(content, COPIES_FILE)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  // JavaScript iterates integer keys in ascending order.
  const after: Copies = Object.fromEntries(copies.map(({ id, original }) => [id, original]))
  const isOther = text === undefined ? copies.length > 0 : text !== renderRecord(after)
  return { before: parseCopies(text ?? '{}'), after, isOther }
}

/** A change of the file, by slugs. */
interface CopyLine {
  copy: string
  original: string
}

interface FamiliesReport {
  dryRun: boolean
  content: string
  skills: number
  families: number
  copies: (CopyLine & { overlap: number })[]
  added: CopyLine[]
  removed: CopyLine[]
  written: string[]
}

const renderWriting = ({ dryRun, written, content }: FamiliesReport): string => {
  if (written.length === 0) return `${COPIES_FILE} is already up to date`
  return `${dryRun ? 'would write' : 'wrote'} ${written.join(', ')} in ${content}`
}

const renderFamilies = (report: FamiliesReport): string =>
  [
    ...report.removed.map(({ copy, original }) => `- ${copy} is no longer a copy of ${original}`),
    ...report.added.map(({ copy, original }) => `+ ${copy} is a copy of ${original}`),
    `${pluralize(report.copies.length, 'copy', 'copies')} in ${pluralize(report.families, 'family', 'families')} among ${pluralize(report.skills, 'skill')}; ${renderWriting(report)}`,
  ].join('\n')

const findFamilies = (
  content: string,
  dryRun: boolean,
  stderr: CommandContext['stderr'],
): FamiliesReport => {
  const progress = createProgress(stderr)
  progress.stage('Reading records')
  const members = readMembers(content)
  progress.stage('Comparing texts', members.length)
  const found = findCopies(members, (member) => readFamilyText(content, member), progress.step)
  progress.end()
  const { before, after, isOther } = compareCopies(content, found)
  if (isOther && !dryRun) writeWhole(content, COPIES_FILE, renderRecord(after))
  const slugs = new Map(members.map(({ id, slug }) => [id, slug]))
  const nameSkill = (id: number): string => slugs.get(id) ?? `id ${id}`
  const subtract = (some: Copies, others: Copies): CopyLine[] =>
    Object.entries(some)
      .filter(([copy, original]) => others[copy] !== original)
      .map(([copy, original]) => ({ copy: nameSkill(Number(copy)), original: nameSkill(original) }))
  return {
    dryRun,
    content,
    skills: members.length,
    families: new Set(found.map(({ original }) => original)).size,
    copies: found.map(({ id, original, overlap }) => ({
      copy: nameSkill(id),
      original: nameSkill(original),
      overlap: Math.round(overlap * 100) / 100,
    })),
    added: subtract(after, before),
    removed: subtract(before, after),
    written: isOther ? [COPIES_FILE] : [],
  }
}

const run = async (args: Arguments, { print, stderr }: CommandContext): Promise<void> => {
  const content = readContentOption(args)
  const dryRun = args.switches.has('dry-run')
  const find = async (): Promise<FamiliesReport> => findFamilies(content, dryRun, stderr)
  const report = await (dryRun ? find() : withLock(content, find))
  print(args.switches.has('json') ? renderJson(report) : renderFamilies(report))
}

export const familiesCommand: Command = {
  name: 'families',
  summary: 'Finds skills that are copies, and the original of each family',
  options: {
    ...CONTENT_OPTION,
    'dry-run': { help: 'Shows what would be written, and writes nothing' },
    ...JSON_OPTION,
  },
  help: [
    'Two skills are of one family where description and SKILL.md have the same words, or where they have the same name and share seven tenths of all runs of three words: up to one word in twenty may be another. Marks and case do not count.',
    'The original has the most installs, then the oldest day of change, then the lowest id. The others say on their page that they are a copy of it, and no comparison lists them. Run it again after an import; copies.json changes only where its families do.',
  ],
  run,
}
