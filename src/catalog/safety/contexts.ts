import { SEVERITIES } from './rule.ts'
import type {
  FindingSeverity,
  SafetyMatch,
  SafetyRule,
  SkillNames,
  TextFile,
  Region,
} from './rule.ts'

interface Words {
  test: (text: string) => boolean
}

/**
 * Words in Latin letters and in others. The latter are searched only in texts with such letters: an expression that
 * folds the case of every alphabet takes 5 µs a line, one of Latin words 1.6.
 */
export const inAnyLanguage = (latin: RegExp, others: RegExp): Words => ({
  test: (text) => latin.test(text) || (/[\u0370-\u{2FFFF}]/u.test(text) && others.test(text)),
})

/** Headings about steps before the use of a skill, such as setup. */
const IS_SETUP = inAnyLanguage(
  /\b(?:pre-?requisites?|requirements?|required|set ?up|install\w{0,6}|before (?:you|first|using|anything)|getting (?:started|ready|the)|quick ?start|first (?:run|steps?|time)|dependenc\w{1,3}|activation|preparation|step (?:1|one)|requisitos|instalaci[oó]n|instala[çc][aã]o|antes de|prérequis|voraussetzung\w{0,3}|einrichtung|vorbereitung|requisiti|kurulum|wymagania|instalacja)\b/i,
  /安装|安裝|前置|准备|準備|使用前|前提|インストール|セットアップ|사전|설치|준비|установк|подготовк|требовани|начал/i,
)

/** Whether headings are about steps before the use of a skill. */
export const isSetup = (headings: string): boolean => IS_SETUP.test(headings)

