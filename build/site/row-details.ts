import type { SkillDetails, SkillRow } from './state.ts'

/** Reads the rest of a row. */
export const readDetails = ({ details }: Pick<SkillRow, 'details'>): SkillDetails =>
  JSON.parse(typeof details === 'string' ? details : details.file.read(details)) as SkillDetails
