import type { Problem } from '../../../src/catalog/problems.ts'
import { makeProblem } from '../rules.ts'
import type { Candidate } from './candidate.ts'
import type { LastChange } from './git/last-change.ts'

/** Clients of several makers read skills in `.agents`; only one maker's clients read `.claude`. */
const PLACE = /^((?:.*\/)?)(\.agents|\.claude)\/skills\/([^/]+)$/

type Twin = Pick<Candidate, 'path' | 'file' | 'name'> & {
  findChange: () => Promise<Pick<LastChange, 'at'> | undefined> | undefined
}

/** The key that twins share; undefined for a skill outside of these folders. */
const keyOf = ({ path, name }: Twin): string | undefined => {
  const [, before, , folder] = PLACE.exec(path) ?? []
  return folder === undefined ? undefined : [before, folder, name].join('\n')
}

/** Chooses the most recently changed twin; `.agents` if the dates are equal or unknown. */
const chooseTwin = async (twins: readonly Twin[]): Promise<Twin> => {
  const dated = await Promise.all(
    twins.map(async (twin) => ({ twin, at: (await twin.findChange())?.at ?? 0 })),
  )
  const [first] = dated.sort((a, b) => b.at - a.at || (a.twin.path < b.twin.path ? -1 : 1))
  return first!.twin
}

/** Drops duplicates that a repository keeps in `.agents/skills` and `.claude/skills`, and reports them as skips. */
export const dropTwins = async <Found extends Twin>(
  candidates: readonly Found[],
): Promise<{ candidates: Found[]; skips: Problem[] }> => {
  const groups = Map.groupBy(candidates, (candidate) => keyOf(candidate) ?? candidate.path)
  const dropped = new Map<Twin, Twin>()
  for (const twins of groups.values()) {
    if (twins.length < 2) continue
    const chosen = await chooseTwin(twins)
    for (const twin of twins) if (twin !== chosen) dropped.set(twin, chosen)
  }
  const skips = [...dropped].map(([{ file }, chosen]) => {
    const message = `has the same name and folder as ${chosen.file}, which is at least as recent`
    return makeProblem(file, { rule: 'duplicate', message })
  })
  return { candidates: candidates.filter((candidate) => !dropped.has(candidate)), skips }
}
