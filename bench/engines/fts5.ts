import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { BOOSTS, PAGE } from './engine.ts'
import type { Engine, Manner } from './engine.ts'

const fileOf = (folder: string): string => join(folder, 'fts5.sqlite')

const SCHEMA = `
  PRAGMA journal_mode = off;
  CREATE TABLE skills (id INTEGER PRIMARY KEY, row TEXT NOT NULL);
  CREATE VIRTUAL TABLE terms USING fts5 (
    name, author, category, description,
    content = '', tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3'
  );
`

const toMatch = (q: string, manner: Manner): string =>
  q
    .split(/\s+/)
    .map((word, at, words) => {
      const quoted = `"${word.replaceAll('"', '""')}"`
      return manner === 'prefix' && at === words.length - 1 ? `${quoted}*` : quoted
    })
    .join(' OR ')

/** SQLite's FTS5 with Porter stems and indexed beginnings; its pages are read from the disk as needed. */
export const engine: Engine = {
  corrects: false,
  build: (documents, folder) => {
    const database = new DatabaseSync(fileOf(folder))
    database.exec(SCHEMA)
    const addRow = database.prepare('INSERT INTO skills VALUES (?, ?)')
    const addTerms = database.prepare(
      'INSERT INTO terms (rowid, name, author, category, description) VALUES (?, ?, ?, ?, ?)',
    )
    database.exec('BEGIN')
    for (const { listed, description } of documents) {
      addRow.run(listed.id, JSON.stringify(listed))
      addTerms.run(listed.id, listed.name, listed.author, listed.category, description)
    }
    database.exec("COMMIT; INSERT INTO terms (terms) VALUES ('optimize'); VACUUM;")
    database.close()
  },
  open: (folder) => {
    const database = new DatabaseSync(fileOf(folder), { readOnly: true })
    const page = database.prepare(`
      SELECT row FROM (
        SELECT rowid FROM terms WHERE terms MATCH ? ORDER BY bm25(terms, ${Object.values(BOOSTS).join()}) LIMIT ${PAGE}
      ) AS best JOIN skills ON skills.id = best.rowid
    `)
    const count = database.prepare('SELECT count(*) AS total FROM terms WHERE terms MATCH ?')
    return {
      find: (q, manner) => {
        const match = toMatch(q, manner)
        const rows = page.all(match).map(({ row }) => JSON.parse(row as string) as unknown)
        return { rows: rows.length, total: Number(count.get(match)?.['total']) }
      },
    }
  },
}
