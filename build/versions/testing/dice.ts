/** Returns a random number from 0 to `sides` - 1. */
export type Dice = (sides: number) => number

/** A seeded random number generator. */
export const createDice = (seed: number): Dice => {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}
