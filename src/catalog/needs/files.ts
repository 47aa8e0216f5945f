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

/** Usual folders inside a skill. */
const OWN_FOLDERS = 'scripts|references?|resources|assets|templates|agents'
/** Notations for the skill's own folder, such as `${CLAUDE_SKILL_DIR}/`. */
const OWN_ROOT = String.raw`\./|skill_dir/|[$<{]{1,2}(?:claude_)?(?:skill|base|plugin)[\w-]{0,40}[}>]?/`
const OWN_FILE = String.raw`(?:${OWN_FOLDERS})/[\w./-]{1,200}\.[a-z]\w{0,9}`
const OF_OWN_FOLDER = new RegExp(`^(?:${OWN_ROOT})?(${OWN_FILE})$`, 'i')
/** Notations for the folder of a plugin or of all skills: `${CLAUDE_PLUGIN_ROOT}/`, `$(plugin-root books)/`, `.agents/skills/`. */
const PLUGIN_ROOT =
  /^(?:\$\{?CLAUDE_PLUGIN_ROOT\}?\/|\$\([\w-]{0,40}plugin-root[^()]{0,60}\)\/|\.[a-z]{2,20}\/(?=skills\/))/
/** A program of another skill. */
const BESIDE = /^(?:\.\.\/)+[\w-]{1,60}\/scripts\/[\w./-]{1,200}\.\w{1,9}$/
/** What only inline code names: a program without an ending, a document in its folder, or a group of files. */
const IN_SPAN = new RegExp(
  `^(?:${OWN_ROOT})?(scripts/[\\w-]{1,60}|(?:workflows|rules|prompts|guides|playbooks|checklists)/[\\w./-]{1,100}\\.md|((?:${OWN_FOLDERS}|rules)/)(?:[\\w-]{0,40}\\*[\\w-]{0,40}|\\*\\*/\\*)\\.\\w{1,9})$`,
  'i',
)
const DOCUMENT = /^[a-z][\w-]{1,60}\.md$/
/** A document above the folder of the text. A SKILL.md is that of another skill. */
const ABOVE = /^(?:\.\.\/)+(?!(?:[^/]*\/)*SKILL\.md)[\w./-]{1,200}\.md$/i
/** Links that do not lead to a file of the skill: with a scheme, a fragment only, an absolute path, or placeholders. */
const NO_FILE = /^(?:[a-z][a-z0-9+.-]{0,20}:|[#/?@%$~])|[{}<>*|…]|\.\.\.|^[^./]*$/i
const PLACEHOLDER_PATH =
  /(?:^|[/_-])(?:example|sample|your|my|foo|bar|name|xxx+|script|file|path|to)(?:[-_./]|$)/i

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
    this.#folders = names.map((name) => `skills/${name}/`)
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

  /** Like `find`, for a word in code or in a command that names a file in a usual folder, or of a plugin or another skill. */
  findWord(word: string): NamedPath | undefined {
    if (word.length > 300) return undefined
    const plain = word.replaceAll('\\', '/')
    const rooted = plain.replace(PLUGIN_ROOT, '')
    const folder = this.#folders.find((prefix) => rooted.startsWith(prefix)) ?? ''
    const path = rooted.slice(folder.length)
    const isForeign = BESIDE.test(path) || (rooted !== plain && /(?<!SKILL)\.\w{1,9}$/.test(path))
    const own = isForeign ? path : OF_OWN_FOLDER.exec(path)?.[1]
    return own === undefined ? undefined : this.find(own)
  }

  /**
   * The path that a link in `folder` names, if no file is there, nor at the same path from a folder above. A hidden folder
   * is rather one of the user's project.
   */
  findMissing(href: string, folder = ''): string | undefined {
    const named = /^\.\w/.test(href) ? undefined : this.find(href, folder)
    return named && !this.#isAround(href, folder) ? named.path : undefined
  }

  findMissingWord(word: string, folder: string): string | undefined {
    const named = this.findWord(word)
    return named && !this.#isAround(named.path, folder) ? named.path : undefined
  }

  /** Like `findMissingWord`, for inline code. Of a group such as `rules/*.md`, the folder must be there. */
  findMissingSpan(code: string, folder: string): string | undefined {
    if (ABOVE.test(code)) return this.findMissing(code, folder)
    const [, path, group = path] = (code.length <= 300 && IN_SPAN.exec(code)) || []
    if (path === undefined) return this.findMissingWord(code, folder)
    return this.find(group!) && !this.#isAround(group!, folder) ? path : undefined
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
