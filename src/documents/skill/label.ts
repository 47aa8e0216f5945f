import { KINDS } from '../../catalog/needs/found.ts'
import type { NeedKind, Mention, Needs } from '../../catalog/needs/found.ts'
import { isAcceptedSevere, needsReview } from '../../catalog/safety/scan.ts'
import type { Skill } from '../../catalog/skill.ts'
import { countOf } from '../../catalog/text.ts'
import { estimateTokens } from '../../catalog/tokens.ts'
import { showName } from './needs.ts'

/** A label has at most this many names of one kind. `more` counts the others. */
const MOST_NAMES = 40

/** Tokens that a skill takes in a model's context: always, while it is used, and with all of its files. */
export interface Context {
  always: number
  use: number
  all: number
}

const roundRoughly = (count: number): number => Number(count.toPrecision(2))

export const estimateContext = ({
  name,
  description,
  whenToUse = '',
  startedBy,
  tokens = 0,
  allTokens = tokens,
}: Pick<
  Skill,
  'name' | 'description' | 'whenToUse' | 'startedBy' | 'tokens' | 'allTokens'
>): Context => ({
  // Clients do not list a skill that only the user starts.
  always:
    startedBy === 'user'
      ? 0
      : roundRoughly(estimateTokens(`${name}: ${description} ${whenToUse}`.trimEnd())),
  use: tokens,
  all: Math.max(tokens, allTokens),
})

/** Words the scan verdict, the same in the label, the findings and the JSON. */
export const describeScan = ({
  findings,
  safety,
  tokens,
}: Pick<Skill, 'findings' | 'safety' | 'tokens'>): string => {
  if (tokens === undefined && safety !== 'Review') return 'Not scanned'
  const open = findings.filter(needsReview).length
  const accepted = findings.filter(isAcceptedSevere).length
  const notes = findings.length - open - accepted
  const parts = [
    ...(open > 0 ? [`Review: ${countOf(open, 'finding')}`] : []),
    ...(accepted > 0 ? [`${countOf(accepted, 'finding')}, read and accepted`] : []),
    ...(open + accepted === 0 ? ['No findings'] : []),
    ...(notes > 0 ? [countOf(notes, 'note')] : []),
  ]
  return parts.join(', ')
}

/** What was read from a skill's files. An empty list means that nothing was found; if no file was read, there are no lists. */
export type Label =
  | { read: false }
  | (Readonly<Record<NeedKind, readonly Mention[]>> &
      Omit<Needs, NeedKind> & {
        read: true
        startedBy: NonNullable<Skill['startedBy']>
        context: Context
        scan: string
        testCases: Skill['testCases']
      })

const showNeed = (need: Mention): Mention => ({
  ...need,
  name: showName(need.name),
  file: showName(need.file),
  certain: undefined,
})

/** Returns the label of a skill. `mentioned` are the other skills that its text names. */
export const labelOf = (skill: Skill, mentioned: readonly Mention[]): Label => {
  const { needs, startedBy = 'both' } = skill
  if (needs === undefined) return { read: false }
  const { unread, version, compatibility } = needs
  const all = { ...needs, skills: mentioned }
  const more: Partial<Record<NeedKind, number>> = {}
  const lists = KINDS.map((kind) => {
    const left = Math.max(0, all[kind].length - MOST_NAMES) + (needs.more?.[kind] ?? 0)
    if (left > 0) more[kind] = left
    return [kind, all[kind].slice(0, MOST_NAMES).map(showNeed)]
  })
  return {
    read: true,
    ...(Object.fromEntries(lists) as Record<NeedKind, Mention[]>),
    ...(Object.keys(more).length > 0 ? { more } : {}),
    startedBy,
    context: estimateContext(skill),
    scan: describeScan(skill),
    testCases: skill.testCases,
    client: needs.client && showNeed(needs.client),
    programs: needs.programs,
    unread: unread.map(showName),
    version: version === undefined ? undefined : showName(version),
    compatibility: compatibility === undefined ? undefined : showName(compatibility),
    language: needs.language,
  }
}
