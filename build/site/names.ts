import { pageName, skillNames, twinName } from './outputs.ts'
import type { BuildState, SkillRow, StateHead } from './state.ts'
import { readDetails } from './row-details.ts'
import { isUntracedRow } from './state.ts'

/** Names the files of a skill that was built. */
export const namesOfRow = (row: SkillRow | undefined): string[] =>
  !row || isUntracedRow(row) ? [] : skillNames(row, readDetails(row).paths)

/** Names the files of pages. */
export const namesOfPages = (pages: StateHead['pages']): string[] =>
  Object.keys(pages).flatMap((path) => [pageName(path), twinName(path)])

/** Names every file of a site that was built. */
export const namesOfState = ({ head, rows }: BuildState): string[] => [
  ...[...rows.values()].flatMap(namesOfRow),
  ...namesOfPages(head.pages),
  ...head.others,
]

/** Gives the names that are no longer wanted. */
export const subtractNames = (names: readonly string[], wanted: Iterable<string>): string[] => {
  const kept = new Set(wanted)
  return names.filter((name) => !kept.has(name))
}
