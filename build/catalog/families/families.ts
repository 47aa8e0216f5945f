import { hash } from 'node:crypto'
import { splitCompounds } from '../../../src/search/tokens.ts'

export interface Member {
  id: number
  name: string
  installs: number
  /** Day of its last change, YYYY-MM-DD. */
  updated: string | undefined
}

/** A copy, the original of its family, and their overlap between 0 and 1. */
interface Copy {
  id: number
  original: number
  overlap: number
}

/** Minimum overlap of copies with the same name: changing one word in twenty leaves at least .72. */
const COPY_OVERLAP = 0.7

/** Texts with fewer words are copies only if both text and name are equal. */
const SHORT_TEXT = 40

const UNKNOWN_DAY = '9999-12-31'

const compareDays = (a = UNKNOWN_DAY, b = UNKNOWN_DAY): number => (a < b ? -1 : Number(a > b))

/** Orders originals first: most installs, then oldest, then lowest id. */
const byPrecedence = (a: Member, b: Member): number =>
  b.installs - a.installs || compareDays(a.updated, b.updated) || a.id - b.id

/** Limits the text folded at once: folding is quadratic in the number of consecutive combining marks. */
const PIECE = /\S{1,1000}/g

const splitWords = (text: string): string[] =>
  (text.match(PIECE) ?? []).flatMap((piece) =>
    splitCompounds(piece).flatMap((compound) => compound.map((word) => word.text)),
  )

/** Lists all sequences of three words. */
const listRuns = (words: readonly string[]): Set<string> =>
  new Set(words.slice(2).map((word, at) => `${words[at]} ${words[at + 1]} ${word}`))

/** Jaccard similarity, from 0 to 1. */
const measureOverlap = (runs: ReadonlySet<string>, otherRuns: ReadonlySet<string>): number => {
  const shared = [...runs].filter((run) => otherRuns.has(run)).length
  return shared / (runs.size + otherRuns.size - shared || 1)
}

/**
 * Finds skills with equal texts, and skills with the same name and nearly equal texts. Every copy is compared with the
 * original itself, so that families do not drift. Calls `onMember` for each skill.
 */
export const findCopies = <Skill extends Member>(
  members: readonly Skill[],
  readText: (member: Skill) => string,
  onMember: () => void,
): Copy[] => {
  /** The original of each family, by the digest of a member's words. */
  const families = new Map<string, number>()
  /** The originals with each name. */
  const originals = new Map<string, Skill[]>()
  const runsOf = (member: Skill): Set<string> => listRuns(splitWords(readText(member)))
  const findNear = (name: string, words: readonly string[]): Omit<Copy, 'id'> | undefined => {
    const others = originals.get(name) ?? []
    if (others.length === 0) return undefined
    const runs = listRuns(words)
    const [best] = others
      .map((other) => ({ original: other.id, overlap: measureOverlap(runs, runsOf(other)) }))
      .sort((a, b) => b.overlap - a.overlap)
    return best && best.overlap >= COPY_OVERLAP ? best : undefined
  }
  const findOriginal = (member: Skill): Copy[] => {
    const words = splitWords(readText(member))
    const name = splitWords(member.name).join(' ')
    const isShort = words.length < SHORT_TEXT
    const key = hash('sha256', `${isShort ? name : ''}\n${words.join(' ')}`)
    const known = families.get(key)
    if (known !== undefined) return [{ id: member.id, original: known, overlap: 1 }]
    const near = isShort ? undefined : findNear(name, words)
    families.set(key, near?.original ?? member.id)
    if (near) return [{ id: member.id, ...near }]
    if (!isShort) originals.set(name, [...(originals.get(name) ?? []), member])
    return []
  }
  const copies = members.toSorted(byPrecedence).flatMap((member) => {
    onMember()
    return findOriginal(member)
  })
  return copies.sort((a, b) => a.id - b.id)
}
