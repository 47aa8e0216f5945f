import { isSamplePath } from '../safety/contexts.ts'
import { isProse } from './passages.ts'
import type { PassageReader, TextHeading, TextPassage } from './passages.ts'

/**
 * What a name in a text is for: something to be used, something of a sample or an upgrade, or something that is named
 * to be left alone. The words of the safety scan serve to lower a severity; to drop a name takes narrower ones.
 */
type Mention = 'use' | 'in a sample' | 'in an upgrade' | 'avoid'

/** Characters before and behind a name that are looked at. */
const REACH = 200

/** What a line holds that may set a name aside; the rest is for these alone. */
const MAY_BE_LEFT =
  /\bno[t ]|不支|而不|n['’]t\b|never|avoid|instead|rather|in place|replac|supersede|\bover\b|longer|deprecat|removed|wrong|bad|forbid|prohibit|banned|disallow|e\.g\.|example|instance|[禁不避切请例❌✗✘🚫⛔]/iu

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

/** Says of each place of a text what a name there is for. */
export class MentionReader {
  readonly #read: PassageReader
  readonly #isSample: boolean
  readonly #isProse: boolean
  readonly #headings = new Map<TextHeading, Above>()
  readonly #fences = new Map<TextPassage, Above>()

  constructor(read: PassageReader) {
    this.#read = read
    this.#isProse = isProse(read.path)
    this.#isSample =
      isSamplePath(read.path) || /(?:^|\/)(?:templates?|boilerplates?)\//i.test(read.path)
  }

  /**
   * A variable that must not be printed is in use all the same, and a file is missing wherever it is named, but for
   * the sake of an example.
   */
  judge(at: number, of: 'variable' | 'file' | 'other'): Mention {
    const { text } = this.#read
    const before = text.slice(Math.max(0, at - REACH), at)
    const line = before.slice(before.lastIndexOf('\n') + 1)
    const behind = text.slice(at, at + REACH).split('\n', 1)[0] ?? ''
    if (!this.#isProse) {
      if (isMarkedBad(before, line + behind)) return 'avoid'
      return this.#isSample ? 'in a sample' : 'use'
    }
    const passage = this.#read.passageAt(at)
    const { kind } = passage
    const heading = this.#judgeHeading(at)
    const intro = kind === 'prose' ? judgeIntro(this.#introOf(at, line)) : this.#judgeFence(passage)
    if (heading.isBad || intro.isBad) return 'avoid'
    if (kind === 'prose' && MAY_BE_LEFT.test(line + behind)) {
      if (IS_MARKED.test(line) || IS_DROPPED.test(behind)) return 'avoid'
      const clause = line.split(CLAUSE_END).at(-1) ?? ''
      if (REPLACED.test(clause)) return 'avoid'
      if (of !== 'variable' && FORBIDS.test(clause) && !IS_CONDITION.test(clause)) return 'avoid'
      if (FOR_EXAMPLE.test(clause)) return 'in a sample'
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
    const heading = this.#read.headingAt(at)
    if (!heading) return NOTHING
    const before = this.#headings.get(heading)
    if (before) return before
    const { text } = heading
    const judged = { ...judgeIntro(text), isSample: OF_SAMPLE.test(text) || OF_ATTACK.test(text) }
    this.#headings.set(heading, judged)
    return judged
  }

  #judgeFence(passage: TextPassage): Above {
    const before = this.#fences.get(passage)
    if (before) return before
    const judged = judgeIntro(this.#lineBefore(passage.from))
    this.#fences.set(passage, judged)
    return judged
  }

  /** The last line above a place that is not blank. */
  #lineBefore(at: number): string {
    const { text } = this.#read
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
    const above = this.#read.text.slice(Math.max(0, at - line.length - 5 * REACH), at - line.length)
    const intro = above.split('\n').findLast((one) => /^\S/.test(one) && !LIST_ITEM.test(one)) ?? ''
    return intro.trimEnd().endsWith(':') || intro.trimEnd().endsWith('：') ? intro : ''
  }
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
