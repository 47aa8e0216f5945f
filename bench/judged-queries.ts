import { readFileSync } from 'node:fs'

/** A query, and the skills that people judged to answer it: 3 = wanted, 2 = useful, 1 = related. */
export interface JudgedQuery {
  q: string
  kind: string
  /** Grades by `owner/repo/path` of the SKILL.md. */
  grades: ReadonlyMap<string, number>
}

interface QueryRow {
  q: string
  kind: string
  relevant: { owner: string; repo: string; path: string; grade: number }[]
}

/** Reads a file of JSON rows; splits on LF alone, for texts hold U+2028. */
export const readRows = <Row>(file: string): Row[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row)

/** Names a SKILL.md as the judgements do. */
export const skillKey = (row: { owner: string; repo: string; path: string }): string =>
  `${row.owner}/${row.repo}/${row.path}`

/** Reads judged queries, a JSON row each. */
export const readJudgedQueries = (file: string): JudgedQuery[] =>
  readRows<QueryRow>(file).map(({ q, kind, relevant }) => ({
    q,
    kind,
    grades: new Map(relevant.map((row) => [skillKey(row), row.grade])),
  }))
