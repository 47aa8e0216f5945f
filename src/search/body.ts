import { QUERY_WORDS } from './synonyms.ts'
import { isUnspaced, splitCompounds, stemWord } from './tokens.ts'

/**
 * A skill is found by so many stems of its text, each of which it has so often. Measured with `npm run bench:quality`: 100 to
 * 300 are nearly equal, and stems that a text has once find more of what nothing fits. To weigh them by how rare they are
 * in the catalog is no better, and would let the text of one skill change all others.
 */
const [MOST, TIMES] = [150, 2]

const { stopWords } = QUERY_WORDS

/**
 * Picks what a skill is found by of its text: the stems that it has most often, each once, with blanks between. Scripts
 * without spaces are left out, since most pairs of their letters are no words: 50 tasks in Chinese had .026 less nDCG@10.
 */
export const pickBody = (text: string): string => {
  const counts = new Map<string, number>()
  // Line by line, since of a text beyond ASCII only the beginning is read.
  for (const line of text.split('\n'))
    for (const { text: word } of splitCompounds(line).flat()) {
      if (word.length === 1 || isUnspaced(word) || stopWords.has(word)) continue
      const stem = stemWord(word)
      counts.set(stem, (counts.get(stem) ?? 0) + 1)
    }
  return (
    [...counts]
      .filter(([, times]) => times >= TIMES)
      // Of stems that are equally frequent, those that come first.
      .sort(([, one], [, other]) => other - one)
      .slice(0, MOST)
      .map(([stem]) => stem)
      .sort()
      .join(' ')
  )
}

/** The stems that `pickBody` picked. */
export const listBodyStems = (body: string): string[] => (body === '' ? [] : body.split(' '))
