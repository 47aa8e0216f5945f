import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { create, insertMultiple, load, save, search } from '@orama/orama'
import type { RawData } from '@orama/orama'
import { BOOSTS, PAGE } from './engine.ts'
import type { Engine } from './engine.ts'

const fileOf = (folder: string): string => join(folder, 'orama.json')

const createEmpty = () =>
  create({
    schema: { name: 'string', author: 'string', category: 'string', description: 'string' },
    components: { tokenizer: { stemming: true, language: 'english' } },
  })

/** Orama, English stems; it finds beginnings of words in every query. */
export const engine: Engine = {
  corrects: true,
  build: async (documents, folder) => {
    const index = createEmpty()
    await insertMultiple(
      index,
      documents.map(({ listed, description }) => ({
        ...listed,
        id: String(listed.id),
        description,
      })),
      1000,
    )
    writeFileSync(fileOf(folder), JSON.stringify(save(index)))
  },
  open: (folder) => {
    const index = createEmpty()
    load(index, JSON.parse(readFileSync(fileOf(folder), 'utf8')) as RawData)
    return {
      find: async (term, manner) => {
        const { hits, count } = await search(index, {
          term,
          boost: BOOSTS,
          limit: PAGE,
          tolerance: manner === 'typo' ? 1 : 0,
        })
        return { rows: hits.length, total: count }
      },
    }
  },
}
