import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openOracle, serializeOracle } from '../../testing/oracle/oracle.ts'
import { findPage } from './engine.ts'
import type { Engine } from './engine.ts'

const fileOf = (folder: string): string => join(folder, 'index.json')

/** MiniSearch with the registry's own ranking: the same answers as packed, from `loadJSON`'s objects. */
export const engine: Engine = {
  corrects: true,
  build: (documents, folder) => writeFileSync(fileOf(folder), serializeOracle(documents)),
  open: (folder) => {
    const index = openOracle(readFileSync(fileOf(folder), 'utf8'))
    return { find: (q) => findPage(index, q) }
  },
}
