import { hash } from 'node:crypto'
import type { Acceptance } from '../schema.ts'
import type { Finding, SkillFile } from '../skill.ts'
import { HIDDEN_CHARACTERS, decodeLoosely, hasHidden } from '../text.ts'
import { isAboutSecurity, putInContext, surveyMarkdown } from './contexts.ts'
import { KeywordFinder } from './keywords.ts'
import { quoteLine } from './quote.ts'
import type { Surroundings } from './contexts.ts'
import { SEVERITIES } from './rule.ts'
import type {
  Judgement,
  Place,
  Region,
  SafetyMatch,
  SafetyRule,
  SkillNames,
  TextFile,
} from './rule.ts'
import { SAFETY_RULES, ruleOf } from './rules.ts'

/** Characters of a line that are scanned. */
export const SCANNED_LINE = 20_000

/** Largest text that is scanned, in bytes. */
const SCAN_LIMIT = 1024 * 1024

/** Most findings of one rule in one file that are listed; the others are only counted. */
const PLACES_PER_RULE = 12

/** Most matches of one rule on one line that are judged. */
const MATCHES_PER_LINE = 12

const finder = new KeywordFinder(
  SAFETY_RULES.flatMap(({ words = '' }, waiting) =>
    words.split('|').flatMap((word) => (word === '' ? [] : [{ word, waiting }])),
  ),
)

const BEYOND_ASCII = SAFETY_RULES.filter(({ beyondAscii }) => beyondAscii)

/** Characters that rules beyond ASCII look for: invisible ones, and lookalikes of Latin letters. */
const MAY_DECEIVE = /[\u0370-\u04FF\uDB40]|[\uFE00-\uFE0E]{3}/

type TextKind = 'markdown' | 'script' | 'config'

