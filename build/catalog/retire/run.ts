import { COPIES_FILE } from '../../../src/catalog/copies.ts'
import { copyRecords } from '../../../src/catalog/schema.ts'
import { withLock } from '../store/lock.ts'
import { takeSteps } from '../store/write.ts'
import type { Step } from '../store/write.ts'
import { readBeside, readCounters, readRecords } from '../store/records.ts'
import { chooseDeparture, isGranted } from './choose.ts'
import type { Wish } from './choose.ts'
import { planDeparture } from './plan.ts'
import type { Departure, Holdings } from './plan.ts'

/** What a retirement or a move did, or would do. */
export interface DepartureReport {
  dryRun: boolean
  /** Undefined where nothing was left to do. */
  departure?: Departure
  steps: Step[]
}

const readHoldings = (content: string): Holdings => ({
  ...readRecords(content),
  counters: readCounters(content),
  copies: readBeside(content, COPIES_FILE, copyRecords) ?? {},
})

/** Takes a skill from its slug, or says what that would change. Throws CommandError. */
export const depart = async (
  content: string,
  wish: Wish,
  dryRun: boolean,
): Promise<DepartureReport> => {
  const settle = (): DepartureReport => {
    const holdings = readHoldings(content)
    if (isGranted(wish, holdings)) return { dryRun, steps: [] }
    const departure = chooseDeparture(wish, holdings)
    const steps = planDeparture(holdings, departure)
    if (!dryRun) takeSteps(content, steps)
    return { dryRun, departure, steps }
  }
  return dryRun ? settle() : withLock(content, async () => settle())
}
