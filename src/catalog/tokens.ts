import type { Skill } from './skill.ts'

/**
 * Runs of characters that an encoding of text cuts differently, with the tokens of o200k that a run costs, and each
 * character of it beyond the first few. Fitted by least squares of the relative error to half of 2,501 texts of a corpus of
 * skills; those of other scripts lie between what mixed texts and plain sentences gave.
 */
const RUNS: readonly { run: RegExp; tokens: number; more?: number; beyond?: number }[] = [
  { run: /[A-Za-z]+/g, tokens: 1.001, more: 0.115, beyond: 6 },
  { run: /[a-z](?=[A-Z])/g, tokens: 0.369 },
  { run: /\d{1,3}/g, tokens: 1.725 },
  { run: /([!-/:-@[-`{-~])\1*/g, tokens: 0.622 },
  { run: /[\r\n]+/g, tokens: 0.996 },
  { run: /[\t ]{2,}/g, tokens: 0.192 },
  { run: /[\u00c0-\u0fff\u1e00-\u1fff]+/g, tokens: 1.001, more: 0.25, beyond: 3 },
  { run: /[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]/g, tokens: 0.75 },
  { run: /[\uac00-\ud7a3]/g, tokens: 0.72 },
  {
    run: /[\u0080-\u00bf\u1000-\u1dff\u2000-\u2fff\u3100-\u33ff\ua000-\uabff\ud7a4-\ufeff]/g,
    tokens: 0.735,
  },
]

/**
 * Estimates how many tokens a text has in o200k, the encoding of OpenAI's models; those of other models differ by
 * some tenths. Over 2,809 Markdown files the median error was 2.9 %; the encoder's tables alone are 2 MB.
 */
export const estimateTokens = (text: string): number => {
  let sum = 0
  for (const { run, tokens, more = 0, beyond = 0 } of RUNS) {
    for (const [found] of text.matchAll(run))
      sum += tokens + Math.max(0, found.length - beyond) * more
  }
  return Math.round(sum)
}

/** How much of the skills' descriptions a client keeps in its model's context. */
interface ListingBudget {
  client: string
  /** For all installed skills together. */
  all: number
  unit: 'characters' | 'tokens'
  /** For one skill, in characters; a longer description is cut. */
  one?: number
  /** Whether it shortens all descriptions if they do not fit; else it drops some. */
  isShared: boolean
  /** Context window that the figure is for, in tokens. */
  window: number
  source: string
  /** Date of the source. */
  day: string
}

/**
 * Budgets of clients' skill listings, without names. Beyond them a client drops
 * or shortens descriptions, and models hardly ever choose a skill without one.
 */
export const LISTING_BUDGETS: readonly ListingBudget[] = [
  {
    client: 'Claude Code',
    // 1 % of the window, at four characters a token.
    all: 8_000,
    unit: 'characters',
    one: 1_536,
    isShared: false,
    window: 200_000,
    source: 'https://code.claude.com/docs/en/skills',
    day: '2026-09-16',
  },
  {
    client: 'Codex',
    // 2 % of the window, where a token is four bytes.
    all: 5_440,
    unit: 'tokens',
    isShared: true,
    window: 272_000,
    source: 'https://github.com/openai/codex/issues/19679',
    day: '2026-09-02',
  },
]

/** What a client lists of a skill. */
type ListedText = Pick<Skill, 'description' | 'startedBy'>

const UTF8 = new TextEncoder()

/**
 * The share of a description in a client's budget, in its unit, after the cut for one skill. What only its user starts is
 * in no list.
 */
export const costInListing = (
  { description, startedBy }: ListedText,
  { unit, one }: ListingBudget,
): number => {
  if (startedBy === 'user') return 0
  if (unit === 'tokens') return Math.ceil(UTF8.encode(description).length / 4)
  const { length } = Array.from(description)
  return one === undefined ? length : Math.min(length, one)
}

/** Tells which descriptions a client keeps, given in its order of preference. */
export const fitListing = <Described extends ListedText>(
  skills: readonly Described[],
  budget: ListingBudget,
): { taken: number; lost: Described[] } => {
  let taken = 0
  const lost: Described[] = []
  for (const skill of skills) {
    const cost = costInListing(skill, budget)
    taken += cost
    if (cost > 0 && taken > budget.all) lost.push(skill)
  }
  return { taken, lost }
}
