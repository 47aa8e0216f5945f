import { hash } from 'node:crypto'
import type { Acceptance, SkillRecord } from '../schema.ts'
import type { Finding, SkillFile } from '../skill.ts'
import { SKILL_MD, RECORD_FILE } from '../skill.ts'
import { listStrings, splitLoosely } from '../front-matter.ts'
import { listSettings, makeRoom } from '../settings.ts'
import { unifyLineEnds } from '../lines.ts'
import { decodeLoosely } from '../text.ts'
import { contextOf, isMention, isWarnedOf } from './contexts.ts'
import { judgeAddresses } from './hosts.ts'
import { quoteLine } from './quote.ts'
import { Commands, PACKED, escapePattern, listCommands } from './opaque.ts'
import type { Budget } from './opaque.ts'
import { SEVERITIES, milder, worse } from './rule.ts'
import { isPlaceholder } from './secrets.ts'
import type {
  FindingSeverity,
  SafetyMatch,
  Place,
  Region,
  SafetyRule,
  SkillNames,
  Surroundings,
} from './rule.ts'
import { NOT_SCANNED, SAFETY_RULES } from './rules.ts'
import {
  IS_REPORTED,
  NOTHING,
  SCANNED_LINE,
  cutLine,
  decodeEscapes,
  hasProgramHead,
  openText,
} from './texts.ts'
import type { TextFile } from './texts.ts'

/** Maximum number of characters that an expression with `span` examines. */
const SPAN_LIMIT = 2_000

/** How many severe findings of one rule in one file are listed separately; all others are merged into one finding. */
const PLACES_PER_RULE = 12

/** Maximum number of matches of one expression on one line that are judged. */
const MATCHES_PER_LINE = 12

const PLACES: Partial<Record<Region, Place>> = {
  script: 'code',
  config: 'code',
  fence: 'code',
  comment: 'comment',
  settings: 'settings',
  file: 'file',
}

/** Places whose rules also count in another place. */
const OTHER_PLACES: Partial<Record<Place, Place>> = { comment: 'prose', settings: 'code' }

const placeOf = (region: Region): Place => PLACES[region] ?? 'prose'

/** A rule's severity in a region; undefined if the rule does not search there. */
const severityIn = ({ in: places }: SafetyRule, region: Region): FindingSeverity | undefined => {
  const place = placeOf(region)
  const other = OTHER_PLACES[place]
  return places[place] ?? (other && places[other])
}

/**
 * Maximum work for one skill: characters times the expressions that examine them. This is ten times the work of the
 * largest of 1,100 real skills, and takes about two seconds.
 */
const BUDGET = 40_000_000

/** A rule with its expressions in global form, which find all matches. */
interface Prepared {
  rule: SafetyRule
  patterns: RegExp[]
}

const prepare = (rule: SafetyRule): Prepared => ({
  rule,
  patterns: rule.match.map((pattern) => new RegExp(pattern, `${pattern.flags}g`)),
})

const FILE_RULES = SAFETY_RULES.filter((rule) => rule.in.file)
const TEXT_RULES = SAFETY_RULES.filter((rule) => !rule.in.file).map(prepare)

const wordsOf = ({ rule }: Prepared): string[] => (rule.words ?? '').toLowerCase().split('|')

/** The rules to run on a line with a keyword, including the rules of shorter keywords inside it. */
const BY_WORD = new Map(
  [...new Set(TEXT_RULES.flatMap(wordsOf))].map((word) => [
    word,
    TEXT_RULES.filter((rule) => wordsOf(rule).some((part) => word.includes(part))),
  ]),
)

/** All keywords, longest first: an alternation of plain words is fast. */
const WORDS = [...BY_WORD.keys()]
  .toSorted((a, b) => b.length - a.length)
  .map(escapePattern)
  .join('|')
const HAS_WORD = new RegExp(WORDS, 'i')
const WORD_HERE = new RegExp(WORDS, 'iy')

/** Adds a character to the two before it, as 7 bits in any case. All characters beyond ASCII count as one. */
const addCharacter = (before: number, code: number): number =>
  ((before << 7) | Math.min(code | 32, 127)) & 0x1fffff

/** For each three characters, 1 if a keyword can start with them. Of 2.0 CPU s for 1,080 skills, this saves .4. */
const STARTS = new Uint8Array(0x200000)
for (const word of BY_WORD.keys()) {
  const codes = word
    .slice(0, 3)
    .split('')
    .map((unit) => unit.charCodeAt(0))
  const free = 7 * (3 - codes.length)
  const start = codes.reduce(addCharacter, 0)
  STARTS.fill(1, start << free, (start + 1) << free)
}

