import { posix } from 'node:path'
import { loadSiteContent } from '../../../src/catalog/load.ts'
import { listNearest } from '../../../src/catalog/nearest-name.ts'
import { isComparable } from '../../../src/catalog/references.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import type { SkillFacts } from '../../../src/catalog/skill.ts'
import { countOf, showValue } from '../../../src/catalog/text.ts'
import { analyzeSkill } from '../../../src/search/analyze.ts'
import type { SearchDocument } from '../../../src/search/index.ts'
import {
  sortIntoBatches,
  tryTriggers,
  withoutTriggers,
} from '../../../src/search/pack/try-triggers.ts'
import { QUERY_WORDS } from '../../../src/search/synonyms.ts'
import { openShippedVectors } from '../../../src/search/vector-file.ts'
import { readStems } from '../../../src/search/vectors.ts'
import { searchDocument } from '../../machine/search-document.ts'
import { refuse } from '../cli/command.ts'
import type { Folder } from './check-skill.ts'
import { createDiagnostic } from './rules.ts'
import type { Diagnostic } from './rules.ts'

/** Lists the words of a phrase that occur in a skill's searchable text. */
const showWordsIn = (phrase: string, skill: SearchDocument): string => {
  const terms = new Set(analyzeSkill(skill).terms.map(({ term }) => term))
  const words = phrase
    .split(/[\s,;]+/)
    .filter((word) => !QUERY_WORDS.stopWords.has(word.toLowerCase()))
    .filter((word) => readStems(word).some((stem) => terms.has(stem)))
  return words.length === 0 ? 'none of its words' : words.map((word) => showValue(word)).join(', ')
}

/**
 * Reports quoted phrases that find another skill first in a search, for the given slugs or for all skills. Copies are
 * left out. Throws UsageError for an unknown slug.
 */
export const findLostTriggers = (
  all: readonly SkillFacts[],
  catalog: Folder | undefined,
  slugs: readonly string[],
): Diagnostic[] => {
  if (!catalog) return refuse('--triggers needs a catalog; name its content folder with --content.')
  const { copies } = loadSiteContent(catalog.folder)
  const byId = new Map(all.map((skill) => [skill.id, skill]))
  const rows = all.filter((skill) => isComparable(skill, copies, (id) => byId.get(id)))
  const documents = new Map(
    rows.map((skill) => {
      const facts = { ...skill, views: 0, installs: 0 }
      // Bodies are left out, because many repeat the phrases that are removed from the description.
      const texts = { body: '', vector: openShippedVectors().ofSkill(skill) }
      return [skill.slug, searchDocument(facts, texts, '')] as const
    }),
  )
  for (const slug of slugs) {
    if (documents.has(slug)) continue
    const [nearest] = listNearest(slug, [...documents.keys()])
    const remedy = nearest === undefined ? 'name another.' : `did you mean ${nearest}?`
    refuse(`${showValue(slug)} is not a listed skill, or is a copy; ${remedy}`)
  }
  const results = [...sortIntoBatches(rows).values()].flatMap((batch) =>
    Array.from(tryTriggers(batch.map(({ slug }) => documents.get(slug)!))),
  )
  return results
    .filter(([slug]) => slugs.length === 0 || slugs.includes(slug))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([slug, { phrases, found, missed }]) =>
      missed.map(({ phrase, winner }) => {
        const ownWords = showWordsIn(phrase, withoutTriggers(documents.get(slug)!, [phrase]))
        const other = winner
          ? `${winner}, which has ${showWordsIn(phrase, documents.get(winner)!)}`
          : 'no skill'
        const detail = `${showValue(phrase)} finds ${other}; without the phrase, this skill has ${ownWords} (found by ${found} of ${countOf(phrases, 'phrase')})`
        return createDiagnostic(posix.join(catalog.shown, 'skills', slug, SKILL_MD), {
          rule: 'trigger-lost',
          detail,
          ...(winner ? {} : { remedy: 'use its words elsewhere in the description' }),
        })
      }),
    )
}
