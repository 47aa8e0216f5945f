import type { Difficulty } from './schema.ts'
import type { SkillFile } from './skill.ts'

/** What is counted to derive a difficulty: each sign adds its points where the text shows it. */
const SIGNS: readonly {
  points: number
  shows: (text: string, files: readonly SkillFile[]) => boolean
}[] = [
  { points: 1, shows: (text) => text.length > 6_000 },
  { points: 1, shows: (text) => text.length > 16_000 },
  { points: 1, shows: (text) => (text.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) >= 8 },
  { points: 1, shows: (_, files) => files.some((file) => file.path.startsWith('scripts/')) },
  { points: 1, shows: (_, files) => files.length > 6 },
  { points: 1, shows: (text) => /\b(?:API[ _-]?key|access token|credentials|OAuth)\b/i.test(text) },
]

/** Points from which a skill is more than the level before it. */
const LEVELS: readonly { atLeast: number; difficulty: Difficulty }[] = [
  { atLeast: 4, difficulty: 'Advanced' },
  { atLeast: 2, difficulty: 'Intermediate' },
  { atLeast: 0, difficulty: 'Beginner' },
]

/** Derives a difficulty from a SKILL.md and its files where the author states none. */
export const deriveDifficulty = (text: string, files: readonly SkillFile[]): Difficulty => {
  const points = SIGNS.reduce((sum, sign) => sum + (sign.shows(text, files) ? sign.points : 0), 0)
  return LEVELS.find((level) => points >= level.atLeast)?.difficulty ?? 'Beginner'
}
