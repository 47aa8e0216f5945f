import {
  SketchIndex,
  compareSketches,
  digestWords,
  hashShingles,
  hashWords,
  measureOverlap,
  sketchShingles,
  sortSet,
} from './similarity.ts'
import type { Sketch } from './similarity.ts'

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

/** Times that a name's own word stands in a text before it is what the text is about. */
const ABOUT = 2

/** A name however it is written: `SSH Testing` is `ssh-testing`. */
const nameKey = ({ name }: Member): string => hashWords(name).join(' ')

const countIn = ({ words }: Text, word: number): number =>
  words.reduce((count, one) => count + Number(one === word), 0)

/** Whether a text is about a word of its name that the other never mentions. */
const isAboutOwn = (name: Uint32Array, text: Text, otherName: Uint32Array, other: Text): boolean =>
  name.some(
    (word) =>
      !otherName.includes(word) && countIn(text, word) >= ABOUT && countIn(other, word) === 0,
  )

/**
 * Whether two texts are one template filled for two things: `auth-react` and `auth-vue` may
 * share most words, and are no copies.
 */
const areSiblings = (a: Member, aText: Text, b: Member, bText: Text): boolean => {
  const [aName, bName] = [hashWords(a.name), hashWords(b.name)]
  return isAboutOwn(aName, aText, bName, bText) || isAboutOwn(bName, bText, aName, aText)
}

/** Decides of one skill after the other, in the order of precedence, whether it is a copy. */
class CopyFinder<Skill extends Member> {
  private readonly readText: (member: Skill) => string
  private readonly texts = new Map<number, Text>()
  private readonly index = new SketchIndex()
  private readonly originals = new Map<number, { member: Skill; sketch: Sketch }>()
  /** What was found of each text, by the digest of its words. */
  private readonly byDigest = new Map<string, Copy>()

  constructor(readText: (member: Skill) => string) {
    this.readText = readText
  }

  private read(member: Skill): Text {
    const known = this.texts.get(member.id)
    if (known) return known
    const words = hashWords(this.readText(member))
    const text: Text = { words, shingles: hashShingles(words) }
    if (this.texts.size >= REMEMBERED) this.texts.clear()
    this.texts.set(member.id, text)
    return text
  }

  /** How much a skill shares with an original that it is a copy of; 0 where it is none. */
  private compare(member: Skill, sketch: Sketch, originalId: number): number {
    const original = this.originals.get(originalId)
    if (!original || compareSketches(sketch, original.sketch) < SKETCH_OVERLAP) return 0
    const [text, other] = [this.read(member), this.read(original.member)]
    const overlap = measureOverlap(setOf(text), setOf(other))
    const isRenamed = nameKey(member) !== nameKey(original.member)
    if (overlap < (isRenamed ? RENAMED_OVERLAP : COPY_OVERLAP)) return 0
    return areSiblings(member, text, original.member, other) ? 0 : overlap
  }

  private findOriginal(member: Skill, sketch: Sketch): Copy | undefined {
    let best: Copy | undefined
    for (const original of this.index.find(sketch)) {
      const overlap = this.compare(member, sketch, original)
      if (overlap > (best?.overlap ?? 0)) best = { id: member.id, original, overlap }
    }
    return best
  }

  /** The copy that a skill is; undefined where it is an original. */
  settle(member: Skill): Copy | undefined {
    const { words, shingles } = this.read(member)
    const isShort = words.length < SHORT_TEXT
    const key = isShort ? `${nameKey(member)} ${digestWords(words)}` : digestWords(words)
    const same = this.byDigest.get(key)
    if (same) return { ...same, id: member.id }
    const sketch = sketchShingles(shingles)
    const found = isShort ? undefined : this.findOriginal(member, sketch)
    this.byDigest.set(key, found ?? { id: member.id, original: member.id, overlap: 1 })
    if (!found && !isShort) {
      this.originals.set(member.id, { member, sketch })
      this.index.add(member.id, sketch)
    }
    return found
  }
}

/**
 * Finds near-duplicates among skills, near linearly in their number. Every copy is compared with the original
 * itself, so families do not drift; `onMember` is called for each skill.
 */
export const findCopies = <Skill extends Member>(
  members: readonly Skill[],
  readText: (member: Skill) => string,
  onMember: () => void,
): Copy[] => {
  const finder = new CopyFinder(readText)
  const copies = members.toSorted(byPrecedence).flatMap((member) => {
    const copy = finder.settle(member)
    onMember()
    return copy ?? []
  })
  return copies.sort((a, b) => a.id - b.id)
}
