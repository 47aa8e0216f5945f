import type { MarkedToken, Tokens } from 'marked'
import { splitLoosely } from '../front-matter.ts'
import { childrenOf, decodeReferences, readMarkdown } from '../markdown.ts'
import type { OwnFiles } from './files.ts'
import type { FoundNames } from './found.ts'
import { isCommand, readShell } from './shell.ts'
import type { ShellNames } from './shell.ts'

/** Characters of a sentence that are looked at, on each side of a name. */
const REACH = 160

const SHELLS: ReadonlySet<string> = new Set(
  'sh bash zsh shell console shell-session env dotenv'.split(' '),
)
const DATA: ReadonlySet<string> = new Set(['json', 'jsonc', 'json5'])

const SENTENCE_END = /(?<!\be\.g|\bi\.e)[.;!?]\s|[。；]/i
/** What makes samples of the names in a sentence or below a heading, and of those before it. */
const IS_SAMPLE = /\b(?:examples?|samples?|e\.g\.|such as)(?![\w-])|示例|例如/i
const HEADS_SAMPLES = /\b(?:examples?|samples?|outputs?)(?![\w-])|示例/i
const IS_IMAGINED = /^[^.]{0,40}\bwould be\b/
/** A sentence that says what has to be there. */
const IS_REQUIRED =
  /\b(?:requires?|required|prerequisites?|install\w*|needs?|depends|configured?)\b/i
