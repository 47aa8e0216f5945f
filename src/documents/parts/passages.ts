import type { List, PhrasingContent } from 'mdast'
import type { PartName } from '../../catalog/parts.ts'
import { readItems } from '../guest/read.ts'
import type { Block } from '../guest/read.ts'

/** Verbs that tell an assistant or a program what to make or do, split by `|`, as an expression has them. */
export const VERBS =
  'access|ask|add|adapt|adjust|aggregate|align|analy[sz]e|annotate|answer|apply|approve|assemble|assess|assign|attach|audit|author|automate|benchmark|bootstrap|brainstorm|break|build|calculate|call|capture|catalog|categori[sz]e|check|choose|clarify|classify|clean|clone|close|collect|combine|commit|compare|compile|complete|compose|compress|compute|conduct|configure|confirm|connect|consider|consolidate|construct|convert|coordinate|copy|craft|crawl|create|cross-reference|curate|debug|decide|decompose|define|delegate|deliver|deploy|derive|describe|design|detect|determine|develop|diagnose|discover|dispatch|display|distill|divide|document|download|draft|edit|elicit|embed|emit|enable|enhance|enrich|ensure|enumerate|establish|estimate|evaluate|examine|exercise|escalate|execute|expand|explain|explore|export|extend|extract|fetch|fill|filter|finali[sz]e|find|fix|follow|forecast|format|gather|generate|get|group|guide|handle|identify|implement|import|improve|index|infer|initiali[sz]e|inspect|install|instrument|integrate|interpret|interview|inventory|investigate|invoke|iterate|label|launch|lint|list|load|locate|log|look|maintain|make|manage|map|mark|measure|merge|migrate|mock|model|modify|monitor|move|navigate|negotiate|normali[sz]e|offer|open|optimi[sz]e|orchestrate|organi[sz]e|outline|output|package|parse|perform|pick|plan|plot|polish|post|predict|prepare|present|print|prioriti[sz]e|process|produce|probe|prove|profile|prompt|propose|prototype|provide|publish|pull|push|query|rank|read|recommend|reconcile|record|reduce|refactor|refine|register|release|remove|rename|render|replace|reply|report|reproduce|request|research|reset|resolve|respond|restore|restructure|retrieve|return|review|revise|rewrite|run|sanity-check|save|scaffold|scan|schedule|scope|score|search|segment|select|send|set|set up|share|ship|show|simplify|simulate|smoke-test|sketch|sort|specify|split|spawn|stage|standardi[sz]e|start|store|structure|submit|suggest|summari[sz]e|survey|sync|synthesi[sz]e|tag|tailor|take|test|trace|track|train|transcribe|transform|translate|triage|turn|understand|update|upgrade|upload|use|validate|verify|visuali[sz]e|wait|walk|wire|wrap|write|assist|bridge|control|cover|enforce|give|help|include|let|route|streamline|support|teach|containerize|customize|grow|protect|scrape|secure|troubleshoot|externalize|allow|contain|feature|focus|specialize'

/** Verbs that are names of things as well: `test coverage report`. */
export const NOUN_VERBS =
  'access|answer|approach|audit|author|benchmark|break|build|call|catalog|check|clone|commit|copy|crawl|design|dispatch|display|document|draft|edit|estimate|exercise|export|extract|filter|fix|forecast|format|group|guide|import|index|interview|inventory|label|launch|list|load|log|look|map|mark|measure|merge|mock|model|monitor|move|offer|outline|output|package|pick|plan|plot|polish|post|probe|process|profile|prompt|prototype|publish|pull|push|query|rank|record|release|report|request|research|return|review|run|sample|scan|schedule|scope|score|search|segment|set|share|show|sketch|sort|split|stage|start|store|structure|support|survey|sync|tag|test|trace|track|train|transform|turn|update|upgrade|upload|use|walk'

/** A heading or an item that begins with what is to be done. */
export const IS_ORDER = new RegExp(`^(?:${VERBS})(?=[\\s/&,.]|$)`, 'i')

