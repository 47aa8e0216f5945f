import { hash } from 'node:crypto'
import type { Acceptance } from '../schema.ts'
import type { Finding, SkillFile } from '../skill.ts'
import { decodeLoosely, isAscii } from '../text.ts'
import { contextOf, surveyMarkdown } from './contexts.ts'
import type { Surroundings } from './contexts.ts'
import { judgeAddresses } from './hosts.ts'
import { quoteLine } from './quote.ts'
import { SEVERITIES, milder } from './rule.ts'
import type { FindingSeverity, SafetyMatch, Place, Region, SafetyRule, SkillNames } from './rule.ts'
import { SAFETY_RULES } from './rules.ts'

/** Characters of a line that are scanned. */
const SCANNED_LINE = 20_000

/** Largest text that is scanned, in bytes. */
const SCAN_LIMIT = 1024 * 1024

/** Characters that an expression over several lines is run on. */
const SPAN_LIMIT = 2_000

/** Most findings of one rule in one file that are listed; the others are only counted. */
const PLACES_PER_RULE = 12

/** Most matches of one expression on one line that are judged. */
const MATCHES_PER_LINE = 12

type TextKind = 'markdown' | 'script' | 'config'

const KINDS: readonly (readonly [TextKind, RegExp])[] = [
  ['markdown', /\.(?:mdx?|markdown|mdc|txt|rst|adoc)$/i],
  [
    'script',
    /\.(?:sh|bash|zsh|fish|command|ps1|psm1|bat|cmd|vbs|hta|py|pyw|ipynb|[cm]?[jt]s|[jt]sx|rb|pl|lua|php)$/i,
  ],
  [
    'script',
    /\.(?:go|rs|java|kts?|swift|c|cc|cpp|h|cs|r|scala|applescript|awk|sql|html?|svg|vue|svelte)$|(?:^|\/)[^.]+$/i,
  ],
  [
    'config',
    /\.(?:jsonc?|json5|ya?ml|toml|ini|cfg|conf|env|plist|service|xml|properties|gradle|tf)$/i,
  ],
]

/** Generated lock files: long, and useless to a reader. */
const IS_LOCKFILE = /(?:^|\/)(?:package-lock|npm-shrinkwrap|pnpm-lock|composer\.lock)[\w.]*$/i

const kindOf = (path: string): TextKind | undefined =>
  IS_LOCKFILE.test(path) ? undefined : KINDS.find(([, pattern]) => pattern.test(path))?.[0]

/** First bytes of programs: ELF, Windows, Mach-O in either order and for several processors. */
const PROGRAM_HEAD = /^(?:7f454c46|4d5a|feedfac[ef]|c[ef]faedfe|cafebabe)/

const isProgram = (bytes: Uint8Array): boolean =>
  PROGRAM_HEAD.test(Buffer.from(bytes.subarray(0, 4)).toString('hex'))

const PLACES: Partial<Record<Region, Place>> = {
  script: 'code',
  config: 'code',
  fence: 'code',
  comment: 'comment',
  file: 'file',
}

/** The severity of a rule in a region; undefined where it does not look. */
const severityIn = ({ in: places }: SafetyRule, region: Region): FindingSeverity | undefined => {
  const place = PLACES[region] ?? 'prose'
  return places[place] ?? (place === 'comment' ? places.prose : undefined)
}

/** A rule whose expressions find all their matches. */
interface Prepared {
  rule: SafetyRule
  patterns: RegExp[]
}

const prepare = (rule: SafetyRule): Prepared => ({
  rule,
  patterns: rule.match.map((one) => new RegExp(one, `${one.flags}g`)),
})

const FILE_RULES = SAFETY_RULES.filter((rule) => rule.in.file)
const TEXT_RULES = SAFETY_RULES.filter((rule) => !rule.in.file).map(prepare)

const wordsOf = ({ rule }: Prepared): string[] => (rule.words ?? '').toLowerCase().split('|')

