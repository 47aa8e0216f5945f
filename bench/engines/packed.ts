import { join } from 'node:path'
import { openIndexFile } from '../../src/search/read/index-file.ts'
import { findPage } from './engine.ts'
import type { Engine } from './engine.ts'

const fileOf = (folder: string): string => join(folder, 'search.index')

export const engine: Engine = {
  corrects: true,
  build: async (documents, folder) => {
    // Loaded for the build alone: answers do without the packer.
    const { packIndex, toIndexEntry } = await import('../../src/search/pack/pack.ts')
    const { writeFileSync } = await import('node:fs')
    writeFileSync(fileOf(folder), packIndex(documents.map(toIndexEntry), {}))
  },
  open: (folder) => {
    const index = openIndexFile(fileOf(folder))
    return { find: (q) => findPage(index, q) }
  },
}
