import type { Prose } from '../catalog/load.ts'
import { LISTING_DESCRIPTION } from '../catalog/skill.ts'
import { truncateAtWord } from '../catalog/text.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { showCount } from './counts.ts'
import type { Entry } from './document.ts'
import { postPath, skillPath } from './paths.ts'

/** Gives a skill as a line of a list; installs are named once there are any. */
export const skillEntry = (skill: SkillFacts): Entry => ({
  title: skill.name,
  path: skillPath(skill.slug),
  text: truncateAtWord(skill.description.replace(/\s+/g, ' '), LISTING_DESCRIPTION),
  category: skill.category,
  facts: [
    skill.category,
    skill.author,
    skill.updated,
    ...(skill.installs > 0 ? [`${showCount(skill.installs)} installs`] : []),
  ],
})

/** Gives a blog post as a line of a list. */
export const postEntry = (post: Prose): Entry => ({
  title: post.title,
  path: postPath(post.slug),
  text: post.description,
  facts: [post.date],
})

/** Writes a count with its noun: `1 skill`, `27 skills`. */
export const countOf = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