const KINDS: readonly (readonly [TextKind, RegExp])[] = [
  ['markdown', /\.(?:mdx?|markdown|mdc|txt|rst|adoc)$/i],
  [
    'script',
    /\.(?:sh|bash|zsh|fish|command|ps1|psm1|bat|cmd|vbs|hta|py|pyw|ipynb|m?[jt]s|cjs|[jt]sx|rb|pl|lua|php|go|rs|java|kts?|swift|c|cc|cpp|h|cs|r|scala|applescript|awk|sql|html?|svg|vue|svelte)$|(?:^|\/)[^.]+$/i,
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

/** Extensions of pictures, fonts, sound and office documents, which are not programs. */
const IS_MEDIA =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|pdf|ttf|otf|woff2?|eot|mp[34]|wav|ogg|webm|mov|docx?|xlsx?|pptx?|csv|tsv|xsd|lock|css|scss|glb|parquet|npy)$/i

const IS_ARCHIVE =
  /\.(?:zip|rar|7z|tar|tgz|gz|bz2|xz|jar|war|apk|deb|rpm|dmg|pkg|iso|cab|whl|vsix|mcpb|skill)$/i

/** First bytes of programs: ELF, Windows, Mach-O in either order and for several processors. */
const PROGRAM_HEADS = [
  '7f454c46',
  '4d5a',
  'feedface',
  'feedfacf',
  'cefaedfe',
  'cffaedfe',
  'cafebabe',
]

const isProgram = (path: string, bytes: Uint8Array): boolean => {
  const head = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  return (
    /\.pyc$/i.test(path) ||
    (PROGRAM_HEADS.some((one) => head.startsWith(one)) && bytes.subarray(0, 4_096).includes(0))
  )
}

const decode = (bytes: Uint8Array): { bytes: Uint8Array; text: () => string } => {
  const isWide =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (!isWide) return { bytes, text: () => decodeLoosely(bytes) }
  const text = new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(bytes)
  return { bytes: Buffer.from(text), text: () => text }
}

/** A lazily parsed file. */
class ScannedText implements TextFile {
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
  readonly names: SkillNames
  readonly #kind: TextKind
  #surroundings: Surroundings[] | undefined

  constructor(path: string, text: string, kind: TextKind, names: SkillNames) {
    this.path = path
    this.text = text
    this.lines = text
      .split('\n')
      .map((line) =>
        line.slice(0, line.endsWith('\r') ? Math.min(line.length - 1, SCANNED_LINE) : SCANNED_LINE),
      )
    this.names = names
    this.#kind = kind
  }

  around(line: number): Surroundings | undefined {
    if (this.#kind !== 'markdown') return undefined
    this.#surroundings ??= surveyMarkdown(this.lines)
    return this.#surroundings[line]
  }

  headingsOf(line: number): string {
    return this.around(line)?.headings ?? ''
  }

  regionOf(line: number): Region {
    return this.#kind === 'markdown' ? (this.around(line)?.region ?? 'prose') : this.#kind
  }
}

/** A position whose region is computed lazily, since that parses the text and most judgements need none. */
class MatchedPlace implements Place {
  readonly file: TextFile
  readonly line: number
  readonly text: string

  constructor(file: TextFile, line: number, text: string) {
    this.file = file
    this.line = line
    this.text = text
  }

  get region(): Region {
    return this.file.regionOf(this.line)
  }
}

/** Sort key of a judgement: 0 is the worst severity, no finding comes last. */
const rankJudgement = (judged: Judgement): number =>
  judged === undefined
    ? SEVERITIES.length
    : SEVERITIES.indexOf(typeof judged === 'string' ? judged : judged[0])

const SPAN_LIMIT = 2_000

/** A line that continues in the next: a command with a backslash, or a wrapped sentence. */
const goesOn = (line: string, next: string, isWrapped: boolean): boolean =>
  line.endsWith('\\') || (isWrapped && line.length > 40 && /^\s{0,8}[\p{L}\p{N}("'`*[]/u.test(next))

/** The text that a rule examines from a line on: the line, its continuation, and more lines if it takes several. */
const joinLines = (
  lines: readonly string[],
  line: number,
  { span = 1, isWrapped = false }: Pick<SafetyRule, 'span' | 'isWrapped'>,
): string => {
  let text = lines[line] ?? ''
  if (span > 1) return [text, ...lines.slice(line + 1, line + span)].join('\n').slice(0, SPAN_LIMIT)
  for (let at = line + 1; at < line + 4; at += 1) {
    const next = lines[at]
    if (next === undefined || !goesOn(text, next, isWrapped && at === line + 1)) break
    text = `${text.replace(/\\$/, '')} ${next.trimStart()}`
  }
  return text
}

/** Runs a rule on a line and returns its worst match. */
const matchLine = (rule: SafetyRule, file: TextFile, line: number): SafetyMatch | undefined => {
  const { pattern, judge } = rule
  if (!pattern) return undefined
  // A table writes a pipe as its number; the places of what stands around it stay.
  const text = joinLines(file.lines, line, rule).replaceAll('&#124;', '     |')
  const first = file.lines[line] ?? ''
  let best: SafetyMatch | undefined
  let bestWeight: number = SEVERITIES.length
  pattern.lastIndex = 0
  for (let count = 0; count < MATCHES_PER_LINE; count += 1) {
    const match = pattern.exec(text)
    // A match that begins in a later line is found when that line is examined.
    if (!match || match.index > first.length) break
    const judged = judge ? judge(match, new MatchedPlace(file, line, text)) : rule.severity
    if (rankJudgement(judged) < bestWeight && judged !== undefined) {
      const [severity, context] = typeof judged === 'string' ? [judged] : judged
      bestWeight = rankJudgement(judged)
      const length = Math.max(1, Math.min(match[0].length, first.length - match.index))
      best = { line, start: match.index, length, severity, context }
      best.lines = 1 + (text === first ? 0 : (match[0].match(/\n/g)?.length ?? 0))
    }
    if (!pattern.global) break
    if (match[0] === '') pattern.lastIndex += 1
  }
  pattern.lastIndex = 0
  return best
}

/** A file during a scan. */
interface Scan {
  file: ScannedText
  isSecurity: boolean
}

const digestLines = (lines: readonly string[], { line, lines: count = 1 }: SafetyMatch): string =>
  hash(
    'sha256',
    lines
      .slice(line, line + count)
      .map((one) => one.trim())
      .join('\n'),
    'hex',
  ).slice(0, 16)

/** Rules about characters that are removed from a shown description. */
const REMOVED_RULES = new Set([
  'bidi-characters',
  'tag-characters',
  'variation-selectors',
  'zero-width-characters',
])

/** Whether a line of the front matter belongs to the description, which may span several lines. */
const isDescription = ({ path, lines }: TextFile, line: number): boolean => {
  if (!/^skill\.md$/i.test(path)) return false
  let at = line
  while (at > 0 && !/^[\w-]{1,60}\s{0,8}:/.test(lines[at] ?? '')) at -= 1
  return /^description\s{0,8}:/.test(lines[at] ?? '')
}

const describe = (
  rule: SafetyRule,
  found: SafetyMatch,
  { file, isSecurity }: Scan,
): Finding | undefined => {
  if (!rule.where.includes(file.regionOf(found.line))) return undefined
  const { severity, contexts } = putInContext(
    rule,
    file,
    found,
    file.around(found.line),
    isSecurity,
  )
  if (
    REMOVED_RULES.has(rule.id) &&
    file.regionOf(found.line) === 'front matter' &&
    isDescription(file, found.line)
  )
    contexts.push('in the description, which pages show without them')
  return {
    rule: rule.id,
    severity,
    contexts,
    file: file.path,
    line: found.line + 1,
    column: found.start + 1,
    length: found.length,
    quote: quoteLine(file.lines[found.line] ?? '', found, rule.isSecret === true),
    digest: digestLines(file.lines, found),
    count: 1,
  }
}

/** Whether a rule examines any region of a kind of text. */
const looksIn = ({ where }: SafetyRule, kind: TextKind): boolean =>
  kind === 'markdown'
    ? where.some((region) => region !== 'script' && region !== 'config')
    : where.includes(kind)

const scanBytes = (
  path: string,
  whole: Uint8Array,
  kind: TextKind,
  names: SkillNames,
): Finding[] => {
  const { bytes, text: decodeWhole } = decode(whole)
  const hits: { rule: SafetyRule; line: number }[] = []
  const isBeyondAscii = finder.find(bytes, (at, line) => {
    hits.push({ rule: SAFETY_RULES[at]!, line })
  })
  if (hits.length === 0 && !isBeyondAscii) return []
  const text = decodeWhole()
  const maySeem = isBeyondAscii && (hasHidden(text) || MAY_DECEIVE.test(text))
  if (hits.length === 0 && !maySeem) return []
  const file = new ScannedText(path, text, kind, names)
  const scan: Scan = { file, isSecurity: isAboutSecurity(names) }
  const found: Finding[] = []
  const add = (rule: SafetyRule, one: SafetyMatch | undefined): void => {
    const finding = one && describe(rule, one, scan)
    if (finding) found.push(finding)
  }
  const searched = new Set<SafetyRule>()
  for (const { rule, line } of hits) {
    if (!looksIn(rule, kind)) continue
    if (!rule.find) add(rule, matchLine(rule, file, line))
    else if (!searched.has(rule)) {
      searched.add(rule)
      for (const one of rule.find(file)) add(rule, one)
    }
  }
  if (maySeem) {
    for (const [line, one] of file.lines.entries()) {
      if (!MAY_DECEIVE.test(one) && !HIDDEN_CHARACTERS.test(one)) continue
      for (const rule of BEYOND_ASCII) add(rule, matchLine(rule, file, line))
    }
  }
  return found
}

const scanOther = (path: string, bytes: Uint8Array): Finding[] => {
  const id = isProgram(path, bytes)
    ? 'executable-file'
    : IS_ARCHIVE.test(path)
      ? 'archive-file'
      : undefined
  if (id === undefined) return []
  const { severity } = ruleOf(id)
  const digest = hash('sha256', bytes, 'hex').slice(0, 16)
  const place = { file: path, line: 1, column: 1, length: 1, quote: '', digest, count: 1 }
  return [{ rule: id, severity, contexts: [], ...place }]
}

const isGrave = ({ severity }: Finding): boolean => severity === 'high' || severity === 'medium'

/** The findings that determine the verdict: severe ones that no curator has accepted. */
export const needsReview = (finding: Finding): boolean =>
  finding.accepted === undefined && isGrave(finding)

/** The verdict on a skill's findings. Never "Safe": no scan can know that. */
export const judgeFindings = (findings: readonly Finding[]): 'Review' | 'No findings' =>
  findings.some(needsReview) ? 'Review' : 'No findings'

/** Merges minor findings of a rule to one a file, and severe ones to one for each different line, up to a bound. */
const foldFindings = (findings: readonly Finding[]): Finding[] => {
  const folded = new Map<string, Finding>()
  const places = new Map<string, number>()
  for (const one of findings) {
    const within = `${one.rule} ${one.file}`
    const isApart = (isGrave(one) && (places.get(within) ?? 0) < PLACES_PER_RULE) || one.accepted
    const key = isApart
      ? `${within} ${one.digest}`
      : `${within} ${isGrave(one) ? 'more' : 'lesser'}`
    const before = folded.get(key)
    if (before) {
      before.count += 1
      continue
    }
    folded.set(key, { ...one })
    if (isGrave(one)) places.set(within, (places.get(within) ?? 0) + 1)
  }
  return [...folded.values()]
}

const byGravity = (a: Finding, b: Finding): number =>
  Number(a.accepted !== undefined) - Number(b.accepted !== undefined) ||
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity)

/** The files of a skill and its metadata. */
interface ScanInput {
  folder: string
  files: readonly SkillFile[]
  read: (folder: string, path: string) => Buffer
  names: SkillNames
  accepted?: readonly Acceptance[] | undefined
}

const scanFile = ({ folder, read, names }: ScanInput, { path, size }: SkillFile): Finding[] => {
  if (IS_MEDIA.test(path)) return []
  const kind = kindOf(path)
  const bytes = read(folder, path)
  if (kind === undefined || isProgram(path, bytes)) return scanOther(path, bytes)
  return size <= SCAN_LIMIT ? scanBytes(path, bytes, kind, names) : []
}

/**
 * Scans the files of a skill for what a human should review, the worst first.
 * An empty result does not mean that a skill is safe.
 */
export const scanSkill = (input: ScanInput): Finding[] => {
  const { files, accepted = [] } = input
  const found = files.flatMap((file) => scanFile(input, file))
  const read = found.map((one): Finding => {
    const row = accepted.find(
      ({ rule, file, digest }) => rule === one.rule && file === one.file && digest === one.digest,
    )
    return row
      ? Object.assign(one, { accepted: { by: row.by, when: row.when, why: row.why } })
      : one
  })
  const folded = foldFindings(read).sort(byGravity)
  return folded.some(isGrave) ? folded : folded.filter(({ rule }) => !ruleOf(rule).isCompanion)
}
