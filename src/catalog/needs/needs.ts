import { splitLoosely } from '../front-matter.ts'
import type { FrontMatter } from '../front-matter.ts'
import { detectLanguage } from '../language.ts'
import { decodeLoosely, foldLine } from '../text.ts'
import { isCode, readCode, readShellText } from './code.ts'
import { OwnFiles, isProgram, isProse, isShell } from './files.ts'
import { FoundNames } from './found.ts'
import type { Needs } from './found.ts'
import { isManifest, readManifest } from './manifests.ts'
import { takeDescription, takeServers } from './mentions.ts'
import { ProseReader } from './prose.ts'
import { SHELLS, takeWords } from './shell.ts'
import { readHost } from './traces.ts'

/** Longest SKILL.md and longest file beside it that are read. */
const BODY_LIMIT = 512 * 1024
const FILE_LIMIT = 256 * 1024

/** Most characters of all files that are read; the largest of 1,080 real skills has 1.3 million. */
const TEXT_LIMIT = 8_000_000

const VERSION_LIMIT = 40

/** The number of a version; undefined where its author gives none. */
const readVersion = (front: FrontMatter): string | undefined =>
  foldLine(front.version ?? front['metadata.version'] ?? '').slice(0, VERSION_LIMIT) || undefined

/** Systems by the names that Node gives them, and OpenClaw's ways to install packages. */
const SYSTEMS: Readonly<Record<string, string>> = {
  darwin: 'macOS',
  linux: 'Linux',
  win32: 'Windows',
}
const INSTALLERS: Readonly<Record<string, string>> = {
  brew: 'brew install',
  node: 'npm install -g',
  go: 'go install',
  uv: 'uv tool install',
}
/** Programs that only some systems start as they are; a shell script tells nothing where none is for Windows. */
const FOR_WINDOWS = /\.(?:ps1|bat|cmd)$/i
const systemsOf = (path: string): string[] => {
  if (FOR_WINDOWS.test(path)) return ['Windows']
  return isShell(path) ? ['macOS', 'Linux'] : []
}
const DECLARED = { declared: true } as const
const REQUIRED = { declared: true, required: true } as const

type Take = (name: string, line: number, found: FoundNames) => void

const takeBin: Take = (name, line, found) => found.add('commands', name, line, REQUIRED)
const takeEnv: Take = (name, line, found) => found.addVariable(name, line, REQUIRED)
const takeOptionalEnv: Take = (name, line, found) => found.addVariable(name, line, DECLARED)
const takeSkill: Take = (name, line, found) =>
  found.add('skills', name, line, { ...DECLARED, certain: true })
const takeInstall: Take = (item, line, found) => {
  const [kind = '', name = ''] = item.split(' ')
  takeWords([...(INSTALLERS[kind] ?? '').split(' '), name], line, found)
}
const takeTool: Take = (tool, line, found) => {
  found.add('tools', tool, line, DECLARED)
  takeServers(tool, line, found)
  const [, kind, inside = ''] = /^(Bash|WebFetch)\(([^()]*)\)$/.exec(tool) ?? []
  const words = inside.replace(/:.*$/, '').split(' ')
  if (kind === 'Bash') takeWords(words, line, found, { marks: DECLARED })
  const address = kind === 'WebFetch' ? inside.replace(/^domain:/, 'https://') : ''
  found.add('hosts', readHost(address), line, DECLARED)
}

/** The kind of names in a field of the front matter, by the last part of its name. */
const FIELDS: Readonly<Record<string, Take>> = {
  bins: takeBin,
  anyBins: takeBin,
  env: takeEnv,
  primaryEnv: takeEnv,
  envVars: takeOptionalEnv,
  inputs: takeOptionalEnv,
  os: (name, line, found) => found.add('systems', SYSTEMS[name] ?? name, line, DECLARED),
  install: takeInstall,
  'related-skills': takeSkill,
  skills: takeSkill,
  'allowed-tools': takeTool,
}
/** Blanks or commas outside of brackets part tools: `Read, Bash(git log:*)`; commas part other names. */
const TOOL = /[^\s,()]+(?:\([^()]*\))?/g
const NAME = /[^\s,][^,]*/g
/** Most names of a field that are read. */
const FIELD_LIMIT = 500

