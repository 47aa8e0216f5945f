import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Category } from '../../../src/catalog/categories.ts'
import { decodeLoosely, showValue } from '../../../src/catalog/text.ts'
import {
  FrontMatterError,
  parseFrontMatter,
  splitSkillMd,
} from '../../../src/catalog/front-matter.ts'
import { loadSkill, readSkillFile, SKILL_MD } from '../../../src/catalog/skill-folder.ts'
import { ContentError } from '../../../src/catalog/problems.ts'
import { isSlug } from '../../../src/catalog/schema.ts'
import type { Skill } from '../../../src/catalog/skill.ts'
import { classify, readOwnCategory } from '../classify/classify.ts'
import type { Classified } from '../classify/classify.ts'
import { CommandError } from '../cli/errors.ts'

/** Who decided on a category: the front matter's author, the record's, or the words of the skill. */
export type Decider = 'front matter' | 'record' | 'words'

/** Why a skill has the category it has. */
export interface Explanation {
  slug: string
  category: Category
  decidedBy: Decider
  /** What the words alone say. */
  words: Classified
}

interface OwnWords {
  chosen?: Category | undefined
  body?: string
}

const readOwnWords = (skill: Skill): OwnWords => {
  if (skill.files[0]?.path !== SKILL_MD) return {}
  const text = decodeLoosely(readSkillFile(skill, SKILL_MD))
  try {
    return { chosen: readOwnCategory(parseFrontMatter(text)), body: splitSkillMd(text).body }
  } catch (error) {
    // The record stands in for a front matter that cannot be read; it chooses nothing.
    if (error instanceof FrontMatterError) return {}
    throw error
  }
}

const decide = (category: Category, chosen: Category | undefined, words: Classified): Decider => {
  if (chosen === category) return 'front matter'
  return words.category === category ? 'words' : 'record'
}

/** Explains the category of a skill in a content folder. Throws CommandError or ContentError. */
export const explainCategory = (content: string, slug: string): Explanation => {
  if (!isSlug(slug) || !existsSync(join(content, 'skills', slug))) {
    throw new CommandError(
      `No skill ${showValue(slug)} in ${content}; give the name of a folder in skills/.`,
    )
  }
  const { skill, problems } = loadSkill(content, slug, {})
  if (!skill) throw new ContentError(problems)
  const { chosen, body } = readOwnWords(skill)
  const { name, description, category } = skill
  const words = classify({ name, description, ...(body === undefined ? {} : { body }) })
  return { slug, category, decidedBy: decide(category, chosen, words), words }
}
