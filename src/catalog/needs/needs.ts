import { splitLoosely } from '../front-matter.ts'
import type { FrontMatter } from '../front-matter.ts'
import { detectLanguage } from '../language.ts'
import { unifyLineEnds } from '../lines.ts'
import { listSettings, makeRoom } from '../settings.ts'
import { decodeLoosely, foldLine } from '../text.ts'
import { ANY_COMMAND, readGrant } from '../touches.ts'
import { isCode, readCode, readShellText } from './code.ts'
import { OwnFiles, isProgram, isProse, isShell } from './files.ts'
import { FoundNames } from './found.ts'
import type { Needs } from './found.ts'
import { isManifest, readManifest } from './manifests.ts'
import { readDescription, addServers } from './mentions.ts'
import { ProseReader } from './prose.ts'
import { SHELL_LIMIT, SHELLS, addInvocation, addServer, readShell } from './shell.ts'

/** Longest body of SKILL.md in characters, and largest other file in bytes, that are read. */
const BODY_LIMIT = 512 * 1024
const FILE_LIMIT = 256 * 1024

/** Maximum number of bytes of all other files that are read; the largest of 1,080 real skills has 1.3 million. */
const TEXT_LIMIT = 8_000_000

const VERSION_LIMIT = 40

/** The version in the front matter; undefined if there is none. */
const readVersion = (front: FrontMatter): string | undefined =>
  foldLine(front.version ?? front['metadata.version'] ?? '').slice(0, VERSION_LIMIT) || undefined

/** Systems by Node's names for them. */
const SYSTEMS: Readonly<Record<string, string>> = {
  darwin: 'macOS',
  linux: 'Linux',
  win32: 'Windows',
}
/** Install commands by OpenClaw's names for them. */
const OPENCLAW_INSTALLS: Readonly<Record<string, string>> = {
  brew: 'brew install',
  node: 'npm install -g',
  go: 'go install',
  uv: 'uv tool install',
}
const REQUIRED = { required: true } as const

type Add = (name: string, line: number, found: FoundNames) => void

const addBin: Add = (name, line, found) => found.add('commands', name, line, REQUIRED)
const addEnv: Add = (name, line, found) => found.addVariable(name, line, REQUIRED)
const addOptionalEnv: Add = (name, line, found) => found.addVariable(name, line)
const addSkill: Add = (name, line, found) => found.add('skills', name, line, { certain: true })
const addInstall: Add = (item, line, found) => {
  const [kind = '', name = ''] = item.split(' ')
  addInvocation([...(OPENCLAW_INSTALLS[kind] ?? '').split(' '), name], line, found)
}
const addTool: Add = (tool, line, found) => {
  found.add('tools', tool, line)
  addServers(tool, line, found)
  const [, kind, inside = ''] = /^(Bash|WebFetch)\(([^()]*)\)$/.exec(tool) ?? []
  const command = kind === 'Bash' ? readGrant(tool) : ANY_COMMAND
  if (command !== undefined && command !== ANY_COMMAND)
    addInvocation(command.replace(/:.*$/, '').split(' '), line, found)
  const address = kind === 'WebFetch' ? inside.replace(/^domain:/, 'https://') : ''
  found.addHost(address, line)
}

/** Functions that add a name from a front matter field, by the last part of the field's name. */
const FIELDS: Readonly<Record<string, Add>> = {
  bins: addBin,
  anyBins: (name, line, found) => found.add('commands', name, line),
  env: addEnv,
  primaryEnv: addEnv,
  envVars: addOptionalEnv,
  inputs: addOptionalEnv,
  os: (name, line, found) => found.add('systems', SYSTEMS[name] ?? name, line),
  install: addInstall,
  mcp: addServer,
  'related-skills': addSkill,
  skills: addSkill,
  'allowed-tools': addTool,
}
/** Tools are separated by spaces or commas outside brackets: `Read, Bash(git log:*)`. Other names need commas. */
const TOOL = /[^\s,()]+(?:\([^()]*\))?/g
const LIST_ITEM = /[^\s,][^,]*/g
/** Maximum number of names in a field whose own lines are looked up; others get the line of the field. */
const LOOKUP_LIMIT = 500
/** Maximum number of lines of a text in the front matter in which names are looked up. */
const FOLDED_LINES = 30

/** Adds what a client runs, starts or allows by itself because of a file, and the names in its commands. Returns whether there is any. */
const readSettings = (
  path: string,
  read: () => string,
  found: FoundNames,
  room: ReturnType<typeof makeRoom>,
): boolean => {
  const settings = listSettings(path, read, room)
  for (const { key, value, line } of settings) {
    const [first = '', event = first] = key.split('.')
    found.add('unasked', `${event}: ${value}`, line)
    readShell(value, { line, isStated: true }, found)
  }
  return settings.length > 0
}

