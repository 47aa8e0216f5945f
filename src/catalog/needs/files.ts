import { dirname, join } from 'node:path/posix'

const PROSE_FILE = /\.(?:md|mdx|txt|rst)$/i
const SHELL_FILE = /\.(?:sh|bash|zsh)$/i
const CODE_FILE =
  /\.(?:ps1|fish|py|js|mjs|cjs|jsx|ts|mts|tsx|rb|pl|php|go|rs|java|kt|swift|lua|r|jl|cs)$/i

/** Whether a file is Markdown or plain text. */
export const isProse = (path: string): boolean => PROSE_FILE.test(path)

export const isShell = (path: string): boolean => SHELL_FILE.test(path)

/** Programs that are not text, or that run only on Windows. */
const STARTED = /\.(?:bat|cmd|exe|jar|vbs)$/i

/** Whether a file is a program. */
export const isProgram = (path: string): boolean =>
  isShell(path) || CODE_FILE.test(path) || STARTED.test(path)

/** The folders in which skills keep files of their own. */
const OWN_FOLDERS = 'scripts|references?|resources|assets|templates|agents'
/** Names of the skill's own folder: `${CLAUDE_SKILL_DIR}/`. */
const OWN_ROOT = String.raw`\./|skill_dir/|[$<{]{1,2}(?:claude_)?(?:skill|base|plugin)[\w-]{0,40}[}>]?/`
const OWN_FILE = String.raw`(?:${OWN_FOLDERS})/[\w./-]{1,200}\.[a-z]\w{0,9}`
const OF_OWN_FOLDER = new RegExp(`^(?:${OWN_ROOT})?(${OWN_FILE})$`, 'i')
/** An address with a scheme, of the same page, of a host's root, or one that is to be filled in. */
const NO_FILE = /^(?:[a-z][a-z0-9+.-]{0,20}:|[#/?@%$~])|[{}<>*|…]|\.\.\.|^[^./]*$/i
const PLACEHOLDER =
  /(?:^|[/_-])(?:example|sample|your|my|foo|bar|name|xxx+|script|file|path|to)(?:[-_./]|$)/i

/** Finds the files that a SKILL.md names and the skill does not bring. */
export class OwnFiles {
  readonly #places = new Set<string>()
  readonly #folders: readonly string[]

  /** `own` are the names of the skill, by which its folder may be called. */
  constructor(paths: Iterable<string>, own: readonly string[]) {
    this.#folders = own.map((name) => `skills/${name}/`)
    // Many file systems do not distinguish `References/` from `references/`.
    for (const path of [...paths].map((one) => one.toLowerCase()))
      for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
        this.#places.add(path.slice(0, end))
  }

  /** The path that a link in a file of a folder leads to, where the skill has nothing there. */
  findMissing(href: string, folder = ''): string | undefined {
    if (href.length > 300 || NO_FILE.test(href)) return undefined
    let path: string
    try {
      path = decodeURIComponent(href.split(/[?#]/, 1)[0] ?? '')
    } catch {
      return undefined
    }
    const inside = join(folder, path).replace(/\/$/, '')
    const isOther = dirname(inside).startsWith('..') && inside.endsWith('/SKILL.md')
    if (inside === '.' || isOther || PLACEHOLDER.test(inside)) return undefined
    return this.#places.has(inside.toLowerCase()) ? undefined : inside
  }

  /** The same of a word of code or of a command, where it names a file of one of a skill's own folders. */
  findMissingWord(word: string): string | undefined {
    if (word.length > 300) return undefined
    const plain = word.replaceAll('\\', '/')
    const folder = this.#folders.find((one) => plain.startsWith(one)) ?? ''
    const path = OF_OWN_FOLDER.exec(plain.slice(folder.length))?.[1]
    return path === undefined ? undefined : this.findMissing(path)
  }
}