/** Headings and sentences that introduce bad examples, or what to look for. */
const ANNOUNCES_BAD =
  /\b(?:avoid(?:ing)?|never|bad|wrong|incorrect|do\s?n[o']t|do not|don’t|not to do|unsafe|insecure|vulnerab\w{1,10}|attack\w{0,4}|malicious|malware|exploit\w{0,6}|red[- ]flags?|anti-?patterns?|dangerous|threats?|forbidden|prohibited|disallow\w{0,3}|denied|deny|block(?:ed|s|list)?|suspicious|injection|backdoors?|indicators?|detect\w{0,6}|patterns? to (?:look|search|check|find|flag)|look for|watch for|check for|scan for|flag(?:s|ged)?|what not|non-compliant|before:|reject\w{0,4}|refuse)\b|❌|🚫|⛔|禁止|不要|避免|危险|恶意|错误|攻击|漏洞|禁じ|危険|避け|攻撃|脆弱|悪意|悪い例/i

/** Words before a match, in its sentence, that make it harmless. */
const SETS_ASIDE =
  /\b(?:avoid\w{0,3}|never|not|do\s?n[o']t|don’t|doesn['’]t|must\s?n[o']t|without|instead of|rather than|detects?|detecting|flags?|flagged|look(?:s|ing)? for|check(?:s|ing)? for|scan(?:s|ning)? for|search(?:es|ing)? for|blocks?|blocked|blocking|rejects?|refuses?|prevents?|preventing|warn\w{0,4}|deny|denies|denied|forbid\w{0,4}|prohibit\w{0,3}|disallow\w{0,3}|suspicious|malicious|dangerous|attack\w{0,4}|attempts?|attempting|injection|red flags?|unsafe|insecure|vulnerab\w{1,8}|bad|wrong|anti-?pattern|if (?:you see|an?|any|(?:the|its?)\s(?:content|text|page|input|command|script|file|code|output|prompt|request|message|tool)|content|text)|e\.g\.|for example|such as|examples?|like|exclud\w{1,4}|no|❌)\b|❌|禁止|不要|避免|危险|识别|检测|拒绝|例如|如/i

/** Words after a match that make it harmless: what became of it, or what it is. */
const CONDEMNS =
  /\b(?:dangerous|catastrophic|malicious|red flags?|suspicious|never (?:suggest|use|run|do)\w{0,2}|not recommended|forbidden|prohibited)\b|["'\s|](?:deny|denied|DENY|DENIED|BLOCK|BLOCKED|REJECTED)\b|危険|使わない|拒否|拒绝|危险|切勿/u

const MARKED_BAD =
  /(?:^|\s)(?:#|\/\/|--|\/\*|<!--|❌|\*)\s?[^\n]{0,40}?\b(?:bad|wrong|vulnerable|unsafe|insecure|avoid|never|don['’]t|do not|dangerous|incorrect|malicious|anti-?pattern)\b|❌/i

const IS_SECURITY =
  /\b(?:pen(?:etration)?[ -]?test\w{0,4}|red[ -]?team\w{0,3}|security[ -](?:audit|review|scan|test|research|assess|check|analy)\w{0,6}|vulnerabilit(?:y|ies)|exploit\w{0,6}|malware|threat[ -](?:model|hunt|intel|detect)\w{0,6}|ctf|forensic\w{0,1}|(?:prompt|sql|command) injection|jailbreak\w{0,3}|sast|dast|owasp|yara|sigma|secret[ -]scan\w{0,4}|skill[ -](?:vet|audit|scan)\w{0,4}|guardrails?|hardening|incident response|offensive|cyber ?security|attack\w{0,3}|phishing|adversar\w{1,4}|post-?exploitation|lateral movement|privilege escalation|dfir|mitre|sysmon|siem|semgrep|codeql|suricata|blue[ -]?team\w{0,3}|bug bount(?:y|ies)|(?:attack|xss|injection|shell) payloads?|detect\w{0,4} (?:of )?(?:\w{1,14} )?(?:malicious|attacks?|intrusions?|threats?|exfiltration|phishing|persistence))\b/i

const IS_SAMPLE_PATH =
  /(?:^|\/)(?:tests?|__tests__|fixtures?|evals?|evaluations?|examples?|samples?|specs?|testdata|mocks?)(?:\/|$)|[._-](?:test|spec)\.\w{1,4}$/i

/** A text passed to a classifier or check. */
const GIVEN_TO_CHECK =
  /\b\w{0,20}(?:check|safe|valid|assert|expect|detect|scan|deny|denied|block|reject|refuse)\w{0,20}\(\s{0,3}[rbf]?["'`][^"'`]{0,40}$/i

const COMMENT_OF_CODE = /^\s{0,80}(?:#(?!!)|\/\/|\*|\/\*|--\s|<!--|;\s|rem\s|::)/i

const PRINTS =
  /^\s{0,80}(?:echo|printf?|puts|console\.\w{3,5}|log(?:ger|ging)?\.?\w{0,8}|write-(?:host|output|warning|error)|(?:-\s)?["']?(?:message|description|pattern(?:-\w{1,12})?|regex|title|example|input|payload|入力|输入)["']?\s{0,3}:|raise|throw|fail|die|say|info|warn|error)\b\s?\(?[^|;&"'`]{0,40}["'`]/i

/** Whether a file is among samples or tests. */
export const isSamplePath = (path: string): boolean => IS_SAMPLE_PATH.test(path)

/** Whether a line of code is only a comment or prints a text. */
export const isCommentOrOutput = (line: string, start: number, length: number): boolean =>
  COMMENT_OF_CODE.test(line) || isPrinted(line, start, length)

/** Whether a match is in a string of a script, not in its code. */
const isText = (file: TextFile, { line, start, length }: SafetyMatch): boolean => {
  const text = file.lines[line] ?? ''
  return (
    file.regionOf(line) === 'script' &&
    isQuoted(
      text.slice(Math.max(0, start - 120), start),
      text.slice(start + length, start + length + 120),
    )
  )
}

/** Reason given for findings in a skill about attacks or defence. */
export const IN_SECURITY_SKILL = 'in a skill about security'

/** The severity of a finding in its context, with the reasons. */
interface InContext {
  severity: FindingSeverity
  contexts: string[]
}

const atMost = (severity: FindingSeverity, most: FindingSeverity): FindingSeverity =>
  SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(most) ? most : severity

const lessBy = (severity: FindingSeverity, steps: number): FindingSeverity =>
  SEVERITIES[Math.min(SEVERITIES.indexOf(severity) + steps, 2)] ?? 'low'

/** Whether a skill describes itself as being about attacks and defence. */
export const isAboutSecurity = ({ name, description }: SkillNames): boolean =>
  IS_SECURITY.test(name.replaceAll('-', ' ')) || IS_SECURITY.test(description)

const SENTENCE_ENDS = ['. ', '! ', '; ']

/** The sentence of a match, up to the match; in a table that of its cell. */
const sentenceBefore = (line: string, start: number, region: Region): string => {
  const before = line.slice(Math.max(0, start - 160), start)
  const ends = region === 'table' ? [...SENTENCE_ENDS, ' | '] : SENTENCE_ENDS
  const end = Math.max(...ends.map((one) => before.lastIndexOf(one)))
  return end < 0 ? before : before.slice(end + 1)
}

const isQuoted = (before: string, after: string): boolean =>
  /["“«„「'`][^"”»「」]{0,60}$/.test(before) && /^[^"“«]{0,60}["”»」'`]/.test(after)

const isInQuotation = (rule: SafetyRule, line: string, { start, length }: SafetyMatch): boolean => {
  // Backticks in a sentence format a command; they do not quote somebody.
  const clean = (part: string): string =>
    rule.where.includes('script') ? part.replaceAll('`', ' ') : part
  return isQuoted(
    clean(line.slice(Math.max(0, start - 120), start)),
    clean(line.slice(start + length, start + length + 120)),
  )
}

const isPrinted = (line: string, start: number, length: number): boolean => {
  const print = PRINTS.exec(line)
  if (!print) return false
  const quote = print[0].at(-1) ?? ''
  const opened = print[0].length - 1
  if (opened >= start) return false
  const closed = line.indexOf(quote, opened + 1)
  // Text that is piped or written to a file is more than a message.
  return (
    (closed < 0 || closed >= start + length) && !(closed >= 0 && /[|>]/.test(line.slice(closed)))
  )
}

const SPEAKS: ReadonlySet<string> = new Set(['prose', 'front matter', 'table'])

/**
 * Lowers a severity by the context of a finding, and names each reason. It never hides a finding or lowers one
 * that a reader cannot see. `isSpoken` is for rules about sentences, which are harmless when quoted.
 */
export const putInContext = (
  rule: SafetyRule,
  file: TextFile,
  found: SafetyMatch,
  around: Surroundings | undefined,
  isSecurity: boolean,
): InContext => {
  let severity = found.severity ?? rule.severity
  const contexts: string[] = []
  const lower = (name: string, to: FindingSeverity | number): void => {
    contexts.push(name)
    severity = typeof to === 'number' ? lessBy(severity, to) : atMost(severity, to)
  }
  if (found.context !== undefined) contexts.push(found.context)
  const line = file.lines[found.line] ?? ''
  const region = file.regionOf(found.line)
  if (region === 'comment' || rule.group === HIDDEN_GROUP) return { severity, contexts }
  if (isSamplePath(file.path))
    lower('in a folder of samples or tests', isText(file, found) ? 'low' : 1)
  if (around) {
    if (ANNOUNCES_BAD.test(around.headings)) lower('under a warning heading', 'low')
    else if (around.intro !== '' && ANNOUNCES_BAD.test(around.intro) && !rule.isFirm)
      lower('introduced as something to avoid or detect', 'low')
    if (region === 'table' && !rule.isFirm && !isSetup(around.headings)) lower('in a table', 'low')
    if (SPEAKS.has(region) && !rule.isFirm) {
      if (SETS_ASIDE.test(sentenceBefore(line, found.start, region).replace(/“[^”]{0,100}”/g, ' ')))
        lower('stated as something to avoid or detect', 'low')
      else if (rule.group === ORDERS_GROUP && isInQuotation(rule, line, found))
        lower('in a quotation', 'low')
    }
    if (
      region !== 'script' &&
      !rule.isFirm &&
      CONDEMNS.test(line.slice(found.start + found.length).slice(0, 160))
    )
      lower('stated as something to avoid or detect', 'low')
  }
  if (region === 'fence' || region === 'script') {
    const above = [line, file.lines[found.line - 1] ?? '', file.lines[found.line - 2] ?? '']
    if (above.some((one) => MARKED_BAD.test(one.slice(0, 400))))
      lower('marked as wrong in a comment', 'low')
    else if (COMMENT_OF_CODE.test(line)) lower('in a comment of code', 'low')
    else if (isPrinted(line, found.start, found.length)) lower('printed, not run', 'low')
    else if (GIVEN_TO_CHECK.test(line.slice(0, found.start)))
      lower('given to a check, not run', 'low')
  }
  if (isSecurity && rule.isFirm && isInQuotation(rule, line, found)) lower('in a quotation', 'low')
  if (isSecurity && !rule.isFirm && severity !== 'note')
    lower(IN_SECURITY_SKILL, region === 'fence' || file.path.startsWith('references/') ? 'low' : 1)
  return { severity, contexts }
}

export const HIDDEN_GROUP = 'Hidden from a reader'
export const ORDERS_GROUP = 'Orders to an assistant'

/** The context of a line of Markdown. */
export interface Surroundings {
  region: Region
  /** Headings above it except the title, the nearest last. */
  headings: string
  /** The line that introduces its fence or list. */
  intro: string
}

const FENCE = /^(?:[\s>]|[-*+]\s|\d{1,3}[.)]\s){0,20}(`{3,}|~{3,})\s*([\w+#.-]{0,30})/
const HEADING = /^ {0,3}(#{1,6})\s+(.{1,200})/
/** An unused link reference definition, which no page shows. */
export const MARKDOWN_COMMENT = /^ {0,3}\[(?:\/\/|comment|_|#|~)\]:\s{1,3}(?:#|<>|<#>)\s{0,3}["'(]/i

const LIST_ITEM = /^\s{0,20}(?:[-*+]|\d{1,3}[.)])\s/
const TABLE_ROW = /^\s{0,8}\||\s\|\s[^|]{0,300}\|/

/** Inline code, in which `|` is a pipe and not a table border. */
const INLINE_CODE = /`[^`]{1,200}`/g

/** Determines the region and the introduction of each line in one pass. */
export const surveyMarkdown = (lines: readonly string[]): Surroundings[] => {
  const found: Surroundings[] = []
  const chain: { depth: number; text: string }[] = []
  let headings = ''
  /** The open fence and its introduction. */
  let fence: { mark: string; intro: string } | undefined
  let isComment = false
  let intro = ''
  let last = ''
  let isFront = lines[0]?.replace(/^\uFEFF/, '').trimEnd() === '---'
  for (const [at, whole] of lines.entries()) {
    const line = whole.length > 400 ? whole.slice(0, 400) : whole
    const add = (region: Region, by = ''): void => {
      found.push({ region, headings, intro: by })
    }
    if (isFront) {
      add('front matter')
      if (at > 0 && /^(?:---|\.\.\.)\s*$/.test(line)) isFront = false
      continue
    }
    const mayFence = line.includes('```') || line.includes('~~~')
    const opening = mayFence ? FENCE.exec(line) : null
    if (fence) {
      add('fence', fence.intro)
      const mark = opening?.[1] ?? ''
      if (mark.startsWith(fence.mark) && opening?.[2] === '') fence = undefined
      continue
    }
    if (isComment) {
      add('comment')
      if (whole.includes('-->')) isComment = false
      continue
    }
    if (opening) {
      fence = { mark: opening[1] ?? '', intro: last }
      add('fence', last)
      continue
    }
    const start = whole.lastIndexOf('<!--')
    if (start >= 0 && !/`[^`]{0,80}<!--/.test(line)) {
      add('comment')
      isComment = !whole.includes('-->', start)
      continue
    }
    if (line.includes(']: ') && MARKDOWN_COMMENT.test(line)) {
      add('comment')
      continue
    }
    const heading = line.includes('#') ? HEADING.exec(line) : null
    if (heading) {
      const depth = heading[1]?.length ?? 1
      while (chain.length > 0 && chain.at(-1)!.depth >= depth) chain.pop()
      if (depth > 1) chain.push({ depth, text: heading[2] ?? '' })
      headings = chain.map(({ text }) => text).join(' / ')
      intro = ''
      last = line
      add('prose')
      continue
    }
    if (line.trim() !== '') {
      const isItem = LIST_ITEM.test(line)
      if (!isItem && /^\S/.test(line)) intro = line
      last = line
      add(
        line.includes('|') && TABLE_ROW.test(line.replace(INLINE_CODE, '')) ? 'table' : 'prose',
        isItem || /^\s/.test(line) ? intro : '',
      )
    } else add('prose')
  }
  return found
}