/** A sentence that tells to leave alone what it names. */
const IS_LEFT =
  /\b(?:no|never|avoid|not|don['’]t|instead of|rather than|replaces|deprecated|over|unlike)\b|❌|禁止|不要/i
/** A heading or a label of code that is shown to be left alone. */
const IS_BAD =
  /^[\W\d]*(?:anti-?patterns?|wrong|bad|incorrect|avoid|never|don['’]?ts?|do not)\b|❌|禁止|不要/i
const IS_ENVIRONMENT = /\benv(?:ironment)?\b|\bexport(?:ed)?\b|环境变量/i

const SECRET = /_(?:KEYS?|TOKEN|SECRET|PASSWORD|DSN|CREDENTIALS)$/
const VARIABLE = /^\$?\{?([A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8})\}?(?:=.*)?$/
const TOOL_OF_SERVER = /\bmcp__([A-Za-z0-9-]{1,40}(?:_[A-Za-z0-9-]{1,40}){0,6})__\w/g
const SERVER_IN_WORDS =
  /\b((?!The |An? |No |Your |Use |Configured )[A-Z][\w.]{1,30}(?: [A-Z][\w.]{1,30}){0,2}) MCP servers?\b/g

const SLUG = '[a-z0-9]{2,40}(?:-[a-z0-9]{1,40}){0,8}'
const LONG_SLUG = '[a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){1,8}'
/** A whole piece of code or of bold text, as a command or of a plugin too: `/plugin:sort-books`. */
const NAMED = new RegExp(`^[/$@]?(?:[a-z0-9-]{1,40}[:/])?(${SLUG})$`)
/** In a text: in quotation marks, behind a plugin's name, before "skill". */
const IN_WORDS = [
  `["“'‘](${LONG_SLUG})["”'’]`,
  `\\w:(${LONG_SLUG})(?![\\w/-])`,
  `(?<!\\ban? )\\b(${LONG_SLUG})(?=\\s{1,9}skills?\\b)`,
].map((pattern) => new RegExp(pattern, 'gi'))
/** Descriptions send to other skills: `For films, use sort-films`. */
const IN_DESCRIPTION = new RegExp(`\\b(?:use|see)(?: the)? (${LONG_SLUG})(?![\\w/-])`, 'gi')
const OF_FOLDER = new RegExp(`(?:^|/)(${SLUG})/SKILL\\.md$|^(?:\\.\\./){1,9}(${SLUG})/`)

/** The folder of another skill that a path leads into. */
const readFolder = (path: string): string | undefined => {
  const [, named, beside] = OF_FOLDER.exec(path) ?? []
  return named ?? beside
}

const lastSentence = (before: string): string => before.split(SENTENCE_END).at(-1) ?? ''

const textOf = (token: MarkedToken | undefined): string =>
  token?.type === 'text' || token?.type === 'escape' ? decodeReferences(token.text) : ''

/** Reads what a SKILL.md names, but for samples and what it says to leave alone. */
export class SkillReader {
  readonly #found: FoundNames
  readonly #files: OwnFiles
  readonly #shells: ShellNames[] = []
  #heading = ''
  /** The end of the paragraph or the heading above. */
  #intro = ''

  constructor(found: FoundNames, files: OwnFiles) {
    this.#found = found
    this.#files = files
  }

  /** Returns why the text could not be read as Markdown, if it could not. */
  read(text: string): string | undefined {
    const { block = '', body } = splitLoosely(text)
    for (const [, name = ''] of text.matchAll(TOOL_OF_SERVER)) this.#found.addServer(name)
    this.#takeSlugs(block, [...IN_WORDS, IN_DESCRIPTION])
    const reading = readMarkdown(body)
    if ('fault' in reading) return reading.fault
    this.#visit(reading.result)
    const assigned = new Set(this.#shells.flatMap((shell) => shell.assigned))
    for (const { variables, exported } of this.#shells) {
      const read = variables.filter((name) => SECRET.test(name) && !assigned.has(name))
      for (const name of [...exported, ...read]) this.#found.addVariable(name)
    }
    return undefined
  }

  #visit(tokens: readonly MarkedToken[]): void {
    for (const token of tokens) {
      if (token.type === 'code') this.#takeBlock(token)
      else if (token.type === 'table')
        for (const cell of [token.header, ...token.rows].flat())
          this.#intro = this.#takeWords(cell.tokens as MarkedToken[], '')
      else if (token.type === 'heading')
        this.#heading = this.#intro = this.#takeWords(childrenOf(token), '')
      else if (token.type === 'paragraph' || token.type === 'text')
        this.#intro = this.#takeWords(childrenOf(token), '')
      else this.#visit(childrenOf(token))
    }
  }

  /** Takes what a line names; returns the end of what stands before it and in it. */
  #takeWords(line: readonly MarkedToken[], before: string): string {
    let words = before
    for (const [at, token] of line.entries()) {
      const after = textOf(line[at + 1]).slice(0, REACH)
      const children = token.type === 'image' ? [] : childrenOf(token)
      if (token.type === 'codespan') this.#takeCode(token.text, words, after)
      else if (token.type === 'text') this.#takeText(textOf(token))
      else if (children.length > 0) this.#takeName(textOf(children[0]), words, after)
      if (token.type === 'link') this.#takeLink(decodeReferences(token.href))
      words = this.#takeWords(children, words)
      if (children.length === 0 && token.type !== 'image' && 'text' in token)
        words = (words + decodeReferences(token.text)).slice(-REACH)
    }
    return words
  }

  #takeSlugs(text: string, patterns: readonly RegExp[]): void {
    if (!text.includes('-')) return
    for (const pattern of patterns)
      for (const [, name] of text.matchAll(pattern)) this.#found.add('skills', name)
  }

  #takeText(text: string): void {
    this.#takeSlugs(text, IN_WORDS)
    if (!text.includes(' MCP server') || !IS_REQUIRED.test(`${this.#heading} ${text}`)) return
    for (const [, name = ''] of text.matchAll(SERVER_IN_WORDS)) this.#found.addServer(name)
  }

  #isSample(before: string, after: string): boolean {
    const isOne = IS_SAMPLE.test(lastSentence(before)) || IS_IMAGINED.test(after)
    return isOne || HEADS_SAMPLES.test(this.#heading)
  }

  /** One word alone is a skill's name only where "skill" stands beside or above it. */
  #takeName(name: string, before: string, after: string): void {
    const slug = name.length > REACH ? undefined : NAMED.exec(name)?.[1]
    if (slug === undefined || /\ban? $/i.test(before) || this.#isSample(before, after)) return
    const isBeside = /^\W{0,2}skills?\b/i.test(after) || /\bskills?:?\s$/i.test(before)
    if (slug.includes('-') || isBeside || /\bskills?\b/i.test(this.#heading))
      this.#found.add('skills', slug)
  }

  #takeLink(href: string): void {
    this.#found.add('skills', readFolder(href))
    if (!IS_SAMPLE.test(this.#heading)) this.#found.add('missing', this.#files.findMissing(href))
  }

  #takeCode(value: string, before: string, after: string): void {
    this.#takeName(value, before, after)
    this.#found.add('skills', readFolder(value))
    const sentence = lastSentence(before)
    const around = `${this.#heading} ${before} ${after}`
    const isNamed = !IS_LEFT.test(sentence) && !IS_SAMPLE.test(sentence)
    if (isNamed && !IS_BAD.test(this.#heading) && isCommand(value, IS_REQUIRED.test(around)))
      this.#takeShell(value, false)
    if (this.#isSample(before, after)) return
    const below = this.#files.findMissingBelow(this.#heading, value)
    this.#found.add('missing', this.#files.findMissingWord(value) ?? below)
    const variable = VARIABLE.exec(value)?.[1] ?? ''
    if (SECRET.test(variable) || IS_ENVIRONMENT.test(around)) this.#found.addVariable(variable)
  }

  #takeBlock({ lang = '', text: value }: Tokens.Code): void {
    const language = (/^\S*/.exec(lang)?.[0] ?? '').toLowerCase()
    if (DATA.has(language)) this.#takeConfiguration(value)
    if (IS_BAD.test(this.#heading) || IS_BAD.test(this.#intro)) return
    const isSettings = IS_ENVIRONMENT.test(`${this.#heading} ${this.#intro}`)
    const isShell = SHELLS.has(language)
    if (isShell || (language === '' && (isSettings || isCommand(value, false))))
      this.#takeShell(value, isShell, isSettings)
  }

  #takeShell(text: string, isStated: boolean, isSettings = false): void {
    const shell = readShell(text, isStated)
    if (isSettings) shell.exported.push(...shell.settings)
    this.#shells.push(shell)
    this.#found.addShell(shell)
    for (const word of shell.words) this.#found.add('missing', this.#files.findMissingWord(word))
  }

  /** Takes the servers of a client's configuration. */
  #takeConfiguration(text: string): void {
    if (!text.includes('"mcpServers"')) return
    try {
      const { mcpServers } = JSON.parse(text) as { mcpServers?: object }
      for (const name of Object.keys(mcpServers ?? {})) this.#found.addServer(name)
    } catch {
      // A part of a configuration.
    }
  }
}
