import { decodeLoosely } from '../text.ts'
import { OwnFiles, isProgram, isShell } from './files.ts'
import { FoundNames } from './found.ts'
import type { Needs } from './found.ts'
import { namePackage } from './packages.ts'
import { readShell } from './shell.ts'
import { SkillReader } from './skill-md.ts'

/** Longest file that is read, in bytes. */
const FILE_LIMIT = 256 * 1024

const IS_SAMPLE =
  /(?:^|\/)(?:tests?|examples?|samples?|templates?|assets|fixtures|evals?|boilerplates?)\//i
const REQUIREMENTS = /^(?:scripts\/)?requirements\.txt$/
const MANIFEST = /^(?:scripts\/)?package\.json$/
const READ_BY_CODE =
  /(?:environ(?:\.get\(|\[)|getenv\(|process\.env[.[]|env\.get\(|ENV(?:\.fetch\(|\[))\s?["']?([A-Z][A-Z0-9_]{2,60})\b/g

const readManifest = (text: string): string[] => {
  try {
    const { dependencies } = JSON.parse(text) as { dependencies?: object }
    return Object.keys(dependencies ?? {})
  } catch {
    return []
  }
}

const takeFile = (path: string, text: string, found: FoundNames): void => {
  const takePackages = (names: readonly string[], registry: string): void => {
    for (const name of names) found.add('packages', namePackage(name.trim(), registry))
  }
  if (REQUIREMENTS.test(path)) takePackages(text.split('\n'), 'PyPI')
  else if (MANIFEST.test(path)) takePackages(readManifest(text), 'npm')
  else if (isShell(path)) {
    const shell = readShell(text, true)
    const assigned = new Set(shell.assigned)
    found.addShell(shell)
    for (const name of shell.variables)
      if (/^[A-Z]\w*$/.test(name) && !assigned.has(name)) found.addVariable(name)
  } else for (const [, name = ''] of text.matchAll(READ_BY_CODE)) found.addVariable(name)
}

const isRead = (path: string): boolean =>
  !IS_SAMPLE.test(path) && (isProgram(path) || REQUIREMENTS.test(path) || MANIFEST.test(path))

/** Splits a list of tools at blanks and commas outside of brackets: `Read, Bash(git log:*)`. */
const listTools = (text: string): string[] => text.match(/[^\s,()]+(?:\([^()]*\))?/g) ?? []

/**
 * Collects what a skill's SKILL.md and its programs name. `own` are the names of the skill itself, `allowedTools` the
 * field of its front matter. `unread` says why the SKILL.md could not be read as Markdown, if it could not.
 */
export const collectNeeds = (
  own: readonly string[],
  allowedTools: string,
  skillMd: string,
  files: readonly { path: string; size: number }[],
  read: (path: string) => Uint8Array,
): { needs: Needs; unread?: string | undefined } => {
  const found = new FoundNames()
  for (const tool of listTools(allowedTools)) found.add('tools', tool)
  const paths = files.map(({ path }) => path)
  const unread = new SkillReader(found, new OwnFiles(paths, own)).read(skillMd)
  for (const { path, size } of files)
    if (isRead(path) && size <= FILE_LIMIT) takeFile(path, decodeLoosely(read(path)), found)
  return { needs: found.list(own), unread }
}
