import type { Difficulty } from './schema.ts'
import type { SkillFile } from './skill.ts'

/** Signs of difficulty; the points of those that apply are added. */
const SIGNS: readonly {
  points: number
  applies: (text: string, files: readonly SkillFile[]) => boolean
}[] = [
  { points: 1, applies: (text) => text.length > 6_000 },
  { points: 1, applies: (text) => text.length > 16_000 },
  { points: 1, applies: (text) => (text.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) >= 8 },
  { points: 1, applies: (_, files) => files.some((file) => file.path.startsWith('scripts/')) },
  { points: 1, applies: (_, files) => files.length > 6 },
  {
    points: 1,
    applies: (text) => /\b(?:API[ _-]?key|access token|credentials|OAuth)\b/i.test(text),
  },
]

const LEVELS: readonly { atLeast: number; difficulty: Difficulty }[] = [
  { atLeast: 4, difficulty: 'Advanced' },
  { atLeast: 2, difficulty: 'Intermediate' },
  { atLeast: 0, difficulty: 'Beginner' },
]

/** The difficulty of a skill whose author states none. */
export const deriveDifficulty = (text: string, files: readonly SkillFile[]): Difficulty => {
  const points = SIGNS.reduce((sum, sign) => sum + (sign.applies(text, files) ? sign.points : 0), 0)
  return LEVELS.find((level) => points >= level.atLeast)?.difficulty ?? 'Beginner'
}
