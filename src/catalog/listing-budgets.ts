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

const UTF8 = new TextEncoder()

/** The share of a description in a client's budget, in its unit, after the cut for one skill. */
export const costInListing = (description: string, { unit, one }: ListingBudget): number => {
  if (unit === 'tokens') return Math.ceil(UTF8.encode(description).length / 4)
  const { length } = Array.from(description)
  return one === undefined ? length : Math.min(length, one)
}

/** Tells which descriptions a client keeps, given in its order of preference. */
export const fitListing = <Described extends { description: string }>(
  skills: readonly Described[],
  budget: ListingBudget,
): { taken: number; lost: Described[] } => {
  let taken = 0
  const lost: Described[] = []
  for (const skill of skills) {
    taken += costInListing(skill.description, budget)
    if (taken > budget.all) lost.push(skill)
  }
  return { taken, lost }
}
