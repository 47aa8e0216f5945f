import { isSamplePath } from '../safety/contexts.ts'

/**
 * What a passage of a skill's file is. `sample` is a fence of text or of no stated language: output, a tree of
 * files, Markdown to be written, now and then a command.
 */
type PassageKind = 'prose' | 'sample' | 'shell' | 'code' | 'data'

/** Languages of a fence, and endings of a file, by what they hold; any other is code. */
const LANGUAGES: ReadonlyMap<string, PassageKind> = new Map(
  Object.entries({
    shell: 'sh bash zsh shell powershell ps1 pwsh fish',
    sample:
      'text txt plain plaintext markdown md mdx diff log output mermaid csv console terminal shellsession prompt cmd bat batch',
    data: 'json jsonc json5 yaml yml toml ini env dotenv properties dockerfile docker makefile make hcl xml',
  } satisfies Partial<Record<PassageKind, string>>).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as PassageKind]),
  ),
)

const PROSE_FILE = /\.(?:md|mdx|txt|rst)$/i
const CODE_FILE = /\.(?:py|js|mjs|cjs|jsx|ts|mts|tsx|rb|pl|php|go|rs|java|kt|swift|lua|r|jl|cs)$/i
const SHELL_FILE = /\.(?:sh|bash|zsh|ps1|fish)$/i
const DATA_FILE = /\.(?:json|ya?ml|toml)$/i

/** Texts of licences name hosts that have nothing to do with a skill. */
const LICENCE_FILE = /(?:^|\/)(?:licen[cs]e|copying|notice|third.party)[^/]*$/i

/** Whether a file is Markdown or plain text. */
export const isProse = (path: string): boolean => PROSE_FILE.test(path)

/** Whether a file is a program. */
export const isProgram = (path: string): boolean => SHELL_FILE.test(path) || CODE_FILE.test(path)

/** Whether a file is text of which something can be told. */
export const isReadable = (path: string): boolean =>
  (PROSE_FILE.test(path) || isProgram(path) || DATA_FILE.test(path)) && !LICENCE_FILE.test(path)

const kindOfFile = (path: string): PassageKind => {
  if (SHELL_FILE.test(path)) return 'shell'
  return DATA_FILE.test(path) ? 'data' : 'code'
}

const kindOfFence = (language: string): PassageKind =>
  language === '' ? 'sample' : (LANGUAGES.get(language.toLowerCase()) ?? 'code')

interface TextPassage {
  /** Places in the text, in UTF-16 units. */
  from: number
  to: number
  kind: PassageKind
  /** What introduces it, once it was read. */
  intro?: Above
}

/** A heading below the title. */
interface TextHeading {
  at: number
  text: string
  judged?: Above
}

const [NEWLINE, SPACE] = [10, 32]

/** Calls for every place of a sign in a text. A search for a sign is many times faster than an expression. */
export const eachPlace = (text: string, sign: string, visit: (at: number) => void): void => {
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + sign.length)) visit(at)
}

/** Blanks and quotation marks that may stand before a fence; deeper in a list is no fence of a skill. */
const FENCE_INDENT = 24
const FENCE = /(`{3,}|~{3,})[ \t]{0,9}\{?\.?([\w+#-]{0,40})([^\n]*)/y

/** Whether nothing but blanks, list marks and `>` stands before a place on its line. */
const isAtMargin = (text: string, at: number): boolean => {
  for (let before = at - 1; before >= at - FENCE_INDENT; before -= 1) {
    const sign = text.charAt(before)
    if (sign === '\n' || sign === '') return true
    if (sign !== ' ' && sign !== '\t' && sign !== '>') return false
  }
  return false
}

const listFencePlaces = (text: string): number[] => {
  const places: number[] = []
  let next = 0
  const take = (at: number): void => {
    if (at < next) return
    next = at + 3
    if (isAtMargin(text, at)) places.push(at)
  }
  eachPlace(text, '```', take)
  next = 0
  eachPlace(text, '~~~', take)
  return places.sort((a, b) => a - b)
}

/** Languages of a fence around a whole text. */
const OF_WORDS = /^(?:|text|txt|plain|plaintext|markdown|md|mdx|prompt)$/i
/** Most of a text that may stand outside of a fence around the whole, in parts of it: a title, a sentence. */
const OUTSIDE = 1 / 8
/** What stands above a sample: a heading that is no title, or what calls it one. */
const IS_OF_SAMPLE = /^##|\b(?:templates?|examples?|samples?|outputs?|formats?)\b/im
const FENCE_LINE = /^ {0,3}(`{3,}|~{3,})([^`\n]*)$/m
/** Headings and items that make what a fence holds a text. */
const LINES_OF_TEXT = 3

