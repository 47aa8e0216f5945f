import type { SkillFile } from '../../../src/catalog/skill.ts'
import type { NoticeKind } from '../../../src/catalog/left-out.ts'
import { countOf } from '../../../src/catalog/text.ts'
import { CommandError } from '../cli/command.ts'
import type { Skip } from './skill-md.ts'

/** A line about one file of a skill; `path` is that of its SKILL.md. */
export interface Warning {
  path: string
  message: string
  /** Set for a kind of notice that one skill may have a hundred times. */
  kind?: NoticeKind | undefined
}

/** The words of a report for files of a kind, after their number. */
const NAMES: Readonly<Record<NoticeKind, string>> = {
  tool: 'files of tools left out',
  attributes: '.gitattributes left out, which git would apply to the catalog',
  cache: 'caches left out',
  environment: 'environment files left out',
  untracked: 'untracked files left out',
  submodule: 'submodules left out',
  link: 'symlinks left out',
  text: 'symlinks left out that were checked out as text files',
  limit: 'too large files left out',
  name: 'files left out whose names are not supported',
  special: 'pipes or devices left out',
  empty: 'empty folders left out',
  missing: 'tracked files that are missing in this folder',
  record: 'skill.json left out, since the registry writes its own',
  spelling: 'other spellings of SKILL.md left out',
  parent: 'skills in a folder of tests or templates',
  windows: 'file names that are not valid on some systems',
  crlf: 'scripts whose first line ends in CRLF, so Unix systems cannot run them',
  pointer: 'Git LFS pointers instead of files',
  dead: 'links to files that the skill does not have',
  cut: 'values cut short by a comment (" #")',
  ignored: 'files that git ignores in the catalog',
  bit: 'files whose executable bit differs from the source',
}

/** Warns of files whose executable bits neither the disk nor git's index kept; `path` is that of the SKILL.md. */
export const explainLostBits = (path: string, files: readonly SkillFile[]): Warning[] =>
  files.map((file) => {
    const [state, sign] = file.isExecutable ? ['executable', '+'] : ['not executable', '-']
    const way = `commit it with "git add --chmod=${sign}x"`
    const message = `${file.path} — ${state} at its source, but this disk stores no executable bits; ${way}`
    return { kind: 'bit', path, message }
  })

/** Throws CommandError, where nothing but git's index could keep bits. */
export const refuseLostBits = (slug: string, files: readonly SkillFile[]): void => {
  const [first] = explainLostBits(slug, files)
  if (first) throw new CommandError(`skills/${slug}/${first.message}`)
}

/** A line of a report: our words, and what strangers wrote. */
interface NoticeLine {
  ours: string
  path: string
  message: string
}

/** One line for all files of a kind, in the order of `NAMES`; a file alone is named. `all` says how to see each. */
export const summarizeNotices = (warnings: readonly Warning[], all: string): NoticeLine[] => {
  const groups = Map.groupBy(
    warnings.filter(({ kind }) => kind !== undefined),
    ({ kind }) => kind,
  )
  return Object.entries(NAMES).flatMap(([kind, name]): NoticeLine[] => {
    const [first, ...more] = groups.get(kind as NoticeKind) ?? []
    if (first === undefined) return []
    const skills = new Set([first, ...more].map(({ path }) => path)).size
    const count = `${more.length + 1} ${name} of ${countOf(skills, 'skill')}; ${all}; the first: `
    return [{ ours: more.length === 0 ? '' : count, ...first }]
  })
}

/** Skills that are named of those left out for one reason: a source may have thousands. */
const NAMED = 5

/** The key by which reasons are grouped: the reason without numbers and quotations. */
const groupOf = ({ kind, reason }: Skip): string =>
  kind === 'duplicate' || kind === 'retired' ? kind : reason.replace(/".*/s, '').replace(/\d+/g, '')

/** The first skills that are left out for each reason, and how many more are. */
export const summarizeSkips = (skips: readonly Skip[]): { named: Skip[]; more: number }[] =>
  [...Map.groupBy(skips, groupOf).values()].map((group) => ({
    named: group.slice(0, NAMED),
    more: Math.max(0, group.length - NAMED),
  }))
