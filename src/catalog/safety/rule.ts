import type { SkillNames } from './hosts.ts'

/** How much a finding weighs, the gravest first. High and medium want a human's eye before the skill is used. */
export const SEVERITIES = ['high', 'medium', 'low', 'note'] as const
export type FindingSeverity = (typeof SEVERITIES)[number]

/** What a line of a skill's files is. */
export type Region =
  'prose' | 'table' | 'fence' | 'comment' | 'front matter' | 'script' | 'config' | 'file'

/** A text file of a skill, taken apart into lines. */
export interface TextFile {
  path: string
  text: string
  lines: readonly string[]
  names: SkillNames
  /** What a line is, by its 0-based number. */
  regionOf: (line: number) => Region
  /** The headings above a line of Markdown but the title, the nearest last. */
  headingsOf: (line: number) => string
}

/** Where something was found. */
export interface SafetyMatch {
  /** 0-based number of its line. */
  line: number
  /** First unit of it in its line, and how many; what goes on in the next line is cut. */
  start: number
  length: number
  severity?: FindingSeverity | undefined
  /** Why the severity is another than that of the rule. */
  context?: string | undefined
  /** Further lines that it rests on; its digest covers them. */
  lines?: number
}

/** A match as a rule judges it: the match, and where it stands. */
export interface Place {
  file: TextFile
  line: number
  /** What the pattern was run on: the line, and those that follow where the rule takes several. */
  text: string
  region: Region
}

/** A severity, with the reason where it is not the rule's own; undefined where it is nothing. */
export type Judgement = FindingSeverity | readonly [FindingSeverity, string] | undefined

/** The place of a judgement among the severities, the gravest 0; nothing comes last. */
export const rankJudgement = (judged: Judgement): number =>
  judged === undefined
    ? SEVERITIES.length
    : SEVERITIES.indexOf(typeof judged === 'string' ? judged : judged[0])

/** One kind of thing that a person should look at. */
export interface SafetyRule {
  id: string
  /** Heading it stands under in the documentation. */
  group: string
  severity: FindingSeverity
  /** Regions it looks in. */
  where: readonly Region[]
  /** What it looks for, in words: for readers. */
  finds: string
  /** Why it matters: completes "this line …". */
  says: string
  remedy: string
  /** What is known to fool it, either way. */
  fooled: string
  /** A line is looked at where one of these stands, in any case; split by `|`. */
  words?: string
  /** Whether it looks at every line that holds something beyond ASCII. */
  beyondAscii?: boolean
  /** Every quantifier is bounded, so that it is linear on any line. */
  pattern?: RegExp
  /** Lines that the pattern is run on at once; 1 where left out. */
  span?: number
  judge?: (found: RegExpExecArray, place: Place) => Judgement
  /** Whether it reads a sentence on in the next line. */
  isWrapped?: boolean
  /** Looks at a whole file instead, where a word of it stands. */
  find?: (file: TextFile) => SafetyMatch[]
  /** Words of warning on the same line do not lower it: they are what it lures with. */
  isFirm?: boolean
  /** Whether it says something only beside a grave finding: alone, it is a mere capability. */
  isCompanion?: boolean
  /** Whether what is found is cut in the quotation. */
  isSecret?: boolean
}

const SPAN_LIMIT = 2_000

/** A line that goes on in the next: a command by its backslash, a sentence because it was wrapped. */
const goesOn = (line: string, next: string, isWrapped: boolean): boolean =>
  line.endsWith('\\') || (isWrapped && line.length > 40 && /^\s{0,8}[\p{L}\p{N}("'`*[]/u.test(next))

/** What a rule looks at from a line on: the line, what continues it, and further lines where it takes several. */
export const joinLines = (
  lines: readonly string[],
  line: number,
  { span = 1, isWrapped = false }: Pick<SafetyRule, 'span' | 'isWrapped'>,
): string => {
  let text = lines[line] ?? ''
  if (span > 1) return [text, ...lines.slice(line + 1, line + span)].join('\n').slice(0, SPAN_LIMIT)
  for (let at = line + 1; at < line + 4; at += 1) {
    const next = lines[at]
    if (next === undefined || !goesOn(text, next, isWrapped && at === line + 1)) break
    text = `${text.replace(/\\$/, '')} ${next.trimStart()}`
  }
  return text
}

/** Texts where a skill speaks to an assistant or a person. */
export const SPOKEN: readonly Region[] = ['prose', 'table', 'comment', 'front matter']

/** Texts where commands stand. */
export const COMMANDS: readonly Region[] = [
  'prose',
  'table',
  'fence',
  'comment',
  'script',
  'config',
]

export const ANYWHERE: readonly Region[] = [...SPOKEN, 'fence', 'script', 'config']
