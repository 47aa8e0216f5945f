import { basename, dirname, join } from 'node:path/posix'
import { foldPath } from '../file-names.ts'

const PROSE_FILE = /\.(?:md|mdx|txt|rst)$/i
const SHELL_FILE = /\.(?:sh|bash|zsh)$/i
const CODE_FILE =
  /\.(?:ps1|fish|py|js|mjs|cjs|jsx|ts|mts|tsx|rb|pl|php|go|rs|java|kt|swift|lua|r|jl|cs)$/i

/** Whether a file is Markdown or plain text. */
export const isProse = (path: string): boolean => PROSE_FILE.test(path)

export const isShell = (path: string): boolean => SHELL_FILE.test(path)

/** Programs that are not text, or that run only on Windows. */
const OTHER_PROGRAM = /\.(?:bat|cmd|exe|jar|vbs)$/i

/** Whether a file is a program. */
export const isProgram = (path: string): boolean =>
  isShell(path) || CODE_FILE.test(path) || OTHER_PROGRAM.test(path)

/** Notations for the skill's own folder, such as `${CLAUDE_SKILL_DIR}/`. */
const OWN_ROOT = String.raw`\./|skill_dir/|[$<{]{1,2}(?:claude_)?(?:skill|base|plugin)[\w-]{0,40}[}>]?/`
/** A file in a usual folder of a skill. */
const OWN_FILE = new RegExp(
  String.raw`^(?:${OWN_ROOT})?((?:scripts|references?|resources|assets|templates|agents|workflows|rules|guides)/[\w./-]{1,200}\.[a-z]\w{0,9})$`,
  'i',
)
const DOCUMENT = /^[a-z][\w-]{1,60}\.md$/
/** Links that do not lead to a file of the skill: with a scheme, a fragment only, an absolute path, or placeholders. */
const NO_FILE = /^(?:[a-z][a-z0-9+.-]{0,20}:|[#/?@%$~])|[{}<>*|…]|\.\.\.|^[^./]*$/i
const PLACEHOLDER_PATH =
  /(?:^|[/_-])(?:example|sample|your|my|foo|bar|xxx+)(?:[-_./]|$)|(?:^|\/)(?:name|script|file|path|to)(?:_name)?(?:[./]|$)/i

/** A path that a skill's text names, and the file or folder that the skill has there, if any. */
interface NamedPath {
  path: string
  /** As the skill spells it, which may differ in case or in the composition of letters. */
  file: string | undefined
}

/** Finds the files of a skill that its texts name, and those that it does not include. */
export class OwnFiles {
  readonly #places = new Set<string>()
  readonly #folded = new Map<string, string>()
  readonly #names = new Set<string>()
  readonly #folders: readonly string[]

  /** `names` are the skill's own names; usually, one of them is the name of its folder. */
  constructor(paths: Iterable<string>, names: readonly string[]) {
    this.#folders = names.map((name) => `/${name}/`)
    for (const path of paths) {
      this.#names.add(foldPath(basename(path)))
      for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
        const place = path.slice(0, end)
        this.#places.add(place)
        this.#folded.set(foldPath(place), place)
      }
    }
  }

  /** The path that a link in `folder` names; undefined if the link is no path. */
  find(href: string, folder = ''): NamedPath | undefined {
    if (href.length > 300 || NO_FILE.test(href)) return undefined
    let path: string
    try {
      path = decodeURIComponent(href.split(/[?#]/, 1)[0] ?? '')
    } catch {
      return undefined
    }
    const inside = join(folder, path).replace(/\/$/, '')
    const isOtherSkill = dirname(inside).startsWith('..') && inside.endsWith('/SKILL.md')
    if (inside === '.' || isOtherSkill || PLACEHOLDER_PATH.test(inside)) return undefined
    const file = this.#places.has(inside) ? inside : this.#folded.get(foldPath(inside))
    return { path: inside, file }
  }

  /** Like `find`, for a word in code or in a command that names a file in a usual folder. */
  findWord(word: string): NamedPath | undefined {
    if (word.length > 300) return undefined
    // With a slash before it, so that the skill's folder can also be its first part.
    const plain = `/${word.replaceAll('\\', '/')}`
    const folder = this.#folders.find((name) => plain.includes(name))
    const path = plain.slice(folder === undefined ? 1 : plain.indexOf(folder) + folder.length)
    const own = OWN_FILE.exec(path)?.[1]
    return own === undefined ? undefined : this.find(own)
  }

  /**
   * The path that a link in `folder` names, if no file is there, nor at the same path from a folder above. A hidden folder
   * is rather one of the user's project. Above the skill, only files count, and only if SKILL.md names them.
   */
  findMissing(href: string, folder: string): string | undefined {
    const named = /^\.\w/.test(href) ? undefined : this.find(href, folder)
    const isOther = named?.path.startsWith('..') && (folder !== '.' || !/\.\w+$/.test(named.path))
    return named && !isOther && !this.#isAround(href, folder) ? named.path : undefined
  }

  findMissingWord(word: string): string | undefined {
    const named = this.findWord(word)
    return named?.file === undefined ? named?.path : undefined
  }

  /** Returns a document that is named without its folder, if no folder has it. */
  findMissingName(name: string): string | undefined {
    return DOCUMENT.test(name) && !this.#names.has(foldPath(name)) ? name : undefined
  }

  #isAround(path: string, folder: string): boolean {
    for (let at = folder; ; at = dirname(at)) {
      if (this.find(path, at)?.file !== undefined) return true
      if (/^\.{0,2}$/.test(at)) return false
    }
  }
}
