import { LISTING_BUDGETS, fitListing } from '../catalog/tokens.ts'
import { foldLine, showNumber } from '../catalog/text.ts'
import type { Section } from './document.ts'
import { skillPath } from './paths.ts'
import { printBlocks } from './print.ts'
import { dayWord, linkTo, listOf } from './tree.ts'
import type { Words } from './tree.ts'

/** What the listings of clients show of a skill. */
interface DescribedSkill {
  slug: string
  name: string
  description: string
}

/** Skills that are named where not all fit; how many more there are is said. */
const LOST_SHOWN = 10

const nameLost = (lost: readonly DescribedSkill[]): Words => {
  const names = lost.slice(0, LOST_SHOWN).flatMap(({ name, slug }, at): Words => {
    const link = linkTo(foldLine(name), skillPath(slug))
    return at === 0 ? [link] : [', ', link]
  })
  return lost.length > LOST_SHOWN ? [...names, ` and ${lost.length - LOST_SHOWN} more`] : names
}

/** Whether the descriptions of some skills fit in the listings of clients together, and which would be left out. */
export const writeListingFit = (skills: readonly DescribedSkill[]): Section => {
  const lines = LISTING_BUDGETS.map((budget): Words => {
    const { client, all, unit, isShared, window, source, day } = budget
    const { taken, lost } = fitListing(skills, budget)
    const kept = ` keeps ${showNumber(all)} ${unit} of all descriptions (window of ${window / 1_000}k, `
    const these = `): installed together, these take ${showNumber(taken)}`
    const head: Words = [linkTo(client, source), kept, dayWord(day)]
    if (lost.length === 0) return head.concat(`${these}, so all fit.`)
    if (isShared) return head.concat(`${these}, so the longer ones would be shortened.`)
    const tells = `${these}. Kept in the order above, ${lost.length} would lose their text: `
    return head.concat(tells, nameLost(lost), '.')
  })
  const blocks = [listOf(lines)]
  const markdown = printBlocks(blocks)
  return { id: 'listings', heading: 'In the listings of clients', markdown, blocks }
}
