import { KINDS } from '../../catalog/needs/found.ts'
import type { NeedKind, Mention, Needs } from '../../catalog/needs/found.ts'
import type { Skill } from '../../catalog/skill.ts'
import { showName } from './needs.ts'

/** Most names of one kind in a label; `more` says how many there are besides. */
const MOST_NAMES = 24

/** What a skill's files say of themselves. An empty list was read and has no name; of what was not read there is no list. */
export type Label =
  | { read: false }
  | (Readonly<Record<NeedKind, readonly Mention[]>> &
      Omit<Needs, NeedKind> & { read: true; startedBy: NonNullable<Skill['startedBy']> })

const showNeed = (need: Mention): Mention => ({
  ...need,
  name: showName(need.name),
  file: showName(need.file),
  certain: undefined,
})

/** The label of a skill; `mentioned` are the other skills that its text names. */
export const labelOf = (
  { needs, startedBy = 'both' }: Pick<Skill, 'needs' | 'startedBy'>,
  mentioned: readonly Mention[],
): Label => {
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
    programs: needs.programs,
    unread: unread.map(showName),
    version: version === undefined ? undefined : showName(version),
    compatibility: compatibility === undefined ? undefined : showName(compatibility),
    language: needs.language,
  }
}
