import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import { spellUnseen } from '../../../src/catalog/lines.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import { diffFolders } from '../import/git/run.ts'

/** The maximum length of a diff in lines, and of a line in characters. */
const LINES_LIMIT = 5_000
const LINE_LIMIT = 1_000

/** Ranks the diff of one file: 0 unless it is Markdown, 1 for SKILL.md, and 2 for other Markdown. */
const rankOf = (difference: string): number => {
  const name = difference.slice(0, difference.indexOf('\n'))
  if (!/\.(?:md|markdown)$/i.test(name)) return 0
  return name.endsWith(` b/new/${SKILL_MD}`) ? 1 : 2
}

const cutLine = (line: string): string =>
  line.length > LINE_LIMIT ? `${line.slice(0, LINE_LIMIT)}… (${line.length} characters)` : line

/** The first lines of a diff, and the number of lines cut off. */
export interface FilesDifference {
  lines: string[]
  more: number
}

/** Diffs the files of two versions with git, from copies in a temporary folder. */
export const compareFiles = (
  temporary: string,
  before: OpenedSkill | undefined,
  after: OpenedSkill,
  limit = LINES_LIMIT,
): FilesDifference => {
  for (const [name, version] of [
    ['now', before],
    ['new', after],
  ] as const) {
    const copy = join(temporary, name)
    rmSync(copy, { recursive: true, force: true })
    mkdirSync(copy, { recursive: true })
    for (const { path, isExecutable } of version?.files ?? []) {
      mkdirSync(dirname(join(copy, path)), { recursive: true })
      const mode = isExecutable ? 0o755 : 0o644
      writeFileSync(join(copy, path), version?.bytes.get(path) ?? '', { mode })
    }
  }
  const files = diffFolders(temporary, 'now', 'new').split(/(?<=\n)(?=diff --git )/)
  const text = files.toSorted((a, b) => rankOf(a) - rankOf(b)).join('')
  const lines = text === '' ? [] : spellUnseen(text).trimEnd().split('\n')
  return {
    lines: lines.slice(0, limit).map(cutLine),
    more: Math.max(0, lines.length - limit),
  }
}
