import { SKILL_MD } from '../../../src/catalog/skill.ts'
import { decodeLoosely } from '../../../src/catalog/text.ts'
import { readSkillText } from '../store/records.ts'
import { readCopied } from '../store/write.ts'
import type { Candidate } from './candidate.ts'

/** Two texts count as nearly equal if they share this part of the longer text's lines. */
const NEARLY = 0.75

/** Returns a text's lines that contain letters, except the line with the name, which a rename changes. */
const listLines = (text: string): Set<string> => {
  const lines = text.split(/\r?\n/)
  return new Set(lines.map((line) => line.trim()).filter((line) => /^(?!name:).*\p{L}/u.test(line)))
}

/**
 * Finds new skills whose text nearly equals that of a skill missing from the source. Maps each new skill to the missing
 * skill's slug. Looks each line up once, whatever the number of skills.
 */
export const findRenames = <New extends { candidate: Candidate }>(
  content: string,
  found: readonly New[],
  missing: readonly { slug: string }[],
): Map<New, string> => {
  const sizes = new Map<string, number>()
  const holders = new Map<string, string[]>()
  for (const { slug } of missing) {
    const lines = listLines(readSkillText(content, slug) ?? '')
    sizes.set(slug, lines.size)
    for (const line of lines) holders.set(line, [...(holders.get(line) ?? []), slug])
  }
  const renames = new Map<New, string>()
  const taken = new Set<string>()
  for (const skill of holders.size > 0 ? found : []) {
    const file = skill.candidate.allFiles.find(({ path }) => path === SKILL_MD)
    const lines = listLines(file ? decodeLoosely(readCopied(file.from)) : '')
    const shared = new Map<string, number>()
    for (const line of lines)
      for (const slug of holders.get(line) ?? []) shared.set(slug, (shared.get(slug) ?? 0) + 1)
    const [best] = [...shared]
      .map(([slug, count]) => ({ slug, part: count / Math.max(lines.size, sizes.get(slug) ?? 0) }))
      .filter(({ slug, part }) => part >= NEARLY && !taken.has(slug))
      .sort((a, b) => b.part - a.part)
    if (!best) continue
    renames.set(skill, best.slug)
    taken.add(best.slug)
  }
  return renames
}
