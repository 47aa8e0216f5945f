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

/** Characters of a command that are examined on either side of a name. */
const REACH = 400

/** What is left of the work for a skill; see `BUDGET`. */
export interface Budget {
  left: number
}

/** To search this many characters costs as much as to scan one. */
const SEARCHED = 50

/** To test a command costs as much as to scan this many characters, besides its own. */
const TESTED = 40

/** Whether a command that contains a name matches `uses`. Tests commands until the budget is used up. */
const hasCommand = (commands: string, name: string, uses: RegExp, budget: Budget): boolean => {
  budget.left -= commands.length / SEARCHED
  for (let at = commands.indexOf(name); at >= 0 && budget.left >= 0;) {
    const start = Math.max(commands.lastIndexOf('\n', at) + 1, at - REACH)
    const last = commands.indexOf('\n', at)
    const end = last < 0 ? commands.length : last
    const command = commands.slice(start, Math.min(end, at + REACH))
    budget.left -= TESTED + command.length
    if (uses.test(command)) return true
    at = commands.indexOf(name, end)
  }
  return false
}

/**
 * Whether a command names an archive, or runs, unpacks or pipes any other file. `*.zip` names all such files. True, too,
 * if the budget does not suffice to tell: somebody should then look.
 */
export const isUsedByCommand = (path: string, commands: string, budget: Budget): boolean => {
  const name = basename(path)
  const pattern = PACKED.test(path) ? NAMED : RUN
  const spellings = [name, `*${extname(name)}`].filter((spelling) => spelling !== '*')
  const isUsed = spellings.some((spelling) => {
    const uses = new RegExp(pattern.replaceAll('NAME', () => escapePattern(spelling)))
    return hasCommand(commands, spelling, uses, budget)
  })
  return isUsed || budget.left < 0
}
