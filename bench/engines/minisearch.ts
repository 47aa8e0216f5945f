import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serializePlainIndex } from '../../testing/oracle/plain-file.ts'
import { openPlainIndex } from '../../testing/oracle/plain-index.ts'
import { findPage } from './engine.ts'
import type { Engine } from './engine.ts'

const fileOf = (folder: string): string => join(folder, 'index.json')

/** MiniSearch with the registry's own ranking: the same answers as packed, from `loadJSON`'s objects. */
export const engine: Engine = {
  corrects: true,
  build: (documents, folder) => writeFileSync(fileOf(folder), serializePlainIndex(documents)),
  open: (folder) => {
    const index = openPlainIndex(readFileSync(fileOf(folder), 'utf8'))
    return { find: (q) => findPage(index, q) }
  },
}
