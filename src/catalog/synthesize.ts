import type { Skill } from './skill.ts'

type Metadata = Pick<
  Skill,
  | 'slug'
  | 'name'
  | 'author'
  | 'description'
  | 'category'
  | 'updated'
  | 'licence'
  | 'licenceWords'
  | 'source'
>

const DESCRIPTION_MAX = 1_024

const isSpecName = (name: string): boolean =>
  name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)

// A JSON string is a double-quoted YAML scalar, so no value can end its line or its quotes.
const field = (key: string, value: string): string => `${key}: ${JSON.stringify(value)}`

const explainAbsence = ({ source }: Metadata): string => {
  if (source.kind === 'own') return 'The registry has no copy of the original file.'
  if (source.status !== 'gone') {
    return `The original text is not copied here; it lies at <${source.url.replace(/[<>]/g, encodeURIComponent)}>.`
  }
  const seen = source.seen ? `; it was last seen on ${source.seen}` : ''
  return `The original, at <${source.url.replace(/[<>]/g, encodeURIComponent)}>, is gone${seen}.`
}

/**
 * Makes a SKILL.md from catalog metadata, for a skill whose own file is gone or may not be copied; the
 * text says that it is synthesized (decisions, "Visibility").
 */
export const synthesizeSkillMd = (skill: Metadata): string => {
  const licence = skill.licenceWords ?? skill.licence
  const words = skill.description.replace(/\s+/g, ' ').trim()
  const lines = [
    '---',
    field('name', isSpecName(skill.name) ? skill.name : skill.slug.slice(0, 64).replace(/-+$/, '')),
    field('description', [...words].slice(0, DESCRIPTION_MAX).join('')),
    ...(licence ? [field('license', licence)] : []),
    '---',
    '',
    `# ${skill.name}`,
    '',
    '## About this file',
    '',
    `This SKILL.md is synthesized from catalog metadata. ${explainAbsence(skill)} It holds no instructions of the author's.`,
    '',
    `- Author: ${skill.author}`,
    `- Category: ${skill.category}`,
    ...(skill.updated === undefined ? [] : [`- Last updated: ${skill.updated}`]),
    '',
  ]
  return lines.join('\n')
}