/** The keywords, the longest first, as one expression: an alternation of plain words is fast. */
const joinWords = (words: readonly string[]): RegExp => {
  const sorted = words.toSorted((a, b) => b.length - a.length)
  return new RegExp(sorted.map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'gi')
}

/** The rules to be run on a line with a keyword, those of shorter words in it included. */
const BY_WORD = new Map(
  [...new Set(TEXT_RULES.flatMap(wordsOf))].map((word) => [
    word,
    TEXT_RULES.filter((one) => wordsOf(one).some((part) => word.includes(part))),
  ]),
)
const ALL_WORDS = joinWords([...BY_WORD.keys()])
const ASCII_WORDS = joinWords([...BY_WORD.keys()].filter(isAscii))

/** The rules to be run on each line, by its 0-based number. */
const findLines = (text: string): Map<number, Set<Prepared>> => {
  const words = isAscii(text) ? ASCII_WORDS : ALL_WORDS
  const found = new Map<number, Set<Prepared>>()
  let line = 0
  let end = text.indexOf('\n')
  words.lastIndex = 0
  for (let match = words.exec(text); match; match = words.exec(text)) {
    for (; end >= 0 && end < match.index; end = text.indexOf('\n', end + 1)) line += 1
    const rules = found.get(line) ?? new Set()
    for (const rule of BY_WORD.get(match[0].toLowerCase()) ?? []) rules.add(rule)
    found.set(line, rules)
    words.lastIndex = match.index + 1
  }
  return found
}

/** A text file of a skill. */
interface TextFile {
  path: string
  names: SkillNames
  lines: readonly string[]
  /** What surrounds a line. */
  around: (line: number) => Surroundings
}

const readText = (path: string, text: string, kind: TextKind, names: SkillNames): TextFile => {
  const lines = text
    .split('\n')
    .map((line) => line.slice(0, Math.min(SCANNED_LINE, line.length - Number(line.endsWith('\r')))))
  let survey: Surroundings[] | undefined
  const around = (line: number): Surroundings => {
    if (kind === 'markdown') survey ??= surveyMarkdown(lines)
    return (
      survey?.[line] ?? { region: kind === 'markdown' ? 'prose' : kind, headings: '', intro: '' }
    )
  }
  return { path, names, lines, around }
}

/** The most lines that are examined as one where each continues the one before. */
const CONTINUED_LINES = 4

/** The most lines of a longer command that its digest covers all the same: its address may stand in any. */
const REST_LINES = 100