/** Finds the rules to run on each line, by its 0-based number. */
const findLines = (text: string): Map<number, Set<Prepared>> => {
  const found = new Map<number, Set<Prepared>>()
  let line = 0
  let end = text.indexOf('\n')
  let next = addCharacter(addCharacter(0, text.charCodeAt(0)), text.charCodeAt(1))
  for (let at = 0; at < text.length; at += 1) {
    next = addCharacter(next, text.charCodeAt(at + 2))
    if (STARTS[next] === 0) continue
    WORD_HERE.lastIndex = at
    const match = WORD_HERE.exec(text)
    if (!match) continue
    for (; end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line += 1
    const rules = found.get(line) ?? new Set()
    for (const rule of BY_WORD.get(match[0].toLowerCase()) ?? []) rules.add(rule)
    found.set(line, rules)
  }
  return found
}

/** Maximum number of lines that are joined if each continues the line before it, and of their characters. */
const CONTINUED_LINES = 40
const CONTINUED_LENGTH = 2_000

/** Maximum number of further lines that a digest covers: any of them can contain the address of a long command. */
const REST_LINES = 100

/** Whether a sentence of prose goes on in the next line. */
const isWrapped = (line: string, next: string): boolean =>
  line.length > 40 && /^\s{0,8}[\p{L}("'`]/u.test(next)

/** Counts the lines to join: those that continue a line, or else the next line of a wrapped sentence. */
const countContinued = ({ lines, isContinued }: TextFile, line: number): number => {
  const first = lines[line] ?? ''
  if (!isContinued(line)) return isWrapped(first, lines[line + 1] ?? '') ? 2 : 1
  let count = 1
  for (let length = 0; count < CONTINUED_LINES && isContinued(line + count - 1); count += 1) {
    length += lines[line + count]?.length ?? 0
    if (length > CONTINUED_LENGTH) break
  }
  return count
}

const joinContinued = (run: readonly string[]): string =>
  run
    .filter((line, at) => at === 0 || !NOTHING.test(line))
    .map((line, at) => (at === 0 ? line : line.trimStart()))
    .join('\n')
    .replaceAll(/\\?\n/g, ' ')
    .slice(0, SCANNED_LINE)

const BASE64 = /[A-Za-z0-9+/]{32,4000}={0,2}/g

const decodeBase64 = (line: string): string =>
  Array.from(line.matchAll(BASE64), ([text]) =>
    Buffer.from(text, 'base64').toString('latin1'),
  ).join('\n')

/** Lines that a rule examines together, and the text that is made from them. */
interface Examined {
  run: readonly string[]
  text: string
}

/** The lines that most rules examine, starting at a line. */
const examinePlain = (file: TextFile, line: number): Examined => {
  const run = file.lines.slice(line, line + countContinued(file, line))
  return { run, text: joinContinued(run) }
}

/** The lines that a rule with its own span or decoding examines; undefined for other rules. */
const examineOwn = (
  { span, decodes }: SafetyRule,
  lines: readonly string[],
  line: number,
): Examined | undefined => {
  if (decodes) return { run: [lines[line] ?? ''], text: decodeBase64(lines[line] ?? '') }
  if (span === undefined) return undefined
  const run = lines.slice(line, line + span)
  return { run, text: run.join('\n').slice(0, SPAN_LIMIT) }
}

/** The headings above a line and the lines around it, for rules with `near`. */
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
  const text = around.map((line) => line.slice(0, 400)).join('\n')
  return near.match.some((pattern) => pattern.test(text))
}

/** The rest of a command after the examined lines, if it continues them. */
const readRest = ({ lines, isContinued }: TextFile, start: number): readonly string[] => {
  let end = start
  while (end < start + REST_LINES && isContinued(end - 1)) end += 1
  return lines.slice(start, end)
}

const digestOf = (text: string | Uint8Array): string => hash('sha256', text, 'hex')

/** Highest severity that the addresses of a match allow; undefined if they rule out a finding. */
const judgeHosts = ({ hosts }: SafetyRule, text: string): FindingSeverity | undefined =>
  hosts ? hosts[judgeAddresses(text)] : 'high'

/** A finding before its lines are digested. */
type Judgement = Omit<Finding, 'digest'>

const judge = (
  match: SafetyMatch,
  host: FindingSeverity,
  examined: string,
  near: readonly string[],
): Judgement | undefined => {
  const { rule, region, line, start, length } = match
  const base = severityIn(rule, region)
  if (base === undefined || !isNear(rule, near) || isMention(match)) return undefined
  if (rule.isSecret && isPlaceholder(match.text)) return undefined
  const isException = rule.unless?.some((pattern) => pattern.test(examined)) ?? false
  const context = isException
    ? { label: 'a known exception', cap: 'note' as const }
    : contextOf(match)
  const severity = milder(base, host)
  const unlowered = milder(rule.severity, host)
  const place = severity === unlowered ? [] : [`counts less in ${placeOf(region)}`]
  return {
    rule: rule.id,
    severity: milder(severity, context?.cap ?? 'high'),
    held: isWarnedOf(match) ? 'note' : unlowered,
    contexts: [...(context ? [context.label] : []), ...place],
    file: match.path,
    line: line + 1,
    column: start + 1,
    length,
    quote: quoteLine(match.lines[line] ?? '', start),
    count: 1,
  }
}

const severityRank = ({ severity }: Pick<Finding, 'severity'>): number =>
  SEVERITIES.indexOf(severity)

/** Returns the worst match of a rule on a line. With too many matches, `held` is the highest severity of the rule. */
const matchLine = (
  { rule, patterns }: Prepared,
  file: TextFile,
  line: number,
  { run, text: examined }: Examined,
): Finding | undefined => {
  const { path, names, lines } = file
  const first = lines[line] ?? ''
  let near: readonly string[] = []
  let worst: Judgement | undefined
  let held: FindingSeverity = 'note'
  for (const pattern of patterns) {
    // Of 1.3 CPU s for 1,080 skills, this saves .2: `matchAll` copies the expression.
    if (examined.search(pattern) < 0) continue
    const matches = [...examined.matchAll(pattern)]
    for (const found of matches.slice(0, MATCHES_PER_LINE)) {
      const [text] = found
      const start = rule.decodes ? 0 : found.index
      // A match that starts in a later line is found when that line is examined.
      if (start >= Math.max(1, first.length)) break
      const host = judgeHosts(rule, text)
      if (host === undefined) continue
      near = readNear(rule, file, line)
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
      const finding = judge(match, host, examined, near)
      if (!finding) continue
      held = worse(held, matches.length > MATCHES_PER_LINE ? rule.severity : finding.held)
      if (!worst || severityRank(finding) < severityRank(worst)) worst = finding
    }
  }
  if (!worst) return undefined
  const covered = [...run, ...readRest(file, line + run.length), ...near]
  return { ...worst, held, digest: digestOf(covered.join('\n')) }
}

/** Finds the first line of a command, given any of its lines. */
const findStart = ({ isContinued }: TextFile, line: number): number => {
  let start = line
  while (start > line - CONTINUED_LINES && isContinued(start - 1)) start -= 1
  return start
}

const scanLines = (file: TextFile, budget: Budget): Finding[] => {
  const byLine = findLines(file.text)
  if (byLine.size === 0) return []
  const { lines, unread } = file
  for (const [line, rules] of byLine) {
    const start = findStart(file, line)
    if (start < line) byLine.set(start, new Set([...rules, ...(byLine.get(start) ?? [])]))
  }
  const findings: Finding[] = []
  for (const [line, rules] of byLine) {
    const plain = examinePlain(file, line)
    if (budget.left < 0) {
      unread.push({ line, column: 0, text: lines.slice(line).join('\n') })
      break
    }
    for (const prepared of rules) {
      const examined = examineOwn(prepared.rule, lines, line) ?? plain
      budget.left -= examined.text.length * prepared.patterns.length
      const found = matchLine(prepared, file, line, examined)
      if (found) findings.push(found)
    }
  }
  return findings
}

/** Reports the parts of a text that are not scanned, as one finding. */
const reportUnread = ({ path, lines, unread }: TextFile): Finding[] => {
  const [first] = unread
  if (!first) return []
  const { line, column } = first
  return [
    {
      rule: NOT_SCANNED.id,
      severity: NOT_SCANNED.severity,
      held: NOT_SCANNED.severity,
      contexts: [],
      file: path,
      line: line + 1,
      column: column + 1,
      length: 1,
      quote: quoteLine(lines[line] ?? '', column),
      digest: digestOf(unread.map(({ text }) => text).join('\n')),
      count: unread.length,
    },
  ]
}

/** Scans a file of a skill. `readCommands` returns the commands of all its texts. */
const scanFile = (
  path: string,
  bytes: Buffer,
  names: SkillNames,
  readCommands: () => Commands,
  budget: Budget,
): Finding[] => {
  const text = openText(path, bytes, names)
  // A text with the name of an archive also counts as an archive, because a command could unpack it.
  const other =
    text && !PACKED.test(path) ? [] : scanOther(path, bytes, names, readCommands, budget)
  if (!text) return other
  if (!text.unread.every(IS_REPORTED[text.kind]) && !readCommands().use(path, budget))
    text.unread = text.unread.filter(IS_REPORTED[text.kind])
  const ofLines = scanLines(text, budget)
  const decoded = decodeEscapes(text.text)
  const ofDecoded =
    decoded === text.text
      ? []
      : scanLines({ ...text, text: decoded, lines: decoded.split('\n').map(cutLine) }, budget)
  return [
    ...ofLines,
    ...ofDecoded.filter((finding) => !isKnown(finding, ofLines)),
    ...reportUnread(text),
    ...other,
  ]
}

/** Scans a file that is not text: its first bytes, its path, and the commands that name it. */
const scanOther = (
  path: string,
  bytes: Uint8Array,
  names: SkillNames,
  readCommands: () => Commands,
  budget: Budget,
): Finding[] => {
  const rule = FILE_RULES.find(
    ({ match, findsPrograms, findsUsedFiles }) =>
      (findsPrograms && hasProgramHead(bytes)) ||
      (findsUsedFiles && readCommands().use(path, budget)) ||
      match.some((pattern) => pattern.test(path)),
  )
  if (!rule) return []
  const place = { region: 'file', headings: '', intro: '', lines: [], line: 0 } as const
  const found = judge(
    { rule, path, names, ...place, start: 0, length: 1, text: '' },
    'high',
    path,
    [],
  )
  return found ? [{ ...found, digest: digestOf(bytes) }] : []
}

/** Severities that need a human review. */
const SEVERE: ReadonlySet<FindingSeverity> = new Set(['high', 'medium'])

const isSevere = ({ severity }: Finding): boolean => SEVERE.has(severity)

/** Whether a finding needs a human review: it is severe, and no curator has accepted it. */
export const needsReview = (finding: Finding): boolean =>
  finding.accepted === undefined && isSevere(finding)

/** Whether a finding is severe, and a curator has accepted it. */
export const isAcceptedSevere = (finding: Finding): boolean =>
  finding.accepted !== undefined && isSevere(finding)

/** Returns the verdict on a skill's findings. It is never "Safe": no scan can know that. */
export const judgeFindings = (
  findings: readonly Finding[],
): 'Review' | 'Accepted' | 'No findings' => {
  if (findings.some(needsReview)) return 'Review'
  return findings.some(isAcceptedSevere) ? 'Accepted' : 'No findings'
}

/** Whether a finding is severe by the severity that no context lowers. */
export const isHeld = ({ held }: Finding): boolean => SEVERE.has(held)

/** Sorts open findings before accepted ones, and then the most severe first; of equal ones, those that only a context lowers. */
const bySeverity = (a: Finding, b: Finding): number =>
  Number(a.accepted !== undefined) - Number(b.accepted !== undefined) ||
  severityRank(a) - severityRank(b) ||
  SEVERITIES.indexOf(a.held) - SEVERITIES.indexOf(b.held)

/** Merges findings into the first one. The digest covers the lines of all, so a curator accepts all or none. */
const mergeFindings = (found: readonly Finding[]): Finding => {
  const [first] = found
  const digests = [...new Set(found.map(({ digest }) => digest))].sort()
  const digest = digests.length > 1 ? digestOf(digests.join('\n')) : first!.digest
  const held = SEVERITIES.find((severity) => found.some((finding) => finding.held === severity))!
  return { ...first!, held, digest, count: found.length }
}

/**
 * Merges findings of one rule in one file: all minor ones of the same two severities, severe ones with the same digest,
 * and all severe ones beyond PLACES_PER_RULE.
 */
const foldFindings = (findings: readonly Finding[]): Finding[] => {
  const folded = new Map<string, Finding[]>()
  const places = new Map<string, number>()
  for (const finding of findings) {
    const within = `${finding.rule} ${finding.file}`
    const count = places.get(within) ?? 0
    const isApart = isSevere(finding) && count < PLACES_PER_RULE
    const minor = `${finding.severity} ${finding.held}`
    const key = `${within} ${isApart ? finding.digest : isSevere(finding) ? 'more' : minor}`
    const group = folded.get(key)
    if (group) group.push(finding)
    else {
      folded.set(key, [finding])
      if (isSevere(finding)) places.set(within, count + 1)
    }
  }
  return [...folded.values()].map(mergeFindings)
}

interface ScanInput {
  files: readonly SkillFile[]
  read: (path: string) => Buffer
  names: SkillNames
  /** The skill's record: readers see its name and description, even without a SKILL.md. */
  record?: Partial<Pick<SkillRecord, 'name' | 'description' | 'accepted'>> | undefined
}

/** Backslashes and continued lines: such a YAML string can differ from its source lines. */
const CAN_DIFFER = /\\|\n[ \t]+(?![\w"'-]+:|- )\S/

/** Lists the strings of a front matter, but only if one of them can differ from its source lines. */
const readStrings = (text: string): { text: string; line: number }[] => {
  const { block = '' } = splitLoosely(text)
  if (!CAN_DIFFER.test(block)) return []
  const hasWord = block.includes('\\') || HAS_WORD.test(block.replace(/\s+/g, ' '))
  return hasWord ? listStrings(text) : []
}

/** Whether a finding of other lines is on the same line, and at least as severe. */
const isKnown = (finding: Finding, known: readonly Finding[]): boolean =>
  known.some(
    (other) =>
      other.rule === finding.rule &&
      other.file === finding.file &&
      (other.quote.includes(finding.quote) || other.line === finding.line) &&
      severityRank(other) <= severityRank(finding) &&
      worse(other.held, finding.held) === other.held,
  )

/** Scans the parsed strings of a JSON or YAML file. Leaves out findings that its source lines also have. */
const scanStrings = (
  { path, names, region }: Pick<SafetyMatch, 'path' | 'names' | 'region'>,
  strings: readonly { text: string; line: number }[],
  known: readonly Finding[],
  budget: Budget,
): Finding[] => {
  if (strings.length === 0) return []
  const texts = strings.map((string) => unifyLineEnds(string.text))
  const text = texts.join('\n\n')
  const places = texts.flatMap((one, at) => `${one}\n`.split('\n').map(() => strings[at]!.line))
  const lines = text.split('\n').map(cutLine)
  const isContinued = (line: number): boolean => lines[line]?.endsWith('\\') ?? false
  const kind = 'markdown' as const
  const around = (): Surroundings => ({ region, headings: '', intro: '' })
  return scanLines({ path, names, kind, text, lines, isContinued, around, unread: [] }, budget)
    .map((finding) => Object.assign(finding, { line: places[finding.line - 1] ?? 1 }))
    .filter((finding) => !isKnown(finding, known))
}

/** Whether a curator has accepted a finding, and it has not become more severe since. */
const isAccepted = (
  finding: Finding,
  { rule, file, digest, severity = 'high' }: Acceptance,
): boolean =>
  rule === finding.rule &&
  file === finding.file &&
  digest === finding.digest &&
  milder(severity, finding.severity) === finding.severity

/**
 * Scans the files of a skill for places that a human should review. Returns the most severe first. An empty result does
 * not mean that a skill is safe.
 */
export const scanSkill = (input: ScanInput): Finding[] => {
  const { files, read, names, record = {} } = input
  const { accepted = [] } = record
  const budget = { left: BUDGET }
  const room = makeRoom()
  let commands: Commands | undefined
  const readCommands = (): Commands => {
    if (commands) return commands
    const texts = files.map(({ path }) => openText(path, read(path), names))
    const lines = texts.flatMap((text) => (text ? listCommands(text) : []))
    const paths = files.map(({ path }) => path)
    return (commands = new Commands(lines.join('\n'), paths))
  }
  const found = files.flatMap(({ path }) => {
    const ofLines = scanFile(path, read(path), names, readCommands, budget)
    const settings = listSettings(path, () => decodeLoosely(read(path)), room).map(
      // A blank at the end of the first line shows a context that the value goes on.
      ({ key, value, line }) => ({
        text: `${key}: ${unifyLineEnds(value).replace('\n', ' \n')}`,
        line,
      }),
    )
    const place = { path, names, region: 'settings' as const }
    return [...ofLines, ...scanStrings(place, settings, ofLines, budget)]
  })
  const skillMd = files.some(({ path }) => path === SKILL_MD) ? decodeLoosely(read(SKILL_MD)) : ''
  const front = readStrings(skillMd)
  const words = [record.name ?? '', record.description ?? ''].map((text) => ({ text, line: 1 }))
  const region = 'front matter' as const
  const all = [
    ...found,
    ...scanStrings({ path: SKILL_MD, names, region }, front, found, budget),
    ...scanStrings({ path: RECORD_FILE, names, region }, words, found, budget),
  ]
  const folded = foldFindings(all.sort(bySeverity))
  for (const finding of folded) {
    const row = accepted.find((acceptance) => isAccepted(finding, acceptance))
    if (row) {
      const { by, when, why, hosts } = row
      finding.accepted = { by, when, why, ...(hosts && { hosts }) }
    }
  }
  return folded.sort(bySeverity)
}
