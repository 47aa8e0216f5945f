import type { ListedFiles } from './folder-files.ts'
import {
  FrontMatterError,
  explainRefusal,
  readStartedBy,
  splitLoosely,
  tryFrontMatter,
} from './front-matter.ts'
import type { FrontMatter } from './front-matter.ts'
import { nameLicence } from './licence.ts'
import { collectNeeds } from './needs/needs.ts'
import type { Problem } from './problems.ts'
import { isHeld, judgeFindings, scanSkill } from './safety/scan.ts'
import type { Counters, SkillRecord } from './schema.ts'
import { SKILL_MD } from './skill.ts'
import type { Skill, SkillFile } from './skill.ts'
import { checkSpecification } from './specification.ts'
import { countCharacters, decodeLoosely, stripMarks, summarize } from './text.ts'
import { estimateTokens } from './tokens.ts'
import { listTouches } from './touches.ts'

/** A skill's folder, read from disk. Everything after this needs no disk. */
export interface OpenedSkill extends Pick<ListedFiles, 'files' | 'fingerprints'> {
  slug: string
  folder: string
  problems: Problem[]
  /** The record, if it can be read. */
  record?: SkillRecord | undefined
  /** Bytes of the record and the files, by path. */
  bytes: ReadonlyMap<string, Buffer>
}

export interface Named {
  name: string
  description: string
  /** Undefined if the record has both: then the front matter is not parsed. */
  front: FrontMatter | undefined
}

/** Guesses the difficulty from the length of SKILL.md, for a skill whose record states none. */
const guessDifficulty = (text = ''): Skill['difficulty'] => {
  const length = countCharacters(text)
  if (length >= 16_000) return 'Advanced'
  return length >= 6_000 ? 'Intermediate' : 'Beginner'
}

interface Ingredients extends OpenedSkill {
  record: SkillRecord
  named: Named
  text: string | undefined
  counters: Counters
}

const visibilityOf = ({ source }: SkillRecord): Skill['visibility'] => {
  if (source.kind === 'own') return 'own'
  return source.status === 'gone' ? 'gone' : 'indexable'
}

/** Rounds to two significant digits, so that small edits do not change lists. */
const roundRoughly = (count: number): number => Number(count.toPrecision(2))

const readLicence = (stated: string): Pick<Skill, 'licence' | 'licenceWords'> => {
  if (stated.trim() === '') return {}
  const licence = nameLicence(stated)
  return stated === licence ? { licence } : { licence, licenceWords: stated }
}

/** Largest file that agents read as a whole, in bytes. */
const WHOLE_FILE_LIMIT = 256 * 1024

/** Estimates the tokens of all text files; a file with a NUL is not text. `own` are the tokens of SKILL.md. */
const estimateAll = (
  files: readonly SkillFile[],
  bytes: Ingredients['bytes'],
  own: number,
): number => {
  const tokens = files.map(({ path }) => {
    const content = bytes.get(path)!
    if (content.length > WHOLE_FILE_LIMIT || content.includes(0)) return 0
    return path === SKILL_MD ? own : estimateTokens(decodeLoosely(content))
  })
  return tokens.reduce((sum, count) => sum + count, 0)
}

/** Path of the author's test cases for a skill: `{"evals": […]}`, or only the list. */
const TEST_CASES = 'evals/evals.json'

const countTestCases = (bytes: Ingredients['bytes']): number | undefined => {
  const file = bytes.get(TEST_CASES)
  if (file === undefined || file.length > WHOLE_FILE_LIMIT) return undefined
  try {
    const read: unknown = JSON.parse(decodeLoosely(file))
    const cases = Array.isArray(read) ? read : (read as { evals?: unknown } | null)?.evals
    return Array.isArray(cases) && cases.length > 0 ? cases.length : undefined
  } catch {
    // Not JSON.
    return undefined
  }
}

const LICENCE_FILE = /^(?:licen[cs]e|copying)\b/i

/** Fields that are derived from the files of a skill whose SKILL.md the catalog has. */
const readTextFields = (
  { slug, record: { source }, named, bytes }: Ingredients,
  text: string,
  files: readonly SkillFile[],
) => {
  const read = named.front ?? tryFrontMatter(text)
  const front = read instanceof FrontMatterError ? undefined : read
  const { description: _, when_to_use: whenToUse, ...shown } = front ?? {}
  // The registry chose the folder names of upstream skills, so these need not match.
  const ownFolder = source.kind === 'own' ? slug : undefined
  const isSpecified = front !== undefined && checkSpecification(front, ownFolder).length === 0
  const needs = collectNeeds([slug, named.name], front ?? {}, text, files, (path) =>
    bytes.get(path)!,
  )
  const tokens = estimateTokens(text)
  return {
    tokens: roundRoughly(tokens),
    allTokens: roundRoughly(estimateAll(files, bytes, tokens)),
    breaksSpecification: isSpecified ? undefined : true,
    refusal: explainRefusal(text, read),
    startedBy: readStartedBy(front ?? {}),
    front: shown,
    whenToUse,
    testCases: countTestCases(bytes),
    touches: listTouches(needs),
    missing: needs.missing.length + (needs.more?.missing ?? 0) || undefined,
    language: needs.language,
    statesLicence:
      front?.license !== undefined || files.some(({ path }) => LICENCE_FILE.test(path)),
    needs,
  } satisfies Partial<Skill>
}

export const buildSkill = (from: Ingredients): Skill => {
  const { slug, folder, record, named, text } = from
  const visibility = visibilityOf(record)
  const files = visibility === 'gone' ? [] : from.files
  const read = (path: string): Buffer => from.bytes.get(path)!
  const found = scanSkill({
    files,
    read,
    names: { name: named.name, description: named.description },
    record,
  })
  const findings = found.filter((finding) => finding.severity !== 'note' || isHeld(finding))
  const counted = Object.hasOwn(from.counters, record.id) ? from.counters[record.id] : undefined
  const metadata = {
    ...record,
    slug,
    name: named.name,
    description: named.description,
    ...readLicence(record.licence ?? named.front?.license ?? ''),
    size: roundRoughly(files.reduce((sum, { size }) => sum + size, 0)),
  }
  return {
    ...metadata,
    summary: summarize(
      named.description,
      stripMarks(record.parts?.summary ?? ''),
      splitLoosely(text ?? '').body,
    ),
    views: counted?.views ?? 0,
    installs: counted?.installs ?? 0,
    difficulty: record.difficulty ?? guessDifficulty(text),
    safety: judgeFindings(findings),
    findings,
    visibility,
    ...(text === undefined || files.length === 0 ? {} : readTextFields(from, text, files)),
    parts: record.parts ?? {},
    folder,
    files,
  }
}
