import { hash } from 'node:crypto'

const FNV_START = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** First code unit of scripts without spaces between words; each of their characters counts as a word. */
const FIRST_OF_HAN = 0x2e80

/** Separators: ASCII except letters and digits, and Unicode's punctuation blocks. */
const isSeparator = (code: number): boolean =>
  code < 0xc0
    ? !/[a-z0-9]/i.test(String.fromCharCode(code))
    : (code >= 0x2000 && code < FIRST_OF_HAN) ||
      (code >= 0x3000 && code <= 0x303f) ||
      (code >= 0xff00 && code <= 0xff0f)

/** Normalizes a code unit: ASCII letters to lower case, separators to 0. */
const UNITS = Uint16Array.from({ length: 0x10000 }, (_, code) => {
  if (isSeparator(code)) return 0
  return code >= 65 && code <= 90 ? code + 32 : code
})

const addUnit = (value: number, code: number): number => Math.imul(value ^ code, FNV_PRIME)

/** Buffer reused for all texts. */
let scratch = new Uint32Array(0)

/**
 * Hashes the words of a text: only letters and digits, in lower case, so that Markdown syntax and white space
 * make no difference. In one pass, since a catalog has a gigabyte of text.
 */
const hashWords = (text: string): Uint32Array => {
  if (scratch.length < text.length) scratch = new Uint32Array(text.length * 2)
  let count = 0
  let value = FNV_START
  for (let at = 0; at < text.length; at += 1) {
    const unit = UNITS[text.charCodeAt(at)] ?? 0
    if (unit !== 0 && unit < FIRST_OF_HAN) value = addUnit(value, unit)
    else {
      if (value !== FNV_START) scratch[count++] = value
      if (unit !== 0) scratch[count++] = addUnit(FNV_START, unit)
      value = FNV_START
    }
  }
  if (value !== FNV_START) scratch[count++] = value
  return scratch.slice(0, count)
}

/** Equal for two texts with the same words in the same order. */
const digestWords = (words: Uint32Array): string =>
  hash('sha256', Buffer.from(words.buffer, words.byteOffset, words.byteLength), 'base64url')

const mix = (value: number): number => {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Hashes each run of three words. */
const hashShingles = (words: Uint32Array): Uint32Array => {
  const shingles = new Uint32Array(Math.max(0, words.length - 2))
  for (let at = 0; at < shingles.length; at += 1) {
    const [first = 0, second = 0, third = 0] = [words[at], words[at + 1], words[at + 2]]
    shingles[at] = mix(Math.imul(mix(Math.imul(mix(first), 31) + second), 31) + third)
  }
  return shingles
}

const sortSet = (numbers: Uint32Array): Uint32Array => {
  const sorted = numbers.toSorted()
  return sorted.filter((number, at) => at === 0 || number !== sorted[at - 1])
}

/** Jaccard similarity of two sorted sets, from 0 to 1. */
const measureOverlap = (one: Uint32Array, other: Uint32Array): number => {
  let shared = 0
  let right = 0
  for (const number of one) {
    while (right < other.length && (other[right] ?? 0) < number) right += 1
    if (other[right] === number) shared += 1
  }
  const all = one.length + other.length - shared
  return all === 0 ? 0 : shared / all
}

/** Slots of a sketch; a band has three. */
const SLOTS = 126
const ROWS = 3
const BANDS = SLOTS / ROWS

const EMPTY = 0xffffffff

/** A MinHash sketch: the smallest shingle hash of each slot, half a kilobyte per text. */
type Sketch = Uint32Array

/**
 * One-permutation MinHash: each shingle falls into one slot, which keeps the smallest. Empty slots borrow from the next
 * one, so that short texts compare too.
 */
const sketchShingles = (shingles: Uint32Array): Sketch => {
  const kept = new Uint32Array(SLOTS).fill(EMPTY)
  for (const shingle of shingles) {
    const slot = shingle % SLOTS
    const value = Math.floor(shingle / SLOTS)
    if (value < (kept[slot] ?? 0)) kept[slot] = value
  }
  return kept.map((value, slot) => (value === EMPTY ? borrow(kept, slot) : value))
}

const borrow = (kept: Uint32Array, slot: number): number => {
  for (let step = 1; step < SLOTS; step += 1) {
    const value = kept[(slot + step) % SLOTS]
    // Mixes in the distance, so that equal gaps alone do not make texts agree.
    if (value !== undefined && value !== EMPTY) return (value ^ Math.imul(step, 0x9e3779b1)) >>> 0
  }
  return EMPTY
}

const compareSketches = (one: Sketch, other: Sketch): number => {
  let same = 0
  for (let slot = 0; slot < SLOTS; slot += 1) if (one[slot] === other[slot]) same += 1
  return same / SLOTS
}

/** Hashes a band; a collision only costs an exact comparison. */
const bandKey = (sketch: Sketch, band: number): number => {
  const at = band * ROWS
  const [first = 0, second = 0, third = 0] = [sketch[at], sketch[at + 1], sketch[at + 2]]
  return Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) ^ third
}

