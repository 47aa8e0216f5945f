/** Gives a number of things in words: `1 view`, `2 views`. */
export const countOf = (number: number, name: string): string =>
  `${number} ${name}${number === 1 ? '' : 's'}`
