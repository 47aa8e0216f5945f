import type { NoticeKind } from '../../../src/catalog/left-out.ts'
import { countOf } from '../../../src/catalog/text.ts'

/** A line about one file of a skill; `path` is that of its SKILL.md. */
export interface Warning {
  path: string
  message: string
  /** Set for what one skill may have a hundred of. */
  kind?: NoticeKind | undefined
}

/** What a report calls the files of a kind, after their number. */
const NAMES: Readonly<Record<NoticeKind, string>> = {
  tool: 'files of tools left out',
  cache: 'caches left out',
  environment: 'environment files left out',
  untracked: 'files left out that git does not track',
  submodule: 'submodules left out',
  link: 'links left out',
  limit: 'files left out that are too large',
  name: 'files left out whose names cannot be kept',
  special: 'pipes or devices left out',
  record: 'skill.json left out, which the registry writes itself',
  spelling: 'other spellings of SKILL.md left out',
  parent: 'skills that lie in a folder of tests or patterns',
  windows: 'file names that some systems cannot have',
  crlf: 'scripts whose first line ends in CR and LF, so that no Unix system starts them',
  pointer: 'pointers of Git LFS instead of files',
  dead: 'links to files that the skill does not have',
  cut: 'values that a comment (" #") has cut',
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