/** Maximum texts compared per band; a band that more texts share is boilerplate. */
const SHARED_BY_AT_MOST = 200

const NONE = -1

/**
 * Finds candidate pairs without comparing all: texts that agree on a whole band. Two texts that overlap by 0.7 are
 * missed once in 10^7.
 */
class SketchIndex {
  private readonly keys: number[] = []
  /** Linked lists: the latest text of each band key, and the previous text of each text. */
  private readonly bands = Array.from({ length: BANDS }, () => ({
    latest: new Map<number, number>(),
    before: [] as number[],
  }))

  add(key: number, sketch: Sketch): void {
    const text = this.keys.push(key) - 1
    for (const [number, { latest, before }] of this.bands.entries()) {
      const name = bandKey(sketch, number)
      before.push(latest.get(name) ?? NONE)
      latest.set(name, text)
    }
  }

  find(sketch: Sketch): Set<number> {
    const found = new Set<number>()
    for (const [number, { latest, before }] of this.bands.entries()) {
      let text = latest.get(bandKey(sketch, number)) ?? NONE
      for (let seen = 0; text !== NONE && seen < SHARED_BY_AT_MOST; seen += 1) {
        found.add(this.keys[text] ?? NONE)
        text = before[text] ?? NONE
      }
    }
    return found
  }
}

export interface Member {
  id: number
  name: string
  installs: number
  /** Day of its last change, YYYY-MM-DD. */
  updated: string | undefined
}

/** A copy, the original of its family, and their overlap from 0 to 1. */
interface Copy {
  id: number
  original: number
  overlap: number
}

/** Minimum overlap of a copy: changing one word in twenty leaves at least .72. */
const COPY_OVERLAP = 0.7

/** Minimum overlap for different names: one template filled twice reaches .83. */
const RENAMED_OVERLAP = 0.85

/** Minimum estimated overlap for an exact comparison; estimates are off by a few hundredths. */
const SKETCH_OVERLAP = 0.55

/** Texts with fewer words are copies only if text and name are equal. */
const SHORT_TEXT = 40

const UNKNOWN_DAY = '9999-12-31'

const compareDays = (a = UNKNOWN_DAY, b = UNKNOWN_DAY): number => (a < b ? -1 : Number(a > b))

/** Orders originals first: most installs, then oldest, then lowest id. */
const byPrecedence = (a: Member, b: Member): number =>
  b.installs - a.installs || compareDays(a.updated, b.updated) || a.id - b.id

interface Text {
  words: Uint32Array
  shingles: Uint32Array
  /** Sorted shingles, computed lazily. */
  set?: Uint32Array
}

const setOf = (text: Text): Uint32Array => (text.set ??= sortSet(text.shingles))

/** Texts cached before the cache is cleared; a family's texts are needed together. */
const REMEMBERED = 2_000

/** Minimum occurrences of a name's word for the text to be about it. */
const ABOUT = 2

/** Normalizes a name: `SSH Testing` is `ssh-testing`. */
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
 * Whether two texts are one template filled for two things: `auth-react` and `auth-vue` may share most words but are not
 * copies.
 */
const areSiblings = (a: Member, aText: Text, b: Member, bText: Text): boolean => {
  const [aName, bName] = [hashWords(a.name), hashWords(b.name)]
  return isAboutOwn(aName, aText, bName, bText) || isAboutOwn(bName, bText, aName, aText)
}

/** Decides for each skill, in order of precedence, whether it is a copy. */
class CopyFinder<Skill extends Member> {
  private readonly readText: (member: Skill) => string
  private readonly texts = new Map<number, Text>()
  private readonly index = new SketchIndex()
  private readonly originals = new Map<number, { member: Skill; sketch: Sketch }>()
  /** Results by the digest of a text's words. */
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

  /** Overlap with an original; 0 if not a copy of it. */
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

  /** Undefined if the skill is an original. */
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
 * Finds near-duplicates in nearly linear time. Every copy is compared with the original itself, so families do not
 * drift; `onMember` is called for each skill.
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
