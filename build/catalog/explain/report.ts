import type { Score } from '../classify/classify.ts'
import type { Decider, Explanation } from './explain.ts'

/** Words of the category that came next; more would hide what matters. */
const RUNNER_UP_WORDS = 5

const DECIDED: Readonly<Record<Decider, string>> = {
  'front matter': 'chosen by its author in the front matter of its SKILL.md',
  record: 'chosen in its skill.json, against what its words say',
  words: 'as its words say',
}

const renderEvidence = ({ evidence }: Score): string[] => {
  const width = Math.max(0, ...evidence.map(({ word }) => word.length))
  return evidence.map(
    ({ word, place, weight }) =>
      `  ${word.padEnd(width)}  ${String(weight).padStart(4)}  in the ${place}`,
  )
}

const renderRunnerUp = ({ category, score, evidence }: Score): string => {
  if (evidence.length === 0) return 'No word speaks for another category.'
  const words = evidence.slice(0, RUNNER_UP_WORDS).map(({ word, weight }) => `${word} ${weight}`)
  const more = evidence.length > RUNNER_UP_WORDS ? ', …' : ''
  return `Next: ${category} with ${score} (${words.join(', ')}${more})`
}

const renderWords = ({ words }: Explanation): string => {
  if (!words.isFallback) return `By its words: ${words.category} with ${words.score}`
  return words.score > 0
    ? `By its words: undecided, two categories have ${words.score}; ${words.category} is taken`
    : `By its words: undecided, none speaks for a category; ${words.category} is taken`
}

/** Renders an explanation for a person. */
export const renderExplanation = (explanation: Explanation): string => {
  const { slug, category, decidedBy, words } = explanation
  return [
    `${slug}: ${category}, ${DECIDED[decidedBy]}.`,
    renderWords(explanation),
    ...renderEvidence(words),
    renderRunnerUp(words.runnerUp),
  ].join('\n')
}