/** What one of them becomes behind `It`: `applies`, `sets up`. */
const toThird = (verb: string): string =>
  verb.replace(/^\S+/, (word) =>
    /[^aeiou]y$/.test(word)
      ? `${word.slice(0, -1)}ies`
      : word + (/(?:[sxz]|[cs]h)$/.test(word) ? 'es' : 's'),
  )

const THIRD = VERBS.split('|').map(toThird).join('|')

/** How a text begins that says what a skill does: `Creates …`, `This skill helps …`, `Expert guidance for …`. */
export const STARTS_WITH_ACTION = new RegExp(
  String.raw`^(?:(?:this (?:[\w-]+ )?|the )(?:skill|guide|agent|command|workflow|plugin|toolkit|package)s?(?: \([^)]*\))? (?:also )?(?:\w+ly )?(?:${THIRD}|help|provide|cover|will|can|does|is (?:a|an|the|your))\b|(?:${THIRD}) (?!(?:are|is|were|have|has|must|should|can|cannot|that|which|of)\b)\S|(?:an? |the )?(?:[\w/-]+[ ,]+(?:and )?){0,4}(?:skill|guide|guidance|guidelines|patterns|toolkit|techniques|strategies|practices|collection|playbook|library|suite|assistant|interface|automation|support|access|integration|generator|analysis|workflow|workflows|instructions|conventions|expertise|reference) (?:for|to|of|on|covering|that|with|across)\b|help \w)`,
  'i',
)

