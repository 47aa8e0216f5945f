import { compareSketches, createSketchIndex, sketchShingles } from './sketch.ts'
import type { Sketch } from './sketch.ts'
import { digestWords, hashShingles, hashWords, measureOverlap, sortSet } from './words.ts'

/** A skill as families see it. */
export interface Member {
  id: number
  name: string
  installs: number
  /** Day of its last change, YYYY-MM-DD. */
  updated: string
}

/** A copy, the original of its family, and how much of their text they share, from 0 to 1. */
export interface Copy {
  id: number
  original: number
  overlap: number
}

/** Share of three-word runs that makes a copy: one word in twenty changed leaves at least .72. */
const COPY_OVERLAP = 0.7

/** The same under another name, where one template filled twice comes as near as .83. */
const RENAMED_OVERLAP = 0.85

/** Sketches tell an overlap within some hundredths; below this none is looked at closely. */
const SKETCH_OVERLAP = 0.55

/** Texts with fewer words are copies only where they are the same and named the same. */
const SHORT_TEXT = 40

/** The original of a family stands first: most installs, then oldest, then lowest id. */
const byPrecedence = (a: Member, b: Member): number =>
  b.installs - a.installs ||
  (a.updated < b.updated ? -1 : Number(a.updated > b.updated)) ||
  a.id - b.id

interface Text {
  words: Uint32Array
  shingles: Uint32Array
  /** Its shingles in order, once they were asked for. */
  set?: Uint32Array
}

const setOf = (text: Text): Uint32Array => (text.set ??= sortSet(text.shingles))

/** Texts that are remembered before all are forgotten: those of one family are wanted together. */
const REMEMBERED = 2_000

const createReader = (readText: (id: number) => string): ((id: number) => Text) => {
  const remembered = new Map<number, Text>()
  return (id) => {
    const known = remembered.get(id)
    if (known) return known
    const words = hashWords(readText(id))
    const text: Text = { words, shingles: hashShingles(words) }
    if (remembered.size >= REMEMBERED) remembered.clear()
    remembered.set(id, text)
    return text
  }
}

/** Times that a name's own word stands in a text before it is what the text is about. */
const ABOUT = 2

/** A name however it is written: `SSH Testing` is `ssh-testing`. */
const nameKey = ({ name }: Member): string => hashWords(name).join(' ')

const countIn = ({ words }: Text, word: number): number =>
  words.reduce((count, one) => count + Number(one === word), 0)

/** Says whether a text is about a word of its name that the other never mentions. */
const isAboutOwn = (name: Uint32Array, text: Text, otherName: Uint32Array, other: Text): boolean =>
  name.some(
    (word) =>
      !otherName.includes(word) && countIn(text, word) >= ABOUT && countIn(other, word) === 0,
  )

/**
 * Says whether two texts are one template filled for two things: `auth-react` and `auth-vue` may
 * share most words, and are no copies.
 */
const areSiblings = (a: Member, aText: Text, b: Member, bText: Text): boolean => {
  const [aName, bName] = [hashWords(a.name), hashWords(b.name)]
  return isAboutOwn(aName, aText, bName, bText) || isAboutOwn(bName, bText, aName, aText)
}

interface Original {
  member: Member
  sketch: Sketch
}

/**
 * Finds near-duplicates among skills, near linearly in their number. Every copy is compared with
 * the original itself, so families do not drift; `onMember` is told of each.
 */
export const findCopies = (
  members: readonly Member[],
  readText: (id: number) => string,
  onMember: () => void,
): Copy[] => {
  const read = createReader(readText)
  const index = createSketchIndex()
  const originals = new Map<number, Original>()
  const sameText = new Map<string, Copy>()
  const compare = (member: Member, sketch: Sketch, original: Original): number => {
    if (compareSketches(sketch, original.sketch) < SKETCH_OVERLAP) return 0
    const [text, other] = [read(member.id), read(original.member.id)]
    const overlap = measureOverlap(setOf(text), setOf(other))
    const isRenamed = nameKey(member) !== nameKey(original.member)
    if (overlap < (isRenamed ? RENAMED_OVERLAP : COPY_OVERLAP)) return 0
    return areSiblings(member, text, original.member, other) ? 0 : overlap
  }
  const findOriginal = (member: Member, sketch: Sketch): Copy | undefined => {
    let best: Copy | undefined
    for (const id of index.find(sketch)) {
      const original = originals.get(id)
      const overlap = original ? compare(member, sketch, original) : 0
      if (overlap > (best?.overlap ?? 0)) best = { id: member.id, original: id, overlap }
    }
    return best
  }
  const settle = (member: Member): Copy | undefined => {
    const { words, shingles } = read(member.id)
    const isShort = words.length < SHORT_TEXT
    const key = isShort ? `${nameKey(member)} ${digestWords(words)}` : digestWords(words)
    const same = sameText.get(key)
    if (same) return { ...same, id: member.id }
    const sketch = sketchShingles(shingles)
    const found = isShort ? undefined : findOriginal(member, sketch)
    sameText.set(key, found ?? { id: member.id, original: member.id, overlap: 1 })
    if (!found && !isShort) {
      originals.set(member.id, { member, sketch })
      index.add(member.id, sketch)
    }
    return found
  }
  const copies = members.toSorted(byPrecedence).flatMap((member) => {
    const copy = settle(member)
    onMember()
    return copy ?? []
  })
  return copies.sort((a, b) => a.id - b.id)
}
