import { FrontMatterError, tryFrontMatter } from '../front-matter.ts'
import type { FrontMatter } from '../front-matter.ts'
import { collectNeeds } from '../needs/needs.ts'
import { nameNeed } from '../needs/found.ts'
import type { NeedKind, Need, Needs } from '../needs/found.ts'

export const frontOf = (text: string): FrontMatter => {
  const read = tryFrontMatter(text)
  return read instanceof FrontMatterError ? {} : read
}

/** The needs of a skill `own-skill` with this SKILL.md and other files by path. */
export const collect = (text: string, others: Readonly<Record<string, string>> = {}): Needs => {
  const bytes = new Map(
    Object.entries({ 'SKILL.md': text, ...others }).map(([path, content]) => [
      path,
      Buffer.from(content),
    ]),
  )
  const files = Array.from(bytes, ([path, { length: size }]) => ({ path, size }))
  const front = frontOf(text)
  const names = ['own-skill', ...(front.name === undefined ? [] : [front.name])]
  return collectNeeds(names, front, text, files, (path) => bytes.get(path)!)
}

/** The names of one kind of needs. */
export const collectNames = (kind: NeedKind, ...skill: Parameters<typeof collect>): string[] =>
  collect(...skill)[kind].map(nameNeed)

/** A fenced block of shell lines. */
export const shell = (...lines: string[]): string => ['```sh', ...lines, '```'].join('\n')

/** Needs with only the given names. */
export const sampleNeeds = (given: Partial<Record<NeedKind, readonly string[]>> = {}): Needs => {
  const needs = collect('')
  const lists = Object.entries(given).map(([kind, names]) => [
    kind,
    names.map((name): Need => ({ name, file: 'SKILL.md', line: 1 })),
  ])
  return { ...needs, ...(Object.fromEntries(lists) as Partial<Record<NeedKind, Need[]>>) }
}
