import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Document } from 'flexsearch'
import { PAGE } from './engine.ts'
import type { Engine } from './engine.ts'

const createEmpty = () =>
  new Document({
    document: {
      id: 'id',
      index: ['name', 'author', 'category', 'description'],
      store: true,
    },
    tokenize: 'forward',
  })

const folderOf = (folder: string): string => join(folder, 'flexsearch')

/** FlexSearch, indexed by the beginnings of words; it ranks by place and knows no typos or totals. */
export const engine: Engine = {
  corrects: false,
  build: async (documents, folder) => {
    const index = createEmpty()
    for (const { listed, description } of documents)
      index.add({ ...listed, description } as unknown as Parameters<typeof index.add>[0])
    mkdirSync(folderOf(folder), { recursive: true })
    await index.export((key, data) => writeFileSync(join(folderOf(folder), key), data))
  },
  open: (folder) => {
    const index = createEmpty()
    for (const key of readdirSync(folderOf(folder)))
      index.import(key, readFileSync(join(folderOf(folder), key), 'utf8'))
    return {
      find: (q) => {
        const found = index.search(q, { limit: PAGE, suggest: true, enrich: true, merge: true })
        return { rows: found.length, total: found.length }
      },
    }
  },
}
