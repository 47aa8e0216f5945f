import type { SkillRecord } from '../../../src/catalog/schema.ts'
import type { Verdict } from './judge.ts'
import type { Dependent, Source } from './sources.ts'

/** What a record says of a source elsewhere. */
export type Upstream = Extract<SkillRecord['source'], { kind: 'upstream' }>

const addressAt = ({ kind }: Source, { url, rest }: Dependent, movedTo?: string): string => {
  if (movedTo === undefined) return url
  return kind === 'git' ? movedTo + rest : movedTo
}

/**
 * Gives what a record says of its source after a check; undefined where nothing changes. `isThere` says
 * of a skill that was gone or never seen whether its own page is there: its repository does not tell.
 */
export const settleSource = (
  before: Upstream,
  { source, skill, verdict }: { source: Source; skill: Dependent; verdict: Verdict },
  isThere: boolean,
  today: string,
): Upstream | undefined => {
  if (verdict.kind === 'gone') {
    const status = before.status === 'untraced' ? 'untraced' : 'gone'
    return { ...before, status, checked: today }
  }
  if (verdict.kind !== 'alive') return undefined
  if (!isThere) return { ...before, checked: today }
  const url = addressAt(source, skill, verdict.movedTo)
  return { ...before, url, status: 'alive', checked: today, seen: today }
}