/** How an item or a sentence begins that is a rule for an assistant, and no limit of what it can do. */
export const IS_RULE =
  /^\W*(?:[\p{L} ]{3,30}:\*{0,2} )?(?:(?:you|agents?|the agent|claude) (?:must|should|may)|must|never|always|do not|don['’]t|avoid|ensure|make sure|keep|stay|prefer|be (?:sure|careful)|only (?:use|ask|make|write|edit|run|if|when)|respect|follow|remember|no (?!support)|use |禁止|必须|不要|严禁|切勿|始终|請|请)/iu

/** A place of a SKILL.md that carries a part. */
export interface Passage {
  /** The heading above it; none where it stands before the first. */
  heading?: Block | undefined
  blocks: readonly Block[]
  /** What stands below headings one level down. */
  below: readonly Passage[]
  /** The blocks of the text that `blocks` are single sentences or items of. */
  of?: readonly Block[]
}

export interface FoundPart {
  name: PartName
  passage: Passage
}

/** Characters of a passage that are looked at to judge what it is. */
export const JUDGED_LENGTH = 4_000

export const textOfPassage = (passage: Passage): string => {
  let text = ''
  for (const { raw } of passage.blocks) {
    if (text.length > JUDGED_LENGTH) break
    text += `${raw.slice(0, JUDGED_LENGTH)}\n`
  }
  for (const one of passage.below) {
    if (text.length > JUDGED_LENGTH) break
    text += `${one.heading?.text.slice(0, JUDGED_LENGTH) ?? ''}\n${textOfPassage({ ...one, below: [] })}`
  }
  return text
}

const WORDS = /[\p{L}\p{N}]{3,}/gu

/** Fewer say too little to be told from others. */
const WORDS_AT_LEAST = 4

/** Whether the words of the one are those of the other too, by more than a share of them. */
export const saysSame = (one: string, other: string, share: number): boolean => {
  const words = [...new Set(one.toLowerCase().match(WORDS))]
  const others = new Set(other.toLowerCase().match(WORDS))
  const same = words.filter((word) => others.has(word)).length
  return words.length >= WORDS_AT_LEAST && same > share * words.length
}

/** Characters at the end of a paragraph that are looked at for a colon. */
const END = 40

/** Whether a block only announces what comes next. */
export const introduces = (block: Block | undefined): boolean =>
  block?.type === 'paragraph' && /[:：]\W*$/.test(block.raw.slice(-END))

/** Items of lists, and paragraphs, without their marks. */
export const listWords = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => {
    if (block.type === 'list') return readItems(block).map(({ text }) => text)
    return block.type === 'paragraph' && !/[:：]\s*$/.test(block.raw) ? [block.raw] : []
  })

export const isMostly = (words: readonly string[], pattern: RegExp): boolean =>
  words.length > 0 && words.filter((one) => pattern.test(one)).length * 2 > words.length

/** A heading that is what a user says. */
export const isQuoted = ({ heading }: Passage): boolean =>
  /^\W*["“「『„«]/.test(heading?.text ?? '')

export const plainStart = (raw: string): string => raw.replace(/^[>\s*_#-]+/, '')

/** Keeps some items of a list; undefined where none is left. */
const keepItems = (block: Block, keeps: (text: string) => boolean): Block | undefined => {
  if (block.node?.type !== 'list') return keeps(block.raw) ? block : undefined
  const items = readItems(block)
  return keepSome(block, block.node, (_, at) => keeps(items[at]?.text ?? ''))
}

const keepSome = (
  block: Block,
  list: List,
  keeps: (item: unknown, at: number) => boolean,
): Block | undefined => {
  const children = list.children.filter(keeps)
  if (children.length === list.children.length) return block
  const some: List = { ...list, ordered: false, children }
  return children.length > 0 ? { ...block, node: some } : undefined
}

export const keepWords = (passage: Passage, keeps: (text: string) => boolean): Passage => ({
  ...passage,
  blocks: passage.blocks.flatMap((block) => keepItems(block, keeps) ?? []),
})

const AT_END = /[\s>]{1,9}$/
const SENTENCE_END = /[.!?]["'”’)*_]{0,3}\s+(?=[^\sa-z])|[。！？]|$/g

/** Cuts the words between two offsets out of a paragraph; undefined where an end lies inside of one of them. */
const cutWords = (
  words: readonly PhrasingContent[],
  from: number,
  to: number,
): PhrasingContent[] | undefined => {
  const cut: PhrasingContent[] = []
  for (const word of words) {
    const start = word.position?.start.offset
    const end = word.position?.end.offset
    if (start === undefined || end === undefined) return undefined
    if (end <= from || start >= to) continue
    if (start >= from && end <= to) cut.push(word)
    else if (word.type !== 'text' || word.value.length !== end - start) return undefined
    else cut.push({ type: 'text', value: word.value.slice(Math.max(0, from - start), to - start) })
  }
  return cut.length > 0 ? cut : undefined
}

/** Whole sentences of a paragraph, or items of a list, with the part that each states. */
export const listStatements = <Name extends PartName>(
  block: Block,
  read: (text: string) => Name | undefined,
): [Name, Block][] => {
  const { node, raw } = block
  if (node?.type === 'list') {
    const names = readItems(block).map(({ text }) => read(text))
    return [...new Set(names)].flatMap((name): [Name, Block][] => {
      const items = name && keepSome(block, node, (_, at) => names[at] === name)
      return items ? [[name, items]] : []
    })
  }
  const begin = node?.position?.start.offset ?? 0
  if (node?.type === 'blockquote')
    return node.children.flatMap((child) => {
      const { start, end } = child.position ?? {}
      const own = raw.slice((start?.offset ?? 0) - begin, (end?.offset ?? 0) - begin)
      return child.type === 'paragraph'
        ? listStatements({ ...block, raw: own, node: child }, read)
        : []
    })
  if (node?.type !== 'paragraph' || raw.length > JUDGED_LENGTH) return []
  const stated: [Name, Block][] = []
  const take = (text: string, at: number): boolean => {
    const name = read(text)
    const children = name && cutWords(node.children, begin + at, begin + at + text.length)
    if (name && children)
      stated.push([name, { ...block, raw: text, node: { type: 'paragraph', children } }])
    return children !== undefined
  }
  let start = 0
  for (const line of raw.split(/(?<=\n(?:> ?)?)(?=\*\*|__)/)) {
    let from = 0
    if (!/^(?:\*\*|__)/.test(line) || !take(line.replace(AT_END, ''), start))
      for (const { 0: end, index } of line.matchAll(SENTENCE_END)) {
        take(line.slice(from, index + end.length).replace(AT_END, ''), start + from)
        from = index + end.length
      }
    start += line.length
  }
  return stated
}
