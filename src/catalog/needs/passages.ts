/**
 * What a passage of a skill's file is. `sample` is a fence of text or of no stated language: output, a tree of
 * files, Markdown to be written, now and then a command.
 */
export type PassageKind = 'prose' | 'sample' | 'shell' | 'code' | 'data'

/** A text file of a skill. */
export interface FileText {
  /** Path below the skill's folder. */
  path: string
  text: string
}

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

export interface TextPassage {
  /** Places in the text, in UTF-16 units. */
  from: number
  to: number
  kind: PassageKind
}

/** A heading below the title. */
export interface TextHeading {
  at: number
  text: string
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
export const findWrapped = (text: string): { from: number; to: number } | undefined => {
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
    ? { from, to: end }
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

/** A file's text, which knows of each place what stands above it and whether it is prose, shell or something else. */
export class PassageReader {
  readonly path: string
  readonly text: string
  readonly passages: readonly TextPassage[]
  #headings: TextHeading[] | undefined

  constructor({ path, text }: FileText) {
    this.path = path
    this.text = text
    this.passages = isProse(path)
      ? splitFences(text)
      : [{ from: 0, to: text.length, kind: kindOfFile(path) }]
  }

  passageAt(offset: number): TextPassage {
    const { passages } = this
    return passages[findLast(passages.length, (at) => passages[at]!.from, offset)]!
  }

  kindAt(offset: number): PassageKind {
    return this.passageAt(offset).kind
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
}
