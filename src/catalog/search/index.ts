/** The search of the catalog: write an index with `serializeIndex`, ask it through `openIndex`. */
export type { SearchDocument } from './fields.ts'
export { InvalidIndexError, serializeIndex } from './index-file.ts'
export { openIndex } from './skill-index.ts'
export type { FindRequest, Found, SkillIndex } from './skill-index.ts'
