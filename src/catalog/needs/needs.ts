import { splitLoosely } from '../front-matter.ts'
import type { FrontMatter } from '../front-matter.ts'
import { detectLanguage } from '../language.ts'
import { decodeLoosely } from '../text.ts'
import { isCode, readCode } from './code.ts'
import { OwnFiles, isProgram, isProse, isShell } from './files.ts'
import { FoundNames } from './found.ts'
import type { Needs } from './found.ts'
import { isManifest, readManifest } from './manifests.ts'
import { takeDescription, takeServers } from './mentions.ts'
import { ProseReader } from './prose.ts'
import { readShell, takeWords } from './shell.ts'
import { readHost } from './traces.ts'

/** Longest file that is read, in bytes. */
const FILE_LIMIT = 256 * 1024

/** Splits a list of tools at blanks and commas outside of brackets: `Read, Bash(git log:*)`. */
const TOOL = /[^\s,()]+(?:\([^()]*\))?/g

/** Systems by the names that Node gives them. */
const SYSTEMS: Readonly<Record<string, string>> = {
  darwin: 'macOS',
  linux: 'Linux',
  win32: 'Windows',
}
/** How OpenClaw installs packages of a kind. */
const INSTALLERS: Readonly<Record<string, string>> = {
  brew: 'brew install',
  node: 'npm install -g',
  go: 'go install',
  uv: 'uv tool install',
}

const DECLARED = { declared: true } as const
const REQUIRED = { declared: true, required: true } as const

type Take = (name: string, line: number, found: FoundNames) => void

/** What the fields of the front matter name. A field may have several names, with commas between. */
const FIELDS: readonly (readonly [take: Take, ...fields: (keyof FrontMatter)[]])[] = [
  [
    (name, line, found) => found.add('commands', name, line, REQUIRED),
    'metadata.requires.bins',
    'metadata.openclaw.requires.bins',
    'metadata.openclaw.requires.anyBins',
  ],
  [
    (name, line, found) => found.addVariable(name, line, REQUIRED),
    'metadata.requires.env',
    'metadata.openclaw.requires.env',
    'metadata.openclaw.primaryEnv',
  ],
  [
    (name, line, found) => found.addVariable(name, line, DECLARED),
    'metadata.openclaw.envVars',
    'inputs',
  ],
  [
    (name, line, found) => found.add('systems', SYSTEMS[name] ?? name, line, DECLARED),
    'metadata.openclaw.os',
    'metadata.os',
  ],
  [
    (name, line, found) => {
      const [kind = '', one = ''] = name.split(' ')
      takeWords([...(INSTALLERS[kind] ?? '').split(' '), one], line, found)
    },
    'metadata.openclaw.install',
  ],
  [
    (name, line, found) => found.add('skills', name, line, { ...DECLARED, certain: true }),
    'related-skills',
    'metadata.related-skills',
    'metadata.requires.skills',
  ],
]

const takeTool: Take = (tool, line, found) => {
  found.add('tools', tool, line, DECLARED)
  takeServers(tool, line, found)
  const [, kind, inside = ''] = /^(Bash|WebFetch)\(([^()]*)\)$/.exec(tool) ?? []
  const words = inside.replace(/:.*$/, '').split(' ')
  if (kind === 'Bash') takeWords(words, line, found, { marks: DECLARED })
  if (kind !== 'WebFetch') return
  found.add('hosts', readHost(inside.replace(/^domain:/, 'https://')), line, DECLARED)
}

/** Takes what the front matter states. */
const takeFront = (front: FrontMatter, block: string, found: FoundNames): void => {
  const lines = block.split('\n')
  /** The line of the file where a field, or a name in it, stands; the block begins at the second. */
  const lineOf = (field: string, name = ''): number => {
    const start = lines.findIndex((line) => line.trimStart().startsWith(`${field}:`))
    const at = lines.findIndex((line, index) => index >= start && line.includes(name))
    return Math.max(0, at) + 2
  }
  for (const [take, ...fields] of FIELDS)
    for (const field of fields)
      for (const name of (front[field] ?? '').split(/,\s*/).filter(Boolean)) {
        const last = field.split('.').at(-1)!
        take(name, lineOf(last, name.split(' ').at(-1)), found)
      }
  for (const tool of (front['allowed-tools'] ?? '').match(TOOL) ?? [])
    takeTool(tool, lineOf('allowed-tools', tool), found)
  for (const field of ['description', 'compatibility'] as const)
    takeDescription(front[field] ?? '', lineOf(field), found)
}

/** Modules that a skill brings itself, by the names of its files and folders. */
const listModules = (paths: readonly string[]): Set<string> =>
  new Set(paths.flatMap((path) => path.split('/').map((part) => part.replace(/\.\w+$/, ''))))

const endingOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''

/** Collects what a skill's files name. `own` are the names of the skill itself. */
export const collectNeeds = (
  own: readonly string[],
  front: FrontMatter,
  skillMd: string,
  files: readonly { path: string; size: number }[],
  read: (path: string) => Uint8Array,
): Needs => {
  const found = new FoundNames()
  const paths = files.map(({ path }) => path)
  const modules = listModules(paths)
  const prose = new ProseReader(found, new OwnFiles(paths, own), modules)
  const { block = '', body } = splitLoosely(skillMd)
  found.file = 'SKILL.md'
  takeFront(front, block, found)
  const first = skillMd.slice(0, skillMd.length - body.length).split('\n').length
  prose.read(body, first, { required: true })
  const unread: string[] = []
  let programs = 0
  for (const { path, size } of files) {
    if (path === 'SKILL.md') continue
    const bytes = read(path)
    const isText = isProse(path) || isManifest(path)
    const isStarted = isProgram(path) || (bytes[0] === 0x23 && bytes[1] === 0x21)
    if (isStarted) programs += 1
    if (!isText && !isStarted) continue
    const language = endingOf(path)
    if (size > FILE_LIMIT || !(isText || isCode(language) || isShell(path))) {
      unread.push(path)
      continue
    }
    const text = decodeLoosely(bytes)
    found.file = path
    if (isManifest(path)) readManifest(path, text, found)
    else if (isProse(path)) prose.read(text, 1, {})
    else if (isShell(path)) readShell(text, { line: 1, isStated: true, isScript: true }, found)
    else readCode({ text, language, line: 1, isFile: true }, found, modules)
  }
  return {
    ...found.list(own),
    unread,
    programs,
    version: front.version ?? front['metadata.version'],
    compatibility: front.compatibility,
    language: detectLanguage(body),
  }
}
