/** How much of all skills' descriptions a client keeps in the context of its model. */
interface ListingBudget {
  client: string
  /** For the descriptions of all skills that are installed. */
  all: number
  unit: 'characters' | 'tokens'
  /** For one skill, in characters; what is longer is cut. */
  one?: number
  /** Whether it shortens every description where not all fit; else it leaves some out whole. */
  isShared: boolean
  /** The model's window that the figure is for, in tokens. */
  window: number
  source: string
  /** When the source said so. */
  day: string
}

/**
 * Budgets of the listings of clients. Names are kept beside them; where the descriptions take more, a client leaves
 * some out or shortens them, and skills without a description are hardly ever chosen.
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

/** How much of a client's budget a description takes, in its unit; no more than the client keeps of one skill. */
export const costInListing = (description: string, { unit, one }: ListingBudget): number => {
  if (unit === 'tokens') return Math.ceil(UTF8.encode(description).length / 4)
  const { length } = Array.from(description)
  return one === undefined ? length : Math.min(length, one)
}

/** What becomes of the descriptions of some skills in a client's listing, in the order in which it keeps them. */
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
