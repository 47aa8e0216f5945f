import { isCategory } from '../../src/catalog/categories.ts'
import type { ListedSkill } from '../../src/catalog/skill.ts'
import { FIELD_NAMES } from '../../src/search/fields.ts'
import type { SearchDocument } from '../../src/search/fields.ts'
import { InvalidIndexError } from '../../src/search/invalid-index.ts'
import { listFieldWords } from '../../src/search/analyze.ts'
import { buildTerms, loadTerms } from './plain-terms.ts'
import type { TermIndex } from './plain-terms.ts'
import { openVocabulary } from '../../src/search/plain-vocabulary.ts'
import type { Vocabulary } from '../../src/search/plain-vocabulary.ts'

/** Version of the file; any change of its shape or of text analysis raises it, for old stems match no new ones. */
export const INDEX_VERSION = 1

/** What an index file holds; a skill's place in `skills` is its ordinal. */
export interface IndexParts {
  skills: ListedSkill[]
  terms: TermIndex
  vocabulary: Vocabulary
}

interface IndexFile {
  version: number
  /** How many skills the file holds, so that a file cut and mended is seen. */
  count: number
  skills: ListedSkill[]
  words: string[]
  terms: unknown
}

const listVocabulary = (documents: readonly SearchDocument[]): string[] => {
  const words = new Set(
    documents.flatMap((document) =>
      FIELD_NAMES.flatMap((field) => listFieldWords(document, field)),
    ),
  )
  return [...words].sort()
}

/** Writes MiniSearch's own index of some skills as text, against which the packed one is tested: the same skills give the same bytes, in whatever order they come. */
export const serializePlainIndex = (documents: readonly SearchDocument[]): string => {
  const sorted = documents.toSorted((a, b) => a.listed.id - b.listed.id)
  const file: IndexFile = {
    version: INDEX_VERSION,
    count: sorted.length,
    skills: sorted.map(({ listed }) => listed),
    words: listVocabulary(sorted),
    terms: buildTerms(sorted),
  }
  return JSON.stringify(file)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isListedSkill = (value: unknown): value is ListedSkill =>
  isObject(value) &&
  ['id', 'views', 'installs'].every((field) => Number.isSafeInteger(value[field])) &&
  ['slug', 'name', 'author', 'description'].every((field) => typeof value[field] === 'string') &&
  ['string', 'undefined'].includes(typeof value['sourceUrl']) &&
  typeof value['category'] === 'string' &&
  isCategory(value['category'])

const isText = (value: unknown): value is string => typeof value === 'string'

const parseFile = (text: string): Record<string, unknown> => {
  try {
    const file: unknown = JSON.parse(text)
    if (isObject(file)) return file
  } catch (cause) {
    throw new InvalidIndexError('it is not JSON', { cause })
  }
  throw new InvalidIndexError('it is not an object')
}

const parseTerms = (terms: unknown): TermIndex => {
  try {
    return loadTerms(terms)
  } catch (cause) {
    throw new InvalidIndexError('its terms are damaged', { cause })
  }
}

/** Reads what `serializePlainIndex` wrote, or throws an `InvalidIndexError` that says what is wrong. */
export const parsePlainIndex = (text: string): IndexParts => {
  const { version, count, skills, words, terms } = parseFile(text)
  if (version !== INDEX_VERSION)
    throw new InvalidIndexError(`its version is ${JSON.stringify(version)}, not ${INDEX_VERSION}`)
  if (!Array.isArray(skills) || skills.length !== count || !skills.every(isListedSkill))
    throw new InvalidIndexError('its skills are damaged')
  if (!Array.isArray(words) || !words.every(isText))
    throw new InvalidIndexError('its words are damaged')
  const opened = parseTerms(terms)
  if (opened.size !== count) throw new InvalidIndexError('its terms are of other skills')
  return { skills, terms: opened, vocabulary: openVocabulary(words) }
}