/** How many lines are examined as one: a line goes on after a backslash, and so does a wrapped sentence. */
const countContinued = (lines: readonly string[], line: number): number => {
  let count = 1
  for (; count < CONTINUED_LINES; count += 1) {
    const last = lines[line + count - 1] ?? ''
    const next = lines[line + count] ?? ''
    const isWrapped = count === 1 && last.length > 40 && /^\s{0,8}[\p{L}("'`]/u.test(next)
    if (!last.endsWith('\\') && !isWrapped) break
  }
  return count
}

const joinContinued = (run: readonly string[]): string =>
  run
    .map((one, at) => (at === 0 ? one : one.trimStart()))
    .join('\n')
    .replaceAll(/\\?\n/g, ' ')
    .slice(0, SCANNED_LINE)

const BASE64 = /[A-Za-z0-9+/]{32,4000}={0,2}/g

const decodeBase64 = (line: string): string =>
  Array.from(line.matchAll(BASE64), ([one]) => Buffer.from(one, 'base64').toString('latin1')).join(
    '\n',
  )

/** The lines that a rule reads together, from one on. */
const readRun = (
  { span = 1, decodes }: SafetyRule,
  lines: readonly string[],
  line: number,
): readonly string[] => {
  const count = decodes || span > 1 ? span : countContinued(lines, line)
  return lines.slice(line, line + count)
}

/** The text of such lines that the expressions of a rule are run on. */
const textOf = ({ span = 1, decodes }: SafetyRule, run: readonly string[]): string => {
  if (decodes) return decodeBase64(run[0] ?? '')
  if (span > 1) return run.join('\n').slice(0, SPAN_LIMIT)
  // A table writes a pipe as its number; the places of what stands around it stay.
  return joinContinued(run).replaceAll('&#124;', '     |')
}

/** The headings above a line and the lines around it, if a rule asks for something near its match. */
const readNear = (
  { near }: SafetyRule,
  { lines, around }: TextFile,
  line: number,
): readonly string[] =>
  near
    ? [around(line).headings, ...lines.slice(Math.max(0, line - near.lines), line + near.lines + 1)]
    : []

const isNear = ({ near }: SafetyRule, around: readonly string[]): boolean => {
  if (!near) return true
  const text = around.map((one) => one.slice(0, 400)).join('\n')
  return near.match.some((one) => one.test(text))
}

/** What goes on after a backslash where the examined lines end. */
const readRest = (lines: readonly string[], start: number): readonly string[] => {
  let end = start
  while (end < start + REST_LINES && lines[end - 1]?.endsWith('\\')) end += 1
  return lines.slice(start, end)
}

const digestOf = (text: string | Uint8Array): string => hash('sha256', text, 'hex').slice(0, 16)

/** A finding before the lines that it rests on are digested. */
type Judgement = Omit<Finding, 'digest'>

const judge = (
  match: SafetyMatch,
  examined: string,
  near: readonly string[],
): Judgement | undefined => {
  const { rule, region, names, line, start, length, text } = match
  const base = severityIn(rule, region)
  const host = rule.hosts ? rule.hosts[judgeAddresses(text, names)] : 'high'
  if (base === undefined || host === undefined || !isNear(rule, near)) return undefined
  const isException = rule.unless?.some((one) => one.test(examined)) ?? false
  const context = isException
    ? { label: 'a known exception', cap: 'note' as const }
    : contextOf(match)
  const plain = milder(base, host)
  const severity = context ? milder(plain, context.cap) : plain
  return {
    rule: rule.id,
    severity,
    contexts: context ? [context.label] : [],
    file: match.path,
    line: line + 1,
    column: start + 1,
    length,
    quote: quoteLine(match.lines[line] ?? '', match, rule.isSecret === true),
    count: 1,
  }
}

const severityRank = ({ severity }: Pick<Finding, 'severity'>): number =>
  SEVERITIES.indexOf(severity)

/** The worst match of a rule on a line. */
const matchLine = (
  { rule, patterns }: Prepared,
  file: TextFile,
  line: number,
): Finding | undefined => {
  const { path, names, lines } = file
  const first = lines[line] ?? ''
  const run = readRun(rule, lines, line)
  const examined = textOf(rule, run)
  const near = readNear(rule, file, line)
  let worst: Judgement | undefined
  for (const pattern of patterns) {
    for (const found of [...examined.matchAll(pattern)].slice(0, MATCHES_PER_LINE)) {
      const [text] = found
      const start = rule.decodes ? 0 : found.index
      // A match that begins in a later line is found when that line is examined.
      if (start > first.length) break
      const length = Math.max(1, Math.min(text.length, first.length - start))
      const match: SafetyMatch = {
        rule,
        path,
        names,
        lines,
        line,
        start,
        length,
        text,
        ...file.around(line),
      }
      const finding = judge(match, examined, near)
      if (finding && (!worst || severityRank(finding) < severityRank(worst))) worst = finding
    }
  }
  if (!worst) return undefined
  const covered = [...run, ...readRest(lines, line + run.length), ...near]
  return { ...worst, digest: digestOf(covered.join('\n')) }
}

const scanText = (path: string, text: string, kind: TextKind, names: SkillNames): Finding[] => {
  const found = findLines(text)
  if (found.size === 0) return []
  const file = readText(path, text, kind, names)
  return [...found].flatMap(([line, rules]) =>
    [...rules].flatMap((one) => matchLine(one, file, line) ?? []),
  )
}

/** Judges a file that is not text by its first bytes and its path. */
const scanOther = (path: string, bytes: Uint8Array, names: SkillNames): Finding[] =>
  FILE_RULES.flatMap((rule) => {
    const isFound = rule.findsPrograms && isProgram(bytes)
    if (!isFound && !rule.match.some((one) => one.test(path))) return []
    const place = { region: 'file', headings: '', intro: '', lines: [], line: 0 } as const
    const match = { rule, path, names, ...place, start: 0, length: 1, text: '' }
    const found = judge(match, path, [])
    return found ? [{ ...found, digest: digestOf(bytes) }] : []
  })

const decode = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return decodeLoosely(bytes)
}

const isSevere = ({ severity }: Finding): boolean => severity === 'high' || severity === 'medium'

/** The findings that determine the verdict: severe ones that no curator has accepted. */
export const needsReview = (finding: Finding): boolean =>
  finding.accepted === undefined && isSevere(finding)

/** Whether a finding needed a human review, and a curator has accepted it. */
export const isAcceptedSevere = (finding: Finding): boolean =>
  finding.accepted !== undefined && isSevere(finding)

/** The verdict on a skill's findings. Never "Safe": no scan can know that. */
export const judgeFindings = (
  findings: readonly Finding[],
): 'Review' | 'Accepted' | 'No findings' => {
  if (findings.some(needsReview)) return 'Review'
  return findings.some(isAcceptedSevere) ? 'Accepted' : 'No findings'
}

const byGravity = (a: Finding, b: Finding): number =>
  Number(a.accepted !== undefined) - Number(b.accepted !== undefined) ||
  severityRank(a) - severityRank(b)

/** Several findings as the first of them. Its digest is of all their lines, so a curator accepts all or none. */
const mergeFindings = (found: readonly Finding[]): Finding => {
  const [first] = found
  const digests = [...new Set(found.map(({ digest }) => digest))].sort()
  const digest = digests.length > 1 ? digestOf(digests.join('\n')) : first!.digest
  return { ...first!, digest, count: found.length }
}

/** Merges minor findings of a rule to one a file, and severe ones to one for each different line, up to a bound. */
const foldFindings = (findings: readonly Finding[]): Finding[] => {
  const folded = new Map<string, Finding[]>()
  const places = new Map<string, number>()
  for (const one of findings) {
    const within = `${one.rule} ${one.file}`
    const count = places.get(within) ?? 0
    const isApart = isSevere(one) && count < PLACES_PER_RULE
    const key = `${within} ${isApart ? one.digest : isSevere(one) ? 'more' : one.severity}`
    const group = folded.get(key)
    if (group) group.push(one)
    else {
      folded.set(key, [one])
      if (isSevere(one)) places.set(within, count + 1)
    }
  }
  return [...folded.values()].map(mergeFindings)
}

/** The files of a skill and its metadata. */
interface ScanInput {
  files: readonly SkillFile[]
  read: (path: string) => Buffer
  names: SkillNames
  accepted?: readonly Acceptance[] | undefined
}

const scanFile = ({ read, names }: ScanInput, { path, size }: SkillFile): Finding[] => {
  const kind = kindOf(path)
  const bytes = read(path)
  if (kind === undefined || (bytes.includes(0) && isProgram(bytes)))
    return scanOther(path, bytes, names)
  return size <= SCAN_LIMIT ? scanText(path, decode(bytes), kind, names) : []
}

/**
 * Scans the files of a skill for what a human should review, the worst first.
 * An empty result does not mean that a skill is safe.
 */
export const scanSkill = (input: ScanInput): Finding[] => {
  const { files, accepted = [] } = input
  const found = files.flatMap((file) => scanFile(input, file)).sort(byGravity)
  const folded = foldFindings(found)
  for (const one of folded) {
    const row = accepted.find(
      ({ rule, file, digest }) => rule === one.rule && file === one.file && digest === one.digest,
    )
    if (row) one.accepted = { by: row.by, when: row.when, why: row.why }
  }
  return folded.sort(byGravity)
}
