/**
 * The search of the catalog: ask an index through `openIndex` or `openIndexFile`. The build writes it with
 * `packIndex` of `packed/pack.ts`, which brings MiniSearch; whoever only asks does without.
 */
export { explainMatch } from './explain.ts'
export type { ExplainedStep, Explanation } from './explain.ts'
export type { SearchDocument } from './fields.ts'
export { InvalidIndexError } from './invalid-index.ts'
export { openIndexFile } from './packed/open-file.ts'
export { openIndex } from './packed/open.ts'
export type { PackedIndex } from './packed/open.ts'
export type { FindRequest, Found, SkillIndex } from './skill-index.ts'
