import type { SkillFile } from '../../../src/catalog/skill.ts'
import type { NoticeKind } from '../../../src/catalog/left-out.ts'
import { countOf } from '../../../src/catalog/text.ts'
import { CommandError } from '../cli/command.ts'
import type { Skip } from './skill-md.ts'

/** A message about one file of a skill; `path` is the path of its SKILL.md. */
export interface Warning {
  path: string
  message: string
  /** Set for notices that can occur a hundred times in one skill. */
  kind?: NoticeKind | undefined
}

/** The description of each kind in reports; a number precedes it. */
const NAMES: Readonly<Record<NoticeKind, string>> = {
  tool: 'tool files left out',
  system: 'system files left out',
  editor: 'backup and lock files left out',
  attributes: '.gitattributes left out, which git would apply to the catalog',
  cache: 'caches left out',
  environment: 'environment files left out',
  untracked: 'untracked files left out',
  submodule: 'submodules left out',
  link: 'symlinks left out',
  text: 'symlinks left out that were checked out as text files',
  limit: 'oversized files left out',
  name: 'files with unsupported names left out',
  special: 'pipes or devices left out',
  empty: 'empty folders left out',
  missing: 'tracked files that are missing in this folder',
  record: 'skill.json left out, since the registry writes its own',
  spelling: 'files left out that some systems unpack over others',
  parent: 'skills in a test or template folder',
  windows: 'file names that are not valid on some systems',
  crlf: 'scripts whose first line ends in CRLF, so Unix systems cannot run them',
  pointer: 'Git LFS pointers instead of files',
  upload: 'things that the upload of Claude refuses',
  dead: 'links to files that the skill does not have',
  cut: 'values without the quotes that they need',
  ignored: 'files that git ignores in the catalog',
  bit: 'files whose executable bit differs from the source',
}

/** Warns of executable bits that neither the disk nor git's index can store; `path` is the path of the SKILL.md. */
export const explainLostBits = (path: string, files: readonly SkillFile[]): Warning[] =>
  files.map((file) => {
    const [state, operator] = file.isExecutable ? ['executable', '+'] : ['not executable', '-']
    const remedy = `commit it with "git add --chmod=${operator}x"`
    const message = `${file.path} — ${state} at its source, but this disk stores no executable bits; ${remedy}`
    return { kind: 'bit', path, message }
  })

/** Throws CommandError if only git's index could store the executable bits. */
export const refuseLostBits = (slug: string, files: readonly SkillFile[]): void => {
  const [first] = explainLostBits(slug, files)
  if (first) throw new CommandError(`skills/${slug}/${first.message}`)
}

const ALL_LISTED = '"npm run catalog -- check" of the folder, or of a clone, lists all'

/** A report line: our own text, and untrusted text. */
interface NoticeLine {
  ours: string
  path: string
  message: string
}

/** Returns one line per kind, in the order of `NAMES`, with a count from 2 on. */
export const summarizeNotices = (warnings: readonly Warning[]): NoticeLine[] => {
  const groups = Map.groupBy(
    warnings.filter(({ kind }) => kind !== undefined),
    ({ kind }) => kind,
  )
  return Object.entries(NAMES).flatMap(([kind, name]): NoticeLine[] => {
    const [first, ...more] = groups.get(kind as NoticeKind) ?? []
    if (first === undefined) return []
    const skills = new Set([first, ...more].map(({ path }) => path)).size
    const count = `${more.length + 1} ${name} of ${countOf(skills, 'skill')}; ${ALL_LISTED}; the first: `
    return [{ ours: more.length === 0 ? '' : count, ...first }]
  })
}

/** How many skills are shown for each reason to skip: a source may have thousands. */
const SHOWN = 5

/** Says that more skips are not shown. */
export const countMore = (more: number): string => `and ${more} more like these; ${ALL_LISTED}`

/** Groups skips by their reason without numbers and quoted text. */
const groupOf = ({ kind, reason }: Skip): string =>
  kind === 'duplicate' || kind === 'retired' ? kind : reason.replace(/".*/s, '').replace(/\d+/g, '')

/** Returns the first skills skipped for each reason, and the number of further ones. */
export const summarizeSkips = (skips: readonly Skip[]): { shown: Skip[]; more: number }[] =>
  [...Map.groupBy(skips, groupOf).values()].map((group) => ({
    shown: group.slice(0, SHOWN),
    more: Math.max(0, group.length - SHOWN),
  }))
