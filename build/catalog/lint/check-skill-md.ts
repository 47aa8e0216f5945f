import { checkBody } from './body-rules.ts'
import { checkFields } from './field-rules.ts'
import type { HasFile } from './link-rules.ts'
import type { Mark } from './rule.ts'
import { findFrame } from './shape-rules.ts'
import type { Frame } from './shape-rules.ts'
import { checkText } from './text-rules.ts'
import { checkBlanks } from './trailing-blanks.ts'
import { readYaml } from './yaml-rules.ts'

/** What a SKILL.md is checked against beside its own text. */
export interface Surroundings {
  /** Name of the folder, where the skill's name has to be that. */
  folder: string | undefined
  hasFile: HasFile
}

const shift = (marks: readonly Mark[], by: number): Mark[] =>
  marks.map((mark) => ({
    ...mark,
    at: mark.at + by,
    ...(mark.end === undefined ? {} : { end: mark.end + by }),
    ...(mark.edit && {
      edit: { ...mark.edit, start: mark.edit.start + by, end: mark.edit.end + by },
    }),
  }))

const checkFrontMatter = (text: string, { block, start }: Frame, around: Surroundings): Mark[] => {
  const { fields, marks } = readYaml(block)
  const found = fields ? checkFields(fields, { block, folder: around.folder }) : []
  const isEmpty = fields === undefined && marks.length === 0
  const missing: Mark[] = isEmpty
    ? ['name-missing', 'description-missing'].map((rule) => ({ rule, at: 0 }))
    : []
  return [
    ...shift([...marks, ...found, ...missing], start),
    ...checkBlanks(text, { start, close: start + block.length }, fields),
  ]
}

/** Marks everything that is wrong with the text of a SKILL.md, a byte order mark counted. */
export const checkSkillMd = (text: string, around: Surroundings): Mark[] => {
  const skipped = text.startsWith('\uFEFF') ? 1 : 0
  const content = text.slice(skipped)
  const { frame, marks } = findFrame(content)
  const isAllBody = marks.some(({ rule }) => rule === 'front-matter-missing')
  const body = frame?.body ?? (isAllBody ? content : '')
  return [
    ...checkText(text),
    ...shift(
      [
        ...marks,
        ...(frame ? checkFrontMatter(content, frame, around) : []),
        ...shift(checkBody(body, around.hasFile), content.length - body.length),
      ],
      skipped,
    ),
  ]
}