/** Adds the names in the front matter. */
const readFront = (front: FrontMatter, block: string, found: FoundNames): void => {
  const lines = block.split('\n')
  /** The line of a field, or of a name in it. The block starts at line 2. */
  const lineOf = (field: string, name = ''): number => {
    const start = lines.findIndex((line) => line.trimStart().startsWith(`${field}:`))
    const find = (words: string): number =>
      lines.findIndex((line, index) => index >= start && line.includes(words))
    // The entries of an install list are joined with their kind.
    const at = find(name) < 0 ? find(name.split(' ').at(-1)!) : find(name)
    return Math.max(0, at) + 2
  }
  for (const [field, value] of Object.entries(front)) {
    const last = field.split('.').at(-1)!
    const add = Object.hasOwn(FIELDS, last) ? FIELDS[last] : undefined
    if (!add) continue
    const names = value.match(add === addTool ? TOOL : LIST_ITEM) ?? []
    const start = lineOf(last)
    for (const [at, name] of names.entries())
      add(name, at < LOOKUP_LIMIT ? lineOf(last, name) : start, found)
  }
  for (const field of ['description', 'when_to_use', 'compatibility'] as const) {
    const start = lineOf(field)
    readDescription(front[field] ?? '', start, found)
    found.spread(start, lines.slice(start - 2, start + FOLDED_LINES))
  }
  for (const [system] of (front.compatibility ?? '').matchAll(
    /(?<!\btarget )\b(?:macOS|Linux|Windows)\b/g,
  ))
    found.add('systems', system, lineOf('compatibility'))
}

/** The line that names the interpreter of a program: `#!/usr/bin/env -S uv run --script`. */
const SHEBANG = /^#!\s*([^\n]{1,200})/

const readShebang = (text: string): string[] =>
  (SHEBANG.exec(text)?.[1] ?? '')
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/^.*\//, ''))

/** A text for people who install or develop the skill, not for an agent that uses it. */
const OF_PEOPLE = /^(?:readme|contributing|changelog|code_of_conduct|licen[cs]e)\b[^/]*$/i

const ENDING = /\.(\w+)$/

/** The language of a program, by its file ending, or else by its interpreter. */
const languageOf = (path: string, shebang: readonly string[]): string => {
  const ending = ENDING.exec(path)?.[1]?.toLowerCase() ?? ''
  if (isProgram(path) || shebang.length === 0) return ending
  return shebang.find((word) => isCode(word) || SHELLS.has(word)) ?? ending
}

/** Collects the names in a skill's files. `own` are the skill's own names. */
export const collectNeeds = (
  own: readonly string[],
  front: FrontMatter,
  skillMd: string,
  files: readonly { path: string; size: number }[],
  read: (path: string) => Uint8Array,
): Needs => {
  const paths = files.map(({ path }) => path)
  const found = new FoundNames(own, paths)
  const prose = new ProseReader(found, new OwnFiles(paths, own))
  const whole = unifyLineEnds(skillMd)
  const { block = '', body } = splitLoosely(whole)
  found.file = 'SKILL.md'
  readFront(front, block, found)
  const room = makeRoom()
  readSettings('SKILL.md', () => skillMd, found, room)
  const first = whole.slice(0, whole.length - body.length).split('\n').length
  const unread: string[] = []
  if (body.length > BODY_LIMIT) {
    found.isPartial = true
    unread.push('SKILL.md')
  } else prose.read(body, first)
  let [programs, left] = [0, TEXT_LIMIT]
  for (const { path, size } of files) {
    if (path === 'SKILL.md') continue
    found.file = path
    const bytes = read(path)
    const hasSettings = readSettings(path, () => decodeLoosely(bytes), found, room)
    const isText = (isProse(path) && !OF_PEOPLE.test(path)) || isManifest(path)
    const isRunnable = isProgram(path) || (bytes[0] === 0x23 && bytes[1] === 0x21)
    if (isRunnable) programs += 1
    const isRead = isText || (isRunnable && !bytes.includes(0))
    if (!isRead || size > Math.min(FILE_LIMIT, left)) {
      if (isRunnable) found.isPartial = true
      if (!hasSettings) unread.push(path)
      continue
    }
    const text = unifyLineEnds(decodeLoosely(bytes))
    left -= size
    const shebang = readShebang(text)
    const isPython = shebang.some((word) => word.startsWith('python'))
    // A skill that uses uv does not need Python, because uv installs it.
    if (isRunnable && !(isPython && found.has('commands', 'uv'))) addInvocation(shebang, 1, found)
    const language = languageOf(path, shebang)
    if (isManifest(path)) readManifest(path, text, found)
    else if (isProse(path)) prose.read(text, 1)
    else if (isShell(path) || SHELLS.has(language)) {
      if (text.length > SHELL_LIMIT) unread.push(path)
      readShellText(text, { line: 1, isStated: true, isScript: true }, found)
    } else readCode({ text, language, line: 1 }, found)
  }
  return {
    ...found.list(),
    unread,
    isPartial: found.isPartial,
    programs,
    version: readVersion(front),
    compatibility: front.compatibility,
    language: detectLanguage(body),
  }
}
