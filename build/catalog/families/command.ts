import { countOf } from '../../../src/catalog/text.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  FrontMatterError,
  splitSkillMd,
  tryFrontMatter,
} from '../../../src/catalog/front-matter.ts'
import type { FrontMatter } from '../../../src/catalog/front-matter.ts'
import { loadSiteContent } from '../../../src/catalog/load.ts'
import { ContentError } from '../../../src/catalog/problems.ts'
import { COPIES_FILE } from '../../../src/catalog/references.ts'
import { copyRecords } from '../../../src/catalog/schema.ts'
import type { Copies } from '../../../src/catalog/schema.ts'
import { createProgress } from '../../machine/progress.ts'
import { CONTENT_OPTION, JSON_OPTION, readContentOption, renderJson } from '../cli/command.ts'
import type { Command, Arguments, CommandContext } from '../cli/command.ts'
import { readRecords, readSkillText } from '../store/records.ts'
import type { StoredRecord } from '../store/records.ts'
import { renderRecord, withLock, writeWhole } from '../store/write.ts'
import { findCopies } from './families.ts'
import type { Member } from './families.ts'

/** Reads a SKILL.md; empty if it is missing. If its front matter is invalid, all of the text counts as its body. */
const readSkillMd = (content: string, slug: string): { front: FrontMatter; body: string } => {
  const text = readSkillText(content, slug) ?? ''
  const front = tryFrontMatter(text)
  return front instanceof FrontMatterError
    ? { front: {}, body: text }
    : { front, body: splitSkillMd(text).body }
}

/** Returns the description followed by SKILL.md without front matter. */
const readFamilyText = (content: string, { slug, record }: StoredRecord): string => {
  const { front, body } = readSkillMd(content, slug)
  return `${record.description ?? front.description ?? ''}\n${body}`
}

/** Whether a skill is listed. */
const isShown = ({ record: { source } }: StoredRecord): boolean =>
  source.kind === 'own' || source.status === 'alive' || source.status === 'copied'

/** Parses copies.json; empty if it is invalid. */
const parseCopies = (text: string): Copies => {
  try {
    return copyRecords.safeParse(JSON.parse(text)).data ?? {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** A row added to or removed from copies.json, with slugs instead of ids. */
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

const findFamilies = (
  content: string,
  dryRun: boolean,
  stderr: CommandContext['stderr'],
): FamiliesReport => {
  const { counters, problems } = loadSiteContent(content)
  // Rewriting copies.json solves its own problems.
  const others = problems.filter(({ file }) => file !== COPIES_FILE)
  if (others.length > 0) throw new ContentError(others)
  const shown = new Map(
    readRecords(content)
      .records.filter(isShown)
      .map((stored) => [stored.record.id, stored]),
  )
  const members = [...shown.values()].map(({ slug, record }): Member => {
    const { id, updated } = record
    const name = record.name ?? readSkillMd(content, slug).front.name ?? ''
    return { id, name, installs: counters[id]?.installs ?? 0, updated }
  })
  const progress = createProgress(stderr)
  progress.stage('Comparing texts', members.length)
  const readText = ({ id }: Member): string => readFamilyText(content, shown.get(id)!)
  const found = findCopies(members, readText, progress.step)
  progress.end()
  const path = join(content, COPIES_FILE)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const before = parseCopies(text ?? '{}')
  // JavaScript iterates integer keys in ascending order.
  const after: Copies = Object.fromEntries(found.map(({ id, original }) => [id, original]))
  const isChanged = text === undefined ? found.length > 0 : text !== renderRecord(after)
  if (isChanged && !dryRun) writeWhole(content, COPIES_FILE, renderRecord(after))
  const nameSkill = (id: number): string => shown.get(id)?.slug ?? `id ${id}`
  const subtract = (copies: Copies, excluded: Copies): CopyLine[] =>
    Object.entries(copies)
      .filter(([copy, original]) => excluded[copy] !== original)
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
    written: isChanged ? [COPIES_FILE] : [],
  }
}

const renderFamilies = (report: FamiliesReport): string => {
  const { dryRun, content, skills, families, copies, added, removed, written } = report
  const sum = `${countOf(copies.length, 'copy', 'copies')} in ${countOf(families, 'family', 'families')}`
  const writing =
    written.length === 0
      ? `${COPIES_FILE} is already up to date`
      : `${dryRun ? 'would write' : 'wrote'} ${COPIES_FILE} in ${content}`
  return [
    ...removed.map(({ copy, original }) => `- ${copy} is no longer a copy of ${original}`),
    ...added.map(({ copy, original }) => `+ ${copy} is a copy of ${original}`),
    `${sum} among ${countOf(skills, 'skill')}; ${writing}`,
  ].join('\n')
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
    'dry-run': { help: 'Shows what would be written, but writes nothing' },
    ...JSON_OPTION,
  },
  help: [
    'Two skills belong to one family if description and SKILL.md have the same words, or if their names are equal and they share seven tenths of all sequences of three words: up to one word in twenty may differ. Punctuation and case do not count.',
    'The original is the skill with the most installs, then the oldest change, then the lowest id.',
    'Pages of the other skills say that they are copies of it, and comparisons leave them out.',
    'Run it again after an import; copies.json changes only if its families change.',
  ],
  run,
}
