import { KINDS } from '../../catalog/needs/found.ts'
import type { NeedKind, Mention, Needs } from '../../catalog/needs/found.ts'
import type { Skill } from '../../catalog/skill.ts'
import { estimateTokens } from '../../catalog/tokens.ts'
import { showName } from './words.ts'

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

/** The files of a skill that were read. */
interface ReadFiles {
  /** Number of files that were read whole, of all files. */
  files: number
  of: number
  /** Names of files that were not read, or only in part; absent if all were. */
  not?: readonly string[]
}

/** What was found in a skill's files. A kind of which no name was found has no list. */
export type Label = Partial<Readonly<Record<NeedKind, readonly Mention[]>>> &
  Partial<Pick<Needs, 'more' | 'local' | 'programs' | 'version' | 'compatibility' | 'language'>> &
  Pick<Skill, 'startedBy' | 'testCases'> & { context: Context; read: ReadFiles }

const showNeed = (need: Mention): Mention => ({
  ...need,
  name: showName(need.name),
  file: showName(need.file),
  certain: undefined,
})

/** Returns the label of a skill; undefined if the registry does not have its text. `mentioned` are the other skills that its text names. */
export const labelOf = (skill: Skill, mentioned: readonly Mention[]): Label | undefined => {
  const { needs, files, startedBy, testCases } = skill
  if (needs === undefined) return undefined
  const { unread, version, compatibility, language } = needs
  const all = { ...needs, skills: mentioned }
  const more: Partial<Record<NeedKind, number>> = {}
  const lists = KINDS.filter((kind) => all[kind].length > 0).map((kind) => {
    const left = Math.max(0, all[kind].length - MOST_NAMES) + (needs.more?.[kind] ?? 0)
    if (left > 0) more[kind] = left
    return [kind, all[kind].slice(0, MOST_NAMES).map(showNeed)]
  })
  return {
    ...(Object.fromEntries(lists) as Partial<Record<NeedKind, Mention[]>>),
    ...(Object.keys(more).length > 0 ? { more } : {}),
    local: needs.local && showNeed(needs.local),
    ...(needs.programs > 0 ? { programs: needs.programs } : {}),
    version: version === undefined ? undefined : showName(version),
    compatibility: compatibility === undefined ? undefined : showName(compatibility),
    language,
    startedBy: startedBy === 'both' ? undefined : startedBy,
    testCases,
    context: estimateContext(skill),
    read: {
      files: files.length - unread.length,
      of: files.length,
      ...(unread.length > 0 ? { not: unread.slice(0, MOST_NAMES).map(showName) } : {}),
    },
  }
}
