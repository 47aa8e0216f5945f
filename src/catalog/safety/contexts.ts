import { isSampleHost, listAddresses } from './hosts.ts'
import type { FindingSeverity, SafetyMatch, Region, SkillNames, Surroundings } from './rule.ts'

/** Paths of samples and tests. */
const SAMPLE_PATHS: readonly RegExp[] = [
  /(?:^|\/)(?:tests?|__tests__|fixtures?|evals?|evaluations?|examples?|samples?|specs?|testdata|mocks?)\//i,
  /[._-](?:test|spec)\.\w{1,4}$/i,
]

/** Words in headings and sentences that introduce bad examples, or things to look for. */
const WARNINGS: readonly RegExp[] = [
  /\b(?:avoid\w{0,3}|never|bad|wrong|incorrect|do\s?n[o']t|do not|don’t|not to do|unsafe|insecure|dangerous)\b/i,
  /\b(?:vulnerab\w{1,7}|attack\w{0,3}|malicious|malware|exploit\w{0,6}|threats?|injection|backdoors?|payloads?)\b/i,
  /\b(?:red[- ]flags?|anti-?patterns?|forbidden|prohibited|deny|denied|block(?:ed|list)?|suspicious|indicators?)\b/i,
  /\b(?:detect\w{0,6}|(?:look|watch|check|scan|search) for|flag(?:s|ged)?|reject\w{0,4}|refuse|before:)\b|[❌🚫⛔]/iu,
  /禁止|不要|避免|危险|恶意|错误|攻击|漏洞|禁じ|危険|避け|攻撃|脆弱|悪意|悪い例/,
]

/** Words before a match in its sentence that make it harmless. */
const SETS_ASIDE: readonly RegExp[] = [
  /\b(?:avoid\w{0,3}|never|not|no|do\s?n[o']t|don’t|doesn['’]t|must\s?n[o']t|without|instead of|rather than)\b|❌/i,
  /\b(?:detect|flag|look|check|scan|search|block|reject|refuse|prevent|warn|forbid|prohibit|disallow)(?:s|ed|ing)?\b/i,
  /\b(?:den(?:y|ies|ied)|suspicious|malicious|dangerous|adversar\w{2,4}|attack\w{0,4}|attempt\w{0,4}|injection|unsafe|insecure)\b/i,
  /\b(?:red flags?|bad|wrong|if (?:you see|an?|any|the|its|content|text)|e\.g\.|for example|such as|examples?|like)\b/i,
  /禁止|不要|避免|危险|识别|检测|拒绝|例如|如/,
]

/** Words after a match that make it harmless. */
const CONDEMNS =
  /\b(?:dangerous|malicious|red flags?|suspicious|not recommended|forbidden|prohibited|den(?:y|ied)|blocked|rejected)\b/i

const MARKED_BAD =
  /(?:^|\s)(?:#|\/\/|--|\/\*|<!--|\*)\s?[^\n]{0,40}?\b(?:bad|wrong|vulnerable|unsafe|insecure|avoid|never|dangerous)\b|❌/i

const CODE_COMMENT = /^\s{0,80}(?:#(?!!)|\/\/|\*|\/\*|--\s|;\s|rem\s|::)/i

/** A comment behind code. */
const END_COMMENT = /^[^"'`]*\s#\s[^"'`]*$/

/** A setting of a command that prints a text without anything to expand. */
const ONLY_PRINTS = /^[^:]*: echo (?:'[^']*'|"[^"$`\\]*")$/

/** A setting of a command that cannot change anything. */
const ONLY_READS =
  /^[^:]*: (?:date|pwd|whoami|ls|find(?!.* -(?:exec|ok|delete|fprint|fls)))(?: [\w ./~%:+*"'=-]*[^ ])?$/

/** Lines that only print a text, or describe a pattern or an example. */
const PRINTS = [
  /^\s{0,80}(?:echo|printf?|puts|console\.\w{3,5}|log\w{0,6}\.\w{3,8}|write-\w{4,11}|raise|throw|die|warn)\b[^|>]{0,400}$/i,
  /^[\s-]{0,80}["']?(?:message|description|pattern|regex|title|example|input|payload|match|reason)\w{0,8}["']?\s?[:=]/i,
  /\b(?:assert|expect|test|it|deny|block(?:ed)?|forbidden|blacklist|denylist|detect|reject|pattern)\w{0,20}["']?\s?[(:=]/i,
  /\b(?:re\.(?:compile|search|match)|new RegExp|grep|rg|findstr|check[-_]\w{3,12})\b/,
]

/** Words just before a command that tell the reader to run it. */
const ORDER_WORDS =
  /\b(?:run|execut\w{1,3}|install\w{0,3}|paste|use|type|enter|copy|start|launch|via|with|by|command|terminal)\b|[：:]/i

const SECURITY: readonly RegExp[] = [
  /\b(?:pen(?:etration)?[ -]?test|red[ -]?team|security[ -](?:audit|review|scan|test|research)|vulnerabilit|exploit|malware)/i,
  /\b(?:threat[ -](?:model|hunt|intel|detect)|ctf|forensic|(?:prompt|sql|command) injection|jailbreak|owasp|sast|guardrail)/i,
  /\b(?:hardening|incident response|offensive|cyber ?security|attack|phishing|adversar|privilege escalation|bug bount)/i,
]

const anyOf = (patterns: readonly RegExp[], text: string): boolean =>
  patterns.some((pattern) => pattern.test(text))

/** Whether the name or description of a skill says that it is about attacks and defence. */
const isAboutSecurity = ({ name, description }: SkillNames): boolean =>
  anyOf(SECURITY, `${name.replaceAll('-', ' ')} ${description}`)

const lineOf = ({ lines, line }: SafetyMatch): string => lines[line] ?? ''
const before = (match: SafetyMatch): string =>
  lineOf(match).slice(Math.max(0, match.start - 160), match.start)
const after = (match: SafetyMatch): string =>
  lineOf(match)
    .slice(match.start + match.length)
    .slice(0, 160)

/** Texts around a match, which contexts search for their words. */
const AROUND = {
  path: ({ path }) => path,
  headings: ({ headings }) => headings,
  intro: ({ intro }) => intro,
  line: (match) => lineOf(match).slice(0, 400),
  /** The line and the two lines above it. */
  lines: ({ lines, line }) =>
    lines
      .slice(Math.max(0, line - 2), line + 1)
      .map((text) => text.slice(0, 400))
      .join('\n'),
  /** The sentence or table cell, up to the match. */
  before: (match) =>
    before(match)
      .split(match.region === 'table' ? /(?<!`)[.!;]\s|\s\|\s/ : /(?<!`)[.!;]\s/)
      .at(-1) ?? '',
  after,
} as const satisfies Record<string, (match: SafetyMatch) => string>

/** A name without a domain, or in the reader's own network (RFC 6762). A number is an IP address. */
const OWN_NETWORK = /^[a-z][\w-]*$|\.(?:local|internal)$/

const isSampleAddress = ({ rule, text }: SafetyMatch): boolean => {
  const addresses = rule.hosts ? listAddresses(text) : []
  return (
    addresses.length > 0 &&
    addresses.every(({ host }) => OWN_NETWORK.test(host) || isSampleHost(host))
  )
}

const isQuoted = (match: SafetyMatch): boolean =>
  match.rule.group === ORDERS_GROUP &&
  /["“«„「'][^"”»」]{0,60}$/.test(before(match)) &&
  /^[^"“«]{0,60}["”»」']/.test(after(match))

const isInPassing = (match: SafetyMatch): boolean =>
  match.rule.in.code !== undefined &&
  /\w/.test(before(match).replace(/^\s*\d{1,2}[.)]/, '')) &&
  !ORDER_WORDS.test(before(match))

const isLesson = ({ region, path, names }: SafetyMatch): boolean =>
  (['fence', 'table'].includes(region) || path.startsWith('references/')) && isAboutSecurity(names)

/** A context that downgrades a match. */
interface Context {
  label: string
  /** Highest severity of a match in this context; `low` by default, so that the page still shows it. */
  cap?: FindingSeverity
  /** Regions where the context applies; all by default. */
  regions?: readonly Region[]
  /** Also downgrades matches of rules with `ignoresWarnings`. */
  isForAll?: boolean
  /** A text around the match and the words to search it for, or a function. */
  applies: readonly [keyof typeof AROUND, readonly RegExp[]] | ((match: SafetyMatch) => boolean)
}

const CODE_REGIONS: readonly Region[] = ['fence', 'script', 'config']
const PROSE_REGIONS: readonly Region[] = ['prose', 'table', 'front matter']

export const QUOTED = 'in a quotation'
const [STATED, SECURE] = ['stated as something to avoid or detect', 'in a skill about security']

/** The first context that applies counts. */
const CONTEXTS: readonly Context[] = [
  { label: 'in a folder of samples or tests', isForAll: true, applies: ['path', SAMPLE_PATHS] },
  { label: 'under a heading that may warn', isForAll: true, applies: ['headings', WARNINGS] },
  { label: 'a sample address', isForAll: true, applies: isSampleAddress },
  {
    label: 'marked as wrong in a comment',
    regions: CODE_REGIONS,
    isForAll: true,
    applies: ['lines', [MARKED_BAD]],
  },
  {
    label: 'in a code comment',
    regions: CODE_REGIONS,
    isForAll: true,
    applies: ['line', [CODE_COMMENT]],
  },
  {
    label: 'in a code comment',
    regions: CODE_REGIONS,
    isForAll: true,
    applies: ['before', [END_COMMENT]],
  },
  {
    label: 'only prints or reads',
    regions: ['settings'],
    applies: ['line', [ONLY_PRINTS, ONLY_READS]],
  },
  { label: 'printed or searched for, not run', regions: CODE_REGIONS, applies: ['line', PRINTS] },
  { label: 'introduced as something to avoid or detect', applies: ['intro', WARNINGS] },
  { label: STATED, regions: PROSE_REGIONS, applies: ['before', SETS_ASIDE] },
  { label: STATED, regions: PROSE_REGIONS, applies: ['after', [CONDEMNS]] },
  { label: QUOTED, regions: PROSE_REGIONS, isForAll: true, applies: isQuoted },
  { label: 'named in passing', regions: ['prose'], applies: isInPassing },
  { label: SECURE, applies: isLesson },
  { label: 'in a table', regions: ['table'], applies: () => true },
  { label: SECURE, cap: 'medium', applies: ({ names }) => isAboutSecurity(names) },
]

/** Finds the context that downgrades a match; undefined if there is none, as for hidden text. */
export const contextOf = (
  match: SafetyMatch,
): Required<Pick<Context, 'label' | 'cap'>> | undefined => {
  const { region, rule } = match
  if (region === 'comment' || rule.isSecret || rule.group === HIDDEN_GROUP) return undefined
  const found = CONTEXTS.find(({ regions, isForAll = false, applies }) => {
    if (!(regions?.includes(region) ?? true) || (rule.ignoresWarnings && !isForAll)) return false
    if (typeof applies === 'function') return applies(match)
    const [where, words] = applies
    return anyOf(words, AROUND[where](match))
  })
  return found && { cap: 'low', ...found }
}

/** Words just before a command that forbid it. "Do not wait, run" does not match. */
const FORBIDS =
  /\b(?:never|do\s?n[o']t|do not|don’t|must not|should not|avoid)\s(?:ever\s|blindly\s)?(?:run|us|pip|execut|past|includ|writ|suggest|recommend)(?:n?ing|e)?\s(?:(?:the|a|any|raw|untrusted)\s){0,2}[`"'“(*]{0,3}$/i

const isInSentence = ({ region }: SafetyMatch): boolean => PROSE_REGIONS.includes(region)

/** The end of a sentence, just after a command: "Never run it as root" does not forbid it. */
const ENDS = /^[`"'”*)]{0,4}(?:[.!]|\s{0,9}$)/

/** Words after a forbidden command that tell the reader to run it all the same: "twice: run it once". */
const TELLS =
  /\b(?:run|execut|us|past|do|call)(?:e|ing)?\s(?:it|this|that|them|the (?:command|script|line))\b|\b(?:twice|again|once|more than|until|unless|without|before|after|but|except|only|just|instead)\b/i

/** Whether a match has another one inside: "Never use wget. Run `curl … | sh`" forbids only the first word. */
const hasLaterStart = ({ rule, text }: SafetyMatch): boolean =>
  anyOf(rule.match, /\s.*/s.exec(text)?.[0] ?? '')

/** Whether the sentence forbids exactly this command. Only this context counts for a review and for the policy. */
export const isWarnedOf = (match: SafetyMatch): boolean =>
  isInSentence(match) &&
  !match.rule.ignoresWarnings &&
  !match.rule.isSecret &&
  FORBIDS.test(before(match)) &&
  !hasLaterStart(match) &&
  ENDS.test(after(match)) &&
  !TELLS.test(after(match))

/** Whether the sentence only mentions what the rule looks for, or warns of it. */
export const isMention = (match: SafetyMatch): boolean => {
  const { mentions = [] } = match.rule
  return isInSentence(match) && anyOf(mentions, lineOf(match).slice(match.start).slice(0, 160))
}

export const HIDDEN_GROUP = 'Hidden from a reader'
export const ORDERS_GROUP = 'Orders to an assistant'

const FENCE = /^(?:[\s>]|[-*+]\s|\d{1,3}[.)]\s){0,20}(`{3,}|~{3,})\s*([\w+#.-]{0,30})/
const HEADING = /^ {0,3}(#{1,6})\s+(.{1,200})/

/** A link reference definition. No page shows its label or its title, and none shows a second or an unused one. */
const DEFINITION = /^[ >]{0,8}\[(?!\^)[^\]]{1,200}\]:/

/** The title of a definition on a line of its own. */
const TITLE = /^\s{0,20}(?:"[^"]{0,400}"|'[^']{0,400}'|\([^)]{0,400}\))\s{0,20}$/

const YAML_COMMENT = /(?:^|\s)#\s/

const DELIMITER_ROW = /^[\s>]{0,8}\|?\s{0,9}:?-{1,99}:?\s{0,9}(?:\||$)/

/** Inline code, in which `|` is a pipe and not a table border. */
const INLINE_CODE = /`[^`]{1,200}`/g

const countCells = (row: string): number =>
  row
    .replace(INLINE_CODE, '')
    .replaceAll('\\|', '')
    .replace(/^[\s>]*\|?|\|?\s*$/g, '')
    .split('|').length

const LIST_ITEM = /^\s{0,20}(?:[-*+]|\d{1,3}[.)])\s/
const TABLE_ROW = /^\s{0,8}\||\s\|\s[^|]{0,300}\|/

/** Determines the region, headings and introduction of each line of Markdown in one pass. */
export const surveyMarkdown = (lines: readonly string[]): Surroundings[] => {
  const chain: { depth: number; text: string }[] = []
  let headings = ''
  let fence: { mark: string; intro: string } | undefined
  let isComment = false
  let isDefinition = false
  let width = 0
  let isFront = lines[0]?.replace(/^\uFEFF/, '').trimEnd() === '---'
  let intro = ''
  let last = ''
  const place = (region: Region, introduction = ''): Surroundings => ({
    region,
    headings,
    intro: introduction,
  })
  return lines.map((whole, at) => {
    const line = whole.slice(0, 400)
    if (isFront) {
      isFront = at === 0 || !/^(?:---|\.\.\.)\s*$/.test(line)
      return place(YAML_COMMENT.test(line) ? 'comment' : 'front matter')
    }
    const hasFenceMark = line.includes('```') || line.includes('~~~')
    const [opening = '', mark = '', language = ''] = (hasFenceMark && FENCE.exec(line)) || []
    if (fence) {
      const { intro: introduction, mark: opened } = fence
      if (mark.startsWith(opened) && language === '') fence = undefined
      return place('fence', introduction)
    }
    if (isComment) {
      isComment = !whole.includes('-->')
      return place('comment')
    }
    if (mark !== '') {
      fence = { mark, intro: last }
      // No page shows the words after the language.
      return place(/\S/.test(line.slice(opening.length)) ? 'comment' : 'fence', last)
    }
    const start = whole.lastIndexOf('<!--')
    if (start >= 0 && !/`[^`]{0,80}<!--/.test(line)) {
      isComment = !whole.includes('-->', start)
      return place('comment')
    }
    const isTitle = isDefinition && TITLE.test(line)
    isDefinition = DEFINITION.test(line)
    if (isTitle || isDefinition) return place('comment')
    const [, level = '', title = ''] = HEADING.exec(line) ?? []
    if (title !== '') {
      while ((chain.at(-1)?.depth ?? 0) >= level.length) chain.pop()
      if (level.length > 1) chain.push({ depth: level.length, text: title })
      headings = chain.map(({ text }) => text).join(' / ')
      intro = ''
      last = line
      return place('prose')
    }
    if (line.trim() === '') {
      width = 0
      return place('prose')
    }
    const isItem = LIST_ITEM.test(line)
    if (!isItem && /^\S/.test(line)) intro = line
    last = line
    const isRow = line.includes('|') && TABLE_ROW.test(line.replace(INLINE_CODE, ''))
    if (isRow && DELIMITER_ROW.test(line)) width = countCells(line)
    // No page shows cells beyond the width of a table.
    if (isRow && width > 1 && countCells(line) > width) return place('comment')
    return place(isRow ? 'table' : 'prose', isItem || /^\s/.test(line) ? intro : '')
  })
}
