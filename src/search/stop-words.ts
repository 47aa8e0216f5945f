/**
 * English words that say nothing about what is looked for. They are dropped from queries only,
 * so the index still answers a query made of nothing else.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `
  a an the this that these those some any all such
  i me my we us our you your he she his her it its they them their
  is are was were be been am do does did has have had can could will would should may might must
  and or but if so than then as
  of on in into to too from for by at with about over up out off
  how what when where which while who whose why there here
  just also only very please want need needs let lets make get gets help use used using like some
  `
    .trim()
    .split(/\s+/),
)

/** Says whether a lower-cased word of a query says nothing by itself. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word)
