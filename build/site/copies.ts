import { hash } from 'node:crypto'
import { resolveMoves } from '../../src/catalog/references.ts'
import type { Copies } from '../../src/catalog/references.ts'
import type { Retired } from '../../src/catalog/schema.ts'
import { isListed } from '../../src/catalog/skill.ts'
import type { Skill } from '../../src/catalog/skill.ts'
import { hashText } from '../../src/search/format/bytes.ts'
import { decodeHashes } from './neighbour-words.ts'

/*
 * Finds copies: skills with the same words, and skills with the same name and nearly the same words. Texts are compared
 * by sketches (bottom-k MinHash), which the state saves, so that a build reads only the texts that changed.
 */

/** Minimum overlap of copies with the same name: changing one word in twenty leaves about .74. */
const COPY_OVERLAP = 0.7

/** Texts with fewer words are copies only if both text and name are equal. */
const SHORT_TEXT = 40

/**
 * A text is compared with at most this many originals of its name, because the time grows with their square. Of 124,000
 * skills of the web, 490 have the same name, most of them copies.
 */
const MOST_COMPARED = 100

/** Hashes in a sketch. If a text has more sequences of three words, its overlap is estimated to within about .03. */
const SKETCH = 256

/**
 * Words of letters and digits; in Chinese, Japanese and Korean, single characters. With 10,000 skills, sketches take 5
 * CPU s of a clean build; with the words of the search, they took 18.
 */
const WORDS = /[a-z0-9\u00c0-\u1fff]+|[\u3040-\ud7ff]/g

const splitWords = (text: string): string[] => text.toLowerCase().match(WORDS) ?? []

/** Hashes each sequence of three words. */
const hashRuns = (words: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> =>
  words.subarray(2).map((word, at) => {
    const mixed = Math.imul(Math.imul(words[at]!, 31) ^ words[at + 1]!, 0x85ebca6b) ^ word
    return Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35)
  })

/** Returns the lowest distinct hashes, ascending. */
const keepLowest = (hashes: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const lowest: number[] = []
  for (const one of hashes.sort()) {
    if (lowest.length === SKETCH) break
    if (one !== lowest.at(-1)) lowest.push(one)
  }
  return new Uint32Array(lowest)
}

/** What `findCopies` compares of a skill. */
interface Sketch {
  /** Digest of its words; for a short text, followed by its name. */
  words: string
  name: string
  /** The lowest hashes; undefined for a short text. */
  runs: string | undefined
}

/** Sketches the description and the body of a skill, as text for the saved state. */
export const encodeSketch = (skill: Pick<Skill, 'name' | 'description'>, body: string): string => {
  const words = new Uint32Array(splitWords(`${skill.description}\n${body}`).map(hashText))
  const name = splitWords(skill.name).join(' ') || skill.name
  const isShort = words.length < SHORT_TEXT
  const runs = isShort ? undefined : Buffer.from(keepLowest(hashRuns(words)).buffer)
  const sketch: Sketch = {
    words: hash('sha256', words, 'base64') + (isShort ? name : ''),
    name,
    runs: runs?.toString('base64'),
  }
  return JSON.stringify(sketch)
}

/** Estimates the Jaccard similarity of two texts, from 0 to 1: the shared part of the lowest hashes of both. */
const measureOverlap = (some: Uint32Array, others: Uint32Array): number => {
  let [at, there, shared, count] = [0, 0, 0, 0]
  for (; count < SKETCH && (at < some.length || there < others.length); count++) {
    const [one = Infinity, other = Infinity] = [some[at], others[there]]
    if (one === other) shared++
    if (one <= other) at++
    if (other <= one) there++
  }
  return shared / count
}

/** A skill to compare, with the text of `encodeSketch`. */
interface Sketched {
  skill: Pick<Skill, 'id' | 'slug' | 'visibility' | 'copyOf'>
  sketch: string
}

/** Maps the id of each skill with a `copyOf` to the id of that original; undefined if the original is not listed. */
const readOriginals = (rows: readonly Sketched[], retired: readonly Retired[]) => {
  const skills = rows.map(({ skill }) => skill)
  const moves = resolveMoves(retired, skills).map(({ slug, to }) => [slug, to.id] as const)
  const ids = new Map([...skills.map(({ slug, id }) => [slug, id] as const), ...moves])
  return new Map(
    skills.flatMap(({ id, copyOf }) => (copyOf ? [[id, ids.get(copyOf)] as const] : [])),
  )
}

/**
 * Finds the original of each copy by id: the skill that a `copyOf` names, else the one with the lowest id. Every copy is
 * compared with the original itself, so that families do not drift from copy to copy. `all` is sorted by id.
 */
export const findCopies = (all: readonly Sketched[], retired: readonly Retired[]): Copies => {
  const rows = all.filter(({ skill }) => isListed(skill))
  const told = readOriginals(rows, retired)
  const named = new Set(told.values())
  /** The original of each family, by the digest of a member's words. */
  const families = new Map<string, number>()
  /** The originals with each name. */
  const originals = new Map<string, { id: number; runs: Uint32Array }[]>()
  const findNear = (name: string, runs: Uint32Array): number | undefined => {
    const [best] = (originals.get(name) ?? [])
      .map((other) => ({ id: other.id, overlap: measureOverlap(runs, other.runs) }))
      .sort((a, b) => b.overlap - a.overlap)
    return best && best.overlap >= COPY_OVERLAP ? best.id : undefined
  }
  const findOriginal = ({ skill: { id, copyOf }, sketch }: Sketched): number | undefined => {
    const { words, name, runs: text } = JSON.parse(sketch) as Sketch
    const runs = text === undefined ? undefined : decodeHashes(text)
    const isOriginal = copyOf === false || named.has(id)
    const known = isOriginal ? undefined : families.get(words)
    const original = known ?? (runs && !isOriginal ? findNear(name, runs) : undefined)
    families.set(words, families.get(words) ?? original ?? id)
    const same = originals.get(name) ?? []
    if (runs && original === undefined && same.length < MOST_COMPARED)
      originals.set(name, [...same, { id, runs }])
    return original
  }
  const found = rows
    .filter(({ skill }) => !told.has(skill.id))
    .sort((a, b) => Number(named.has(b.skill.id)) - Number(named.has(a.skill.id)))
    .map((row) => [row.skill.id, findOriginal(row)] as const)
  return Object.fromEntries(
    [...told, ...found].flatMap(([id, original]) =>
      original === undefined ? [] : [[id, original]],
    ),
  )
}
