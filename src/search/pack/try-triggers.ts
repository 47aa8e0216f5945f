import { crc32 } from 'node:zlib'
import type { SearchDocument } from '../rank.ts'
import { openIndex } from '../read/open.ts'
import type { PackedIndex } from '../read/open.ts'
import { dropTriggers, readTriggers } from '../triggers.ts'
import { openShippedVectors } from '../vector-file.ts'
import { packIndex } from './pack.ts'

/** Number of skills among which a phrase should find its own skill first. */
export const DRAWN = 50

/** Minimum average number of skills in a batch: high enough that a batch has no fewer than `DRAWN`. */
const BATCH = 128

/** Divides skills into batches by a hash of their slugs. All skills of a batch are tried in the same indexes. */
export const sortIntoBatches = <Skill extends { slug: string }>(
  skills: readonly Skill[],
): Map<number, Skill[]> => {
  const batches = 2 ** Math.max(0, Math.floor(Math.log2(skills.length / BATCH)))
  return Map.groupBy(skills, ({ slug }) => crc32(slug) % batches)
}

/** How many trigger phrases of a skill find it first among `DRAWN` skills. */
interface TriggerResult {
  phrases: number
  found: number
  /** The other phrases, with the slug of the skill that comes first; undefined if nothing is found. */
  missed: readonly { phrase: string; winner?: string | undefined }[]
}

/** Removes some of the quoted phrases from a skill's description. */
export const withoutTriggers = (
  document: SearchDocument,
  phrases: readonly string[],
): SearchDocument => {
  if (phrases.length === 0) return document
  const description = dropTriggers(document.description, phrases)
  const vector = openShippedVectors().ofSkill({ name: document.listed.name, description })
  return { ...document, description, vector }
}

/**
 * Draws `DRAWN` skills, one of which is `slug`. Sorts them by a hash of both slugs, so the draw is fair, is the same each
 * time, and changes by at most one skill when a skill is added.
 */
const drawWith = (slug: string, slugs: readonly string[]): ReadonlySet<string> => {
  const place = new Map(slugs.map((other) => [other, crc32(`${slug} ${other}`)]))
  place.set(slug, -1)
  return new Set(slugs.toSorted((a, b) => place.get(a)! - place.get(b)!).slice(0, DRAWN))
}

/** Ranks the skills that match, best first. Never refuses a query: that decision needs a complete catalog. */
export const rankSkills = (index: PackedIndex, q: string): number[] => {
  const plan = index.plan(q)
  const ranked = index.scoring.score(plan, index.readIntent(plan), (scored) =>
    [...scored.ordinals.subarray(0, scored.count)]
      .map((ordinal) => ({ ordinal, score: scored.scores[ordinal]! }))
      .sort((a, b) => b.score - a.score || a.ordinal - b.ordinal),
  )
  return [...index.names.find(q).keys(), ...ranked.map(({ ordinal }) => ordinal)]
}

/** Phrases at even places, then phrases at odd places: an index for each phrase would cost five times as much. */
const HALVES = [0, 1]

/**
 * Searches for the phrases that the skills of a batch quote. Returns the results by slug. Phrases must not find the
 * text that quotes them: there are two indexes, and each tries the half of the phrases that its descriptions lack.
 */
export const tryTriggers = (documents: readonly SearchDocument[]): Map<string, TriggerResult> => {
  const slugs = documents.map(({ listed }) => listed.slug)
  const phrasesOf = documents.map(({ description }) => readTriggers(description))
  const quoting = [...slugs.keys()].filter((at) => phrasesOf[at]!.length > 0)
  if (quoting.length === 0) return new Map()
  const halves = HALVES.map((half) => {
    const without = documents.map((document, at) =>
      withoutTriggers(
        document,
        phrasesOf[at]!.filter((_, place) => place % 2 === half),
      ),
    )
    const index = openIndex(packIndex(without, {}))
    return { index, slugOf: slugs.map((_, ordinal) => index.documents.read(ordinal).slug) }
  })
  const tryPhrases = (slug: string, phrases: readonly string[]): TriggerResult => {
    const drawn = drawWith(slug, slugs)
    const missed = phrases.flatMap((phrase, place) => {
      const { index, slugOf } = halves[place % 2]!
      const first = rankSkills(index, phrase).find((ordinal) => drawn.has(slugOf[ordinal]!))
      const winner = first === undefined ? undefined : slugOf[first]
      return winner === slug ? [] : [{ phrase, winner }]
    })
    return { phrases: phrases.length, found: phrases.length - missed.length, missed }
  }
  return new Map(quoting.map((at) => [slugs[at]!, tryPhrases(slugs[at]!, phrasesOf[at]!)]))
}
