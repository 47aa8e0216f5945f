import type { Skill } from '../catalog/skill.ts'
import { showCount } from './counts.ts'
import type { Fact } from './document.ts'
import { escapeMarkdown } from './escape.ts'
import { authorPath, categoryPath, skillPath } from './paths.ts'

/** Gives the row of facts under a skill's name. */
export const factsOf = (skill: Skill): Fact[] => [
  { label: 'Category', value: skill.category, path: categoryPath(skill.category) },
  {
    label: 'Author',
    value: skill.author,
    // The page of an author lists; one whose skills are all gone has none.
    ...(skill.visibility === 'gone' ? {} : { path: authorPath(skill.author) }),
  },
  { label: 'Updated', value: skill.updated },
  {
    label: 'Difficulty',
    value: skill.difficultyDerived ? `${skill.difficulty} (derived)` : skill.difficulty,
  },
  { label: 'Safety', value: skill.safety, path: '#install' },
  { label: 'Licence', value: skill.licence ?? 'not stated' },
  { label: 'Files', value: describeFiles(skill) },
  { label: 'Installs', value: showCount(skill.installs) },
  { label: 'Views', value: showCount(skill.views) },
]

const describeFiles = ({ files }: Skill): string => {
  if (files.length === 0) return '1, synthesized'
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const size = bytes < 1_024 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KiB`
  return `${files.length}, ${size}`
}

/** A skill that is told of by name and link. */
export type NamedSkill = Pick<Skill, 'slug' | 'name'>

const tellCopy = ({ slug, name }: NamedSkill): string =>
  `**A copy of [${escapeMarkdown(name)}](${skillPath(slug)}).** The two say nearly the same.`

/** Says what a reader must know first: that a skill's source is gone, or that it is a copy. */
export const noticeOf = (skill: Skill, original: NamedSkill | undefined): string | undefined =>
  tellGone(skill) ?? (original && tellCopy(original))

const tellGone = ({ source }: Skill): string | undefined => {
  if (source.kind === 'own' || source.status !== 'gone') return undefined
  // A day of the check that found it gone is not a day it was seen.
  const seen = source.seen
    ? `It was last seen on ${source.seen}`
    : `The check of ${source.checked} did not find it`
  return `**Its source is gone.** ${seen}; the registry lists this skill no longer. The download still works, with a SKILL.md synthesized from what the catalog knows.`
}