/** Takes the names in the front matter. */
const takeFront = (front: FrontMatter, block: string, found: FoundNames): void => {
  const lines = block.split('\n')
  /** The line of the file where a field, or a name in it, stands; the block begins at the second. */
  const lineOf = (field: string, name = ''): number => {
    const start = lines.findIndex((line) => line.trimStart().startsWith(`${field}:`))
    const at = lines.findIndex((line, index) => index >= start && line.includes(name))
    return Math.max(0, at) + 2
  }
  for (const [field, value] of Object.entries(front)) {
    const last = field.split('.').at(-1)!
    const take = Object.hasOwn(FIELDS, last) ? FIELDS[last] : undefined
    const names = value.match(take === takeTool ? TOOL : NAME) ?? []
    for (const name of take ? names.slice(0, FIELD_LIMIT) : [])
      take?.(name, lineOf(last, name.split(' ').at(-1)), found)
  }
  for (const field of ['description', 'when_to_use', 'compatibility'] as const)
    takeDescription(front[field] ?? '', lineOf(field), found)
  for (const [system] of (front.compatibility ?? '').matchAll(/\b(?:macOS|Linux|Windows)\b/g))
    found.add('systems', system, lineOf('compatibility'), DECLARED)
}

/** Modules that a skill brings itself, by the names of its files and folders. */
const listModules = (paths: readonly string[]): Set<string> =>
  new Set(paths.flatMap((path) => path.split('/').map((part) => part.replace(/\.\w+$/, ''))))

/** The line that names the interpreter of a program: `#!/usr/bin/env -S uv run --script`. */
const START_LINE = /^#!\s*([^\n]{1,200})/

const readStarter = (text: string): string[] =>
  (START_LINE.exec(text)?.[1] ?? '')
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/^.*\//, ''))

const ENDING = /\.(\w+)$/

/** The language of a program, by its ending or else by its interpreter. */
const languageOf = (path: string, starter: readonly string[]): string => {
  const ending = ENDING.exec(path)?.[1]?.toLowerCase() ?? ''
  if (isProgram(path) || starter.length === 0) return ending
  return starter.find((word) => isCode(word) || SHELLS.has(word)) ?? ending
}

/** Collects the names in a skill's files. `own` are the names of the skill itself. */
export const collectNeeds = (
  own: readonly string[],
  front: FrontMatter,
  skillMd: string,
  files: readonly { path: string; size: number }[],
  read: (path: string) => Uint8Array,
): Needs => {
  const found = new FoundNames(own)
  const paths = files.map(({ path }) => path)
  const modules = listModules(paths)
  const prose = new ProseReader(found, new OwnFiles(paths, own), modules)
  const { block = '', body } = splitLoosely(skillMd)
  found.file = 'SKILL.md'
  takeFront(front, block, found)
  const first = skillMd.slice(0, skillMd.length - body.length).split('\n').length
  const unread: string[] = []
  if (body.length > BODY_LIMIT) unread.push('SKILL.md')
  else prose.read(body, first, { required: true })
  const isForWindows = paths.some((path) => FOR_WINDOWS.test(path))
  let [programs, left] = [0, TEXT_LIMIT]
  for (const { path, size } of files) {
    if (path === 'SKILL.md') continue
    found.file = path
    if (isForWindows) for (const system of systemsOf(path)) found.add('systems', system, 1)
    const bytes = read(path)
    const isText = isProse(path) || isManifest(path)
    const isStarted = isProgram(path) || (bytes[0] === 0x23 && bytes[1] === 0x21)
    if (isStarted) programs += 1
    if (!isText && !isStarted) continue
    if ((!isText && bytes.includes(0)) || size > Math.min(FILE_LIMIT, left)) {
      unread.push(path)
      continue
    }
    const text = decodeLoosely(bytes)
    left -= size
    const starter = readStarter(text)
    const isPython = starter.some((word) => word.startsWith('python'))
    // Where uv starts programs it brings Python.
    if (isStarted && !(isPython && found.has('commands', 'uv'))) takeWords(starter, 1, found)
    const language = languageOf(path, starter)
    if (isManifest(path)) readManifest(path, text, found)
    else if (isProse(path)) prose.read(text, 1, {})
    else if (isShell(path) || SHELLS.has(language))
      readShellText(text, { line: 1, isStated: true, isScript: true }, found, modules)
    else readCode({ text, language, line: 1, isFile: true }, found, modules)
  }
  return {
    ...found.list(),
    unread,
    programs,
    version: readVersion(front),
    compatibility: front.compatibility,
    language: detectLanguage(body),
  }
}
