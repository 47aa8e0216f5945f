import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeSkill } from './build-content.ts'
import type { BenchSkill } from './build-content.ts'

/** A content folder in which a benchmark changes skills. */
export interface Edited {
  content: string
  /** Returns a skill that was not changed yet. */
  takeSkill: () => BenchSkill
  /** Returns an unused id. */
  takeId: () => number
}

/** The golden ratio: the fractions of its multiples are evenly spread, however many are used. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/** Opens a folder for changes to one skill at a time, spread over the catalog. */
export const openEdits = (content: string, skills: readonly BenchSkill[]): Edited => {
  let taken = 0
  let id = skills.length
  return {
    content,
    takeId: () => (id += 1),
    takeSkill: () => {
      taken += 1
      const skill = skills[Math.floor(((taken * GOLDEN) % 1) * skills.length)]
      if (!skill) throw new Error('there is no skill to change')
      return skill
    },
  }
}

type Fields = Record<string, unknown>

const editJson = (path: string, edit: (fields: Fields) => Fields): void =>
  writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, 'utf8')) as Fields)))

const editRecord =
  (edit: (record: Fields) => Fields) =>
  ({ content, takeSkill }: Edited): void =>
    editJson(join(content, 'skills', takeSkill().slug, 'skill.json'), edit)

/** Changes to one skill, by name. */
export const EDITS: Readonly<Record<string, (edited: Edited) => void>> = {
  'one text changed': ({ content, takeSkill }) =>
    appendFileSync(join(content, 'skills', takeSkill().slug, 'SKILL.md'), '\nRetouched.\n'),
  'one description changed': editRecord((record) => ({
    ...record,
    description: `${record['description']} Retouched.`,
  })),
  'one name changed': editRecord((record) => ({ ...record, name: `${record['name']} again` })),
  'one category changed': editRecord((record) => ({
    ...record,
    category: record['category'] === 'Coding' ? 'Design' : 'Coding',
  })),
  'one skill added': ({ content, takeSkill, takeId }) => {
    const { slug, ...skill } = takeSkill()
    writeSkill(content, { ...skill, slug: `${slug}-too`, id: takeId() })
  },
  'one skill removed': ({ content, takeSkill }) =>
    rmSync(join(content, 'skills', takeSkill().slug), { recursive: true }),
  'one counter changed': ({ content, takeSkill }) =>
    editJson(join(content, 'counters.json'), (counters) => {
      const { id } = takeSkill()
      const { views, installs } = counters[id] as { views: number; installs: number }
      return { ...counters, [id]: { views: views + 1, installs: installs + 1 } }
    }),
}
