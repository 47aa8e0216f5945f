import { basename, extname } from 'node:path/posix'
import type { Region } from './rule.ts'
import type { TextFile } from './texts.ts'

/** Archives, and programs for Java and WebAssembly. A command that only names such a file is enough for a finding. */
export const PACKED =
  /\.(?:zip|rar|7z|tar|tgz|gz|bz2|xz|jar|wasm|apk|deb|rpm|dmg|pkg|iso|cab|whl|vsix|mcpb)$/i

export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const COMMAND_REGIONS: ReadonlySet<Region> = new Set(['script', 'fence', 'comment'])
const CODE_SPAN = /`[^`]{1,400}`/g

/**
 * Lists the commands of a text: lines of code, and inline code in prose. Lines that end with a backslash are joined
 * with the next line.
 */
export const listCommands = ({ lines, around }: TextFile): string =>
  lines
    .flatMap((line, at) => {
      const { region } = around(at)
      if (COMMAND_REGIONS.has(region)) return [line]
      return region === 'config'
        ? []
        : (line.match(CODE_SPAN) ?? []).map((span) => span.slice(1, -1))
    })
    .join('\n')
    .replaceAll('\\\n', ' ')

const FOLDER = String.raw`["']?(?:[\w.$\{}~/-]{0,100}/)?`
const RUNNERS =
  '(?:ba|z|da|k)?sh|source|python3?|node|deno|bun|perl|ruby|php|lua|tclsh|exec|eval|unzip|tar|7z|gunzip|zcat'
const READERS = 'dd|tail|head|cut|strings|xxd|od|sed|awk|base64|openssl|gpg|steghide|chmod'
const OPTIONS = String.raw`(?:[-+]\S{1,20}\s{1,3}(?:[\w'"]{1,12}\s{1,3})?){0,3}`

/** Before the name of a program in this folder (`./NAME`). In a list of pictures, the name comes after a comma. */
const STARTED = String.raw`(?:^|(?<!,)\s)\./${FOLDER}`

/** The file's name after another word, or as a program in this folder (`./NAME`). */
const NAMED = String.raw`(?:\w[^\n]{0,200}[\s"'(=]${FOLDER}|${STARTED})NAME(?![\w-])`

const RUN = [
  String.raw`(?:^|[\s;&|("'=])(?:${RUNNERS}|${READERS})\s{1,3}${OPTIONS}${FOLDER}NAME(?![\w-])`,
  String.raw`(?:^|[;&|(])\s{0,9}\.\s{1,3}${FOLDER}NAME(?![\w-])`,
  String.raw`<\s?${FOLDER}NAME(?![\w-])|${STARTED}NAME(?![\w-])`,
  String.raw`\b(?:exec|eval|loads|decompress|b64decode)\([^\n]{0,120}NAME`,
  String.raw`(?<![\w-])NAME["']?(?![\w-])[^|\n;&]{0,60}\|(?!\|)`,
].join('|')

/** Characters of a command that are examined on either side of a name, and between two that are examined. */
const REACH = 400
const STEP = 200

/** What is left of the work for a skill; see `BUDGET`. */
export interface Budget {
  left: number
}

/** To test a command costs as much as to scan this many characters, besides its own. */
const TESTED = 40

/** Parts of a name; a full stop at the end is of a sentence. */
const PART = /(?:[\w\u0080-\uFFFF-]|\.(?=[\w\u0080-\uFFFF-]))+/g

const PART_OR_END = new RegExp(`\\n|${PART.source}`, 'g')

const lastPart = (name: string): string => name.match(PART)?.at(-1) ?? ''

/** The spellings of a file in commands: its name, and `*.zip` for all files of its kind. */
const spell = (path: string): string[] => {
  const name = basename(path)
  return [name, `*${extname(name)}`].filter((spelling) => spelling !== '*')
}

/** The commands of a skill, in which the names of its files are found in one pass. */
export class Commands {
  readonly #text: string
  /** Where each last part of a name ends in the text. */
  readonly #places: ReadonlyMap<string, number[]>
  readonly #known = new Map<string, boolean>()

  constructor(text: string, paths: readonly string[]) {
    this.#text = text
    this.#places = new Map(paths.flatMap(spell).map((name) => [lastPart(name), []]))
    let line = 0
    for (const { 0: part, index } of text.matchAll(PART_OR_END)) {
      const end = index + part.length
      if (part === '\n') line = end
      const places = this.#places.get(part)
      const last = places?.at(-1) ?? -1
      if (last < line || end - last >= STEP) places?.push(end)
    }
  }

  /** Whether a command that contains a name matches `pattern`. Tests commands until the budget is used up. */
  #has(name: string, pattern: string, budget: Budget): boolean {
    const part = lastPart(name)
    // A name of signs alone.
    if (part === '') return this.#text.includes(name)
    const uses = new RegExp(pattern.replaceAll('NAME', () => escapePattern(name)))
    return (this.#places.get(part) ?? []).some((at) => {
      if (budget.left < 0) return true
      const [before, after] = [
        this.#text.slice(Math.max(0, at - REACH), at),
        this.#text.slice(at, at + REACH),
      ]
      const command = before.slice(before.lastIndexOf('\n') + 1) + after.split('\n', 1)[0]
      budget.left -= TESTED + command.length
      return uses.test(command)
    })
  }

  /**
   * Whether a command names an archive, or runs, unpacks or pipes any other file. `*.zip` names all such files. True,
   * too, if the budget does not suffice to tell: somebody should then look.
   */
  use(path: string, budget: Budget): boolean {
    const pattern = PACKED.test(path) ? NAMED : RUN
    const isUsed = spell(path).some((name) => {
      const known = this.#known.get(name) ?? this.#has(name, pattern, budget)
      this.#known.set(name, known)
      return known
    })
    return isUsed || budget.left < 0
  }
}
