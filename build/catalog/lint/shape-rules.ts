import type { SplitSkillMd } from '../../../src/catalog/front-matter.ts'
import {
  FrontMatterError,
  refuseOversize,
  splitSkillMd,
} from '../../../src/catalog/front-matter.ts'
import { findBadFile } from '../import/bad-file.ts'
import type { Mark, RuleTable } from './rule.ts'

/** What can be wrong with where the front matter stands. */
export const SHAPE_RULES = {
  'not-a-skill': {
    severity: 'error',
    message: 'the file is no SKILL.md',
    remedy: 'put a SKILL.md in its place',
  },
  'front-matter-missing': {
    severity: 'error',
    message: 'no front matter between --- lines',
    remedy: 'begin the file with ---, name: …, description: …, --- on lines of their own',
  },
  'front-matter-unread': {
    severity: 'error',
    message: 'the front matter cannot be read',
    remedy: 'open it with a line --- and close it with another, YAML of a few lines between them',
  },
  'front-matter-late': {
    severity: 'error',
    message: 'blank lines stand before the front matter, which then is none to many readers',
    remedy: 'begin the file with ---',
    fix: 'removes the blank lines',
  },
  'front-matter-opening': {
    severity: 'error',
    message: 'the front matter opens with more than ---',
    remedy: 'write --- alone on the line',
  },
  'front-matter-end': {
    severity: 'error',
    message: 'the front matter ends with ..., which most readers do not know',
    remedy: 'end it with ---',
    fix: 'writes --- for it',
  },
  'front-matter-twice': {
    severity: 'warning',
    message: 'a second front matter follows the first and is read as text',
    remedy: 'move its fields into the first',
  },
  'dashes-in-value': {
    severity: 'warning',
    message: '--- inside the front matter, where simple readers, the reference one too, end it',
    remedy: 'write a dash (–) or other words',
  },
  'body-empty': {
    severity: 'warning',
    message: 'there are no instructions below the front matter',
    remedy: 'write what an assistant should do',
  },
} as const satisfies RuleTable

/** A mark of a rule about the front matter's place. */
export type ShapeMark = Mark<keyof typeof SHAPE_RULES>

/** What stands at the start of a file whose front matter is none, and what to say of it. */
const NEAR_MISSES: readonly { shows: RegExp; message: string }[] = [
  { shows: /^\s*(?:```|~~~)/, message: 'the file begins with a code fence, not with ---' },
  { shows: /^\s*<!--/, message: 'a comment stands before the front matter' },
  { shows: /^\s*-{4,}/, message: 'the front matter is opened by more than three dashes' },
  { shows: /^\s*\+\+\+/, message: 'TOML front matter, which no reader of skills knows' },
  { shows: /^\s*;;;/, message: 'JSON front matter, which no reader of skills knows' },
  { shows: /\n---[ \t]*\r?\nname:/, message: 'text stands before the front matter' },
]

/** How much of a file is looked at for a reason that it has no front matter. */
const NEAR_MISS_LENGTH = 10_000

const markMissing = (text: string): ShapeMark => {
  const head = text.slice(0, NEAR_MISS_LENGTH)
  const message = NEAR_MISSES.find(({ shows }) => shows.test(head))?.message
  return { rule: 'front-matter-missing', at: 0, ...(message && { message }) }
}

/** Where a front matter that was found lies. */
export interface Frame {
  block: string
  start: number
  body: string
}

const checkOpening = (text: string, start: number): ShapeMark[] => {
  const line = text.slice(0, start)
  const at = line.indexOf('---')
  const after = /^[ \t]*\S/.test(line.slice(at + 3))
  return [
    ...(at > 0
      ? [{ rule: 'front-matter-late' as const, at: 0, edit: { start: 0, end: at, text: '' } }]
      : []),
    ...(after ? [{ rule: 'front-matter-opening' as const, at, end: line.trimEnd().length }] : []),
  ]
}

const checkFrame = (text: string, { block, start, body }: Frame): ShapeMark[] => {
  const close = start + block.length
  const dashes = block.indexOf('---')
  const second = /^\s*(---)[ \t]*\r?\n(?:name|description):/.exec(body.slice(0, NEAR_MISS_LENGTH))
  const bodyAt = text.length - body.length
  return [
    ...checkOpening(text, start),
    ...(dashes < 0
      ? []
      : [{ rule: 'dashes-in-value' as const, at: start + dashes, end: start + dashes + 3 }]),
    ...(text.startsWith('...', close)
      ? [
          {
            rule: 'front-matter-end' as const,
            at: close,
            end: close + 3,
            edit: { start: close, end: close + 3, text: '---' },
          },
        ]
      : []),
    ...(second
      ? [{ rule: 'front-matter-twice' as const, at: bodyAt + second[0].indexOf('---') }]
      : []),
    ...(body.trim() === '' ? [{ rule: 'body-empty' as const, at: close }] : []),
  ]
}

const splitText = (text: string): SplitSkillMd => {
  const split = splitSkillMd(text)
  if (split.block !== undefined) refuseOversize(split.block)
  return split
}

/** Finds the front matter of a text without a byte order mark, and marks what is wrong with its place. */
export const findFrame = (text: string): { frame?: Frame; marks: ShapeMark[] } => {
  const fault = findBadFile(text)
  if (fault) {
    const at = Math.max(0, text.indexOf('<<<<<<<'))
    return {
      marks: [{ rule: 'not-a-skill', at, message: fault.reason, remedy: fault.remedy }],
    }
  }
  try {
    const { block, start, body } = splitText(text)
    if (block === undefined || start === undefined) return { marks: [markMissing(text)] }
    const frame = { block, start, body }
    return { frame, marks: checkFrame(text, frame) }
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    const at = /[^\s]/.exec(text)?.index ?? 0
    return { marks: [{ rule: 'front-matter-unread', at, message: error.message }] }
  }
}
