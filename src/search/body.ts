import { QUERY_WORDS } from './synonyms.ts'
import { isUnspaced, splitCompounds, stemWord } from './tokens.ts'

/**
 * Most stems of a body, and how often the text has each at least. Measured with `npm run bench:quality`: 100 to 300 are
 * nearly equal, and with stems that a text has once, more is found where nothing fits. Stems weighed by how rare they are in
 * the catalog are no better, and the text of one skill would then change the bodies of others.
 */
const [MOST, TIMES] = [150, 2]

const { stopWords } = QUERY_WORDS

/**
 * Picks the body of a skill: the stems that its text has most often, each once, with blanks between. Scripts without
 * spaces are left out, since most pairs of their letters are no words: with them, 50 tasks in Chinese had .026 less nDCG@10.
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
      .sort(([, a], [, b]) => b - a)
      .slice(0, MOST)
      .map(([stem]) => stem)
      .sort()
      .join(' ')
  )
}

/** The stems that `pickBody` picked. */
export const listBodyStems = (body: string): string[] => (body === '' ? [] : body.split(' '))
