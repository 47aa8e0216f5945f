import type { Acceptance } from '../../schema.ts'
import type { Finding } from '../../skill.ts'
import { scanSkill } from '../scan.ts'

/** Texts or bytes of a skill's files, by path. */
export type SkillTexts = Readonly<Record<string, string | Uint8Array>>

const NAMES = { name: 'sort-words', description: 'Sorts words of a list.' }

/** What a scan needs to know of a skill with these files. */
export const inputOf = (files: SkillTexts, names = NAMES): Parameters<typeof scanSkill>[0] => ({
  files: Object.entries(files).map(([path, text]) => ({ path, size: text.length })),
  read: (path) => Buffer.from(files[path]!),
  names,
})

/** Scans a skill with these files. */
export const scanFiles = (
  files: SkillTexts,
  { accepted, names }: { accepted?: Acceptance[]; names?: typeof NAMES } = {},
): Finding[] => scanSkill({ ...inputOf(files, names), record: { accepted } })
