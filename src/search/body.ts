import { QUERY_WORDS } from './synonyms.ts'
import { countAllWords, isUnspaced, stemWord } from './tokens.ts'

/**
 * A body has at most `MOST_STEMS` stems, each of which occurs at least `LEAST_TIMES` times in the text. Measured with
 * `npm run bench:quality`: limits from 100 to 300 are nearly equal, and stems that occur once find wrong skills for
 * tasks that no skill does. Choosing stems by their rarity in the catalog is no better, and would make one skill's
 * text change the bodies of other skills.
 */
const [MOST_STEMS, LEAST_TIMES] = [150, 2]

const { stopWords } = QUERY_WORDS

/**
 * Picks a skill's body: the most frequent stems of its text, sorted, with blanks between them. Scripts without spaces
 * are left out, because most pairs of their letters are not words: with them, nDCG@10 of 50 Chinese tasks fell by .026.
 */
export const pickBody = (text: string): string => {
  const counts = new Map<string, number>()
  for (const [word, times] of countAllWords(text)) {
    if (word.length === 1 || isUnspaced(word) || stopWords.has(word)) continue
    const stem = stemWord(word)
    counts.set(stem, (counts.get(stem) ?? 0) + times)
  }
  return (
    [...counts]
      .filter(([, times]) => times >= LEAST_TIMES)
      // The sort is stable: of equally frequent stems, those that occur first are picked.
      .sort(([, a], [, b]) => b - a)
      .slice(0, MOST_STEMS)
      .map(([stem]) => stem)
      .sort()
      .join(' ')
  )
}

/** Splits the output of `pickBody` into stems. */
export const listBodyStems = (body: string): string[] => (body === '' ? [] : body.split(' '))