/**
 * Finds what a fence around nearly the whole of a Markdown text holds: the text itself, which somebody wrapped. Fences
 * inside are taken to be meant so, though a reader of Markdown would end the outer one there.
 */
export const findWrapped = (
  text: string,
): { begin: number; from: number; to: number } | undefined => {
  const start = text.startsWith('---') ? text.indexOf('\n---', 3) + 1 : 0
  const most = (text.length - start) * OUTSIDE
  const begin = text.indexOf('```', start)
  if (begin < 0 || begin - start > most || text.charCodeAt(begin - 1) === SPACE) return undefined
  const rest = text.slice(begin)
  // The first fence of most texts is of code: the others need not be looked for.
  const [line = '', mark = '', language = ''] = FENCE_LINE.exec(rest) ?? []
  if (!OF_WORDS.test(language.trim()) || IS_OF_SAMPLE.test(text.slice(start, begin)))
    return undefined
  const [, ...fences] = rest.matchAll(new RegExp(FENCE_LINE, 'gm'))
  let depth = 1
  const closing = fences.find(([, inner = '', words = '']) => {
    const isBare = words.trim() === ''
    if (inner.startsWith(mark) && isBare) depth -= 1
    else if (inner === mark) depth += 1
    return depth === 0
  })
  const end = begin + (closing?.index ?? text.length)
  const from = begin + line.length
  const outside = begin - start + text.length - end
  const isText = text.slice(from, end).match(/^(?:#{1,4}|[-*]|\d{1,2}\.) \S/gm)
  return closing && outside <= most && (isText?.length ?? 0) >= LINES_OF_TEXT
    ? { begin, from, to: end }
    : undefined
}

/** Splits Markdown at its fences; a fence that is never closed reaches to the end. */
const splitFences = (text: string): TextPassage[] => {
  const passages: TextPassage[] = []
  let from = 0
  const wrapped = findWrapped(text)
  let open: { mark: string; kind: PassageKind } | undefined
  for (const at of listFencePlaces(text)) {
    if (wrapped && (at < wrapped.from || at >= wrapped.to)) continue
    FENCE.lastIndex = at
    const [line, mark = '', language = '', rest = ''] = FENCE.exec(text) ?? ['']
    if (at < from) continue
    // What closes a fence is as long as what opened it and names nothing.
    if (open ? !mark.startsWith(open.mark) || language + rest.trim() !== '' : rest.includes('`'))
      continue
    passages.push({ from, to: at, kind: open?.kind ?? 'prose' })
    from = at + line.length
    open = open ? undefined : { mark, kind: kindOfFence(language) }
  }
  passages.push({ from, to: text.length, kind: open?.kind ?? 'prose' })
  return passages
}

/** The last place of a sorted list whose value is at most the one given; 0 where none is. */
export const findLast = (count: number, valueAt: (at: number) => number, most: number): number => {
  let [low, high] = [0, count - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (valueAt(middle) <= most) low = middle
    else high = middle - 1
  }
  return low
}

/**
 * What a name in a text is for: something to be used, something of a sample or an upgrade, or something that is named
 * to be left alone. The words of the safety scan serve to lower a severity; to drop a name takes narrower ones.
 */
type Mention = 'use' | 'in a sample' | 'in an upgrade' | 'avoid'

/** Characters before and behind a name that are looked at. */
const REACH = 200

/** What a line holds that may set a name aside; the rest is for these alone. */
const MAY_BE_LEFT =
  /\bno[t ]|不支|而不|n['’]t\b|never|avoid|instead|rather|in place|replac|supersede|\bover\b|longer|deprecat|removed|wrong|bad|forbid|prohibit|banned|disallow|e\.g\.|example|instance|would|[禁不避切请例❌✗✘🚫⛔]/iu

/** Where a clause ends; a comma before code or before "or" goes on with a list. */
const CLAUSE_END =
  /(?<!\be\.g|\bi\.e)[.;:!?]["')*]{0,3}\s|[。；！？]|\s\|\s|\s[–—]\s|,\s(?![`*]|(?:or|and|nor)\s)/

/** Orders not to use what follows, in its clause. */
const FORBIDS =
  /(?:^|[^\w])(?:never|avoid(?:ing)?|(?:do|must|should|may) not|(?:do|must|should)n['’]t|禁止|不要|避免|切勿|请勿|不支持|而不是|not\*{0,2} for)(?!\w| (?:forget|skip|omit|hesitate|have|need|want|know|worry|miss|only|just|yet|block|stop|fail|touch)\b)/i
const IS_CONDITION = /\b(?:if|when|unless|until|because|since|whether|so that)\b|如果/i

/** What another thing takes the place of. */
const REPLACED =
  /\b(?:instead of|rather than|in place of|replac(?:es|ing)|supersedes)\b[^,]{0,60}$|(?:^|[^\w])(?:not|over|isn['’]t|no longer)(?: (?:the|to use|use|via|with|through|from|bare|plain|raw))?\s["'(]?[`*$]{0,3}$/i
const IS_DROPPED =
  /^[^`\n]{0,60}[`*"]{0,3}\s?(?:\((?:deprecated|removed|wrong|bad|avoid)\b|(?:is|are|was|were) (?:deprecated|removed|forbidden|prohibited|banned|disallowed|wrong|no longer)\b)/i

/** Marks at the beginning of a line or a cell that call what follows wrong. */
const IS_MARKED = /(?:^|\|)[\s>*+-]{0,12}(?:❌|✗|✘|🚫|⛔)[^|✅✓]*$/u
const COMMENT = /(?:^|\s)(?:#|\/\/|--|<!--|\/\*|::|rem\s)\s{0,3}(\S.{0,80})/i
const SAYS_BAD =
  /^(?:❌|✗|✘|🚫|⛔)|^\W{0,4}(?:bad|wrong|incorrect|avoid|never|do not|do ?n[o']t|don’t|anti-?pattern|not recommended|deprecated|vulnerable|insecure|unsafe)\b(?! (?:forget|skip|have|need))|^\W{0,4}(?:before|old)(?: way)?\W{0,4}$/iu
const ABOVE_BAD =
  /^\W{0,12}(?:❌|🚫|⛔)|^[\s#>*\d.-]{0,12}(?:do not|don['’]?ts?|avoid|never|bad|wrong|incorrect|anti-?patterns?|what not to|forbidden|prohibited|banned|red flags|not recommended|deprecated)\b(?! (?:forget|skip|have|need))|禁止|不要/iu

const OF_SAMPLE =
  /^\W*(?:\d+\W+)?(?:for (?:example|instance)|examples?|samples?|templates?|boilerplates?)\b|(?<![\w/-])(?:examples?|samples?|e\.g\.)\W*$|示例|样例|例如|サンプル|예시/iu
const OF_ATTACK = /\b(?:attacks?|exploit\w{0,6}|malicious|vulnerab\w{1,8})\b/i
const FOR_EXAMPLE = /(?<![\w/-])(?:e\.g\.|for (?:example|instance)|examples?)(?![\w/.-])|例如/i
/** `- **Examples**: ` before a name, or `would be helpful` behind it. */
const LABELLED_EXAMPLE = /^\W*examples?\W*[:：]/i
const IS_IMAGINED = /^[^`\n]{0,60}`[^.`\n]{0,30}\bwould be\b/
const OF_UPGRADE =
  /\b(?:updat(?:e|es|ing)|upgrad\w{1,4}|migrat\w{1,5}|bump\w{0,4}|outdated)\b|升级|迁移/iu
const IS_PINNED =
  /^(?:\w{1,12} ){1,2}(?:i|install|add|upgrade|update)\b[^\n]{0,140}(?:@(?:\d|latest|next)|==\d)/

const LIST_ITEM = /^\s{0,20}(?:[-*+]|\d{1,3}[.)])\s/

/** What a heading or a line that introduces something says of it. */
interface Above {
  isBad: boolean
  isSample: boolean
  isUpgrade: boolean
}

const NOTHING: Above = { isBad: false, isSample: false, isUpgrade: false }

const judgeIntro = (line: string): Above =>
  line === ''
    ? NOTHING
    : {
        isBad: ABOVE_BAD.test(line),
        isSample: OF_SAMPLE.test(line),
        isUpgrade: OF_UPGRADE.test(line),
      }

const IS_COMMENT = /^\s{0,80}(?:#|\/\/|--|<!--|\/\*|::)/

/** The nearest comment of the three lines above a line of code, as far as no blank one lies between. */
const commentAbove = (before: string): string => {
  for (const line of before.split('\n').slice(-4, -1).toReversed()) {
    if (line.trim() === '') break
    if (IS_COMMENT.test(line)) return COMMENT.exec(line)?.[1] ?? ''
  }
  return ''
}

/** Whether a comment on the line of code or above it calls it wrong. */
const isMarkedBad = (before: string, line: string): boolean =>
  SAYS_BAD.test(COMMENT.exec(line)?.[1] ?? '') || SAYS_BAD.test(commentAbove(before))

/**
 * A file's text, which knows of each place what stands above it, whether it is prose, shell or something else, and what
 * a name there is for.
 */
export class PassageReader {
  /** Path below the skill's folder. */
  readonly path: string
  readonly text: string
  readonly isProse: boolean
  readonly passages: readonly TextPassage[]
  readonly #isSample: boolean
  #headings: TextHeading[] | undefined

  constructor(path: string, text: string) {
    this.path = path
    this.text = text
    this.isProse = isProse(path)
    this.passages = this.isProse
      ? splitFences(text)
      : [{ from: 0, to: text.length, kind: kindOfFile(path) }]
    this.#isSample = isSamplePath(path) || /(?:^|\/)(?:templates?|boilerplates?)\//i.test(path)
  }

  #passageAt(offset: number): TextPassage {
    const { passages } = this
    return passages[findLast(passages.length, (at) => passages[at]!.from, offset)]!
  }

  kindAt(offset: number): PassageKind {
    return this.#passageAt(offset).kind
  }

  /** The nearest heading above a place, but the title. */
  headingAt(offset: number): TextHeading | undefined {
    const headings = (this.#headings ??= this.#listHeadings())
    const last = headings[findLast(headings.length, (at) => headings[at]!.at, offset)]
    return last && last.at <= offset ? last : undefined
  }

  #listHeadings(): TextHeading[] {
    const { text } = this
    const headings: TextHeading[] = []
    eachPlace(text, '##', (at) => {
      if ((at > 0 && text.charCodeAt(at - 1) !== NEWLINE) || this.kindAt(at) !== 'prose') return
      headings.push({ at, text: text.slice(at, at + 160).split('\n', 1)[0] ?? '' })
    })
    return headings
  }

  /**
   * Says what the name at a place is for. A variable that must not be printed is in use all the same, and a file is
   * missing wherever it is named, but for the sake of an example.
   */
  judge(at: number, of: 'variable' | 'file' | 'other'): Mention {
    const { text } = this
    const before = text.slice(Math.max(0, at - REACH), at)
    const line = before.slice(before.lastIndexOf('\n') + 1)
    const behind = text.slice(at, at + REACH).split('\n', 1)[0] ?? ''
    if (!this.isProse) {
      if (isMarkedBad(before, line + behind)) return 'avoid'
      return this.#isSample ? 'in a sample' : 'use'
    }
    const passage = this.#passageAt(at)
    const { kind } = passage
    const heading = this.#judgeHeading(at)
    const intro =
      kind === 'prose'
        ? judgeIntro(this.#introOf(at, line))
        : (passage.intro ??= judgeIntro(this.#lineBefore(passage.from)))
    if (heading.isBad || intro.isBad) return 'avoid'
    if (kind === 'prose' && MAY_BE_LEFT.test(line + behind)) {
      if (IS_MARKED.test(line) || IS_DROPPED.test(behind)) return 'avoid'
      const clause = line.split(CLAUSE_END).at(-1) ?? ''
      if (REPLACED.test(clause)) return 'avoid'
      if (of !== 'variable' && FORBIDS.test(clause) && !IS_CONDITION.test(clause)) return 'avoid'
      const isExample = FOR_EXAMPLE.test(clause) || LABELLED_EXAMPLE.test(line)
      if (isExample || IS_IMAGINED.test(behind)) return 'in a sample'
    } else if (kind !== 'prose' && isMarkedBad(before, line + behind)) return 'avoid'
    if (this.#isSample && of !== 'file') return 'in a sample'
    if (kind === 'code' || kind === 'data') return 'in a sample'
    if (kind === 'sample' && of === 'variable') return 'in a sample'
    if (of === 'file') return 'use'
    if (heading.isSample || intro.isSample) return 'in a sample'
    if (!IS_PINNED.test(behind)) return 'use'
    const isUpgrade = heading.isUpgrade || intro.isUpgrade || OF_UPGRADE.test(commentAbove(before))
    return isUpgrade ? 'in an upgrade' : 'use'
  }

  #judgeHeading(at: number): Above {
    const heading = this.headingAt(at)
    if (!heading) return NOTHING
    const { text } = heading
    return (heading.judged ??= {
      ...judgeIntro(text),
      isSample: OF_SAMPLE.test(text) || OF_ATTACK.test(text),
    })
  }

  /** The last line above a place that is not blank. */
  #lineBefore(at: number): string {
    const { text } = this
    return (
      text
        .slice(Math.max(0, at - REACH), at)
        .split('\n')
        .slice(0, -1)
        .findLast((one) => one.trim() !== '') ?? ''
    )
  }

  /** What introduces the list that a place stands in. */
  #introOf(at: number, line: string): string {
    if (!LIST_ITEM.test(line)) return ''
    const above = this.text.slice(Math.max(0, at - line.length - 5 * REACH), at - line.length)
    const intro = above.split('\n').findLast((one) => /^\S/.test(one) && !LIST_ITEM.test(one)) ?? ''
    return intro.trimEnd().endsWith(':') || intro.trimEnd().endsWith('：') ? intro : ''
  }
}
