import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeStrings } from '../../src/search/format/bytes.ts'
import { VECTOR_FILE, writeVectorFile } from '../../src/search/vector-file.ts'
import { packVectors } from '../../src/search/vectors.ts'
import { readBigRows } from '../big-rows.ts'
import { readOptions } from '../options.ts'
import { RECIPE, learnVectors } from './learn.ts'

const PURPOSE =
  'Learns word vectors from the names and descriptions of many skills. The same rows give the same numbers.'

const { from, to } = readOptions(PURPOSE, {
  from: {
    type: 'string',
    required: true,
    about: 'rows of JSON with name, author and description: an .ndjson.gz file',
  },
  to: {
    type: 'string',
    default: fileURLToPath(VECTOR_FILE),
    about: 'the file to write',
  },
})

const { words, vectors, skills, authors } = learnVectors(readBigRows(from))
if (words.length === 0) throw new Error(`${from}: no word is used by enough authors`)
const strings = writeStrings(words)
const recipe = {
  recipe: RECIPE,
  made: new Date().toISOString().slice(0, 10),
  learnedFrom: createHash('sha256').update(readFileSync(from)).digest('hex'),
  skills,
  authors,
  words: words.length,
  wordBytes: strings.bytes.length,
}
const file = writeVectorFile(recipe, {
  vectorWordBytes: strings.bytes,
  vectorWordBlocks: strings.blocks,
  ...packVectors(vectors),
})
writeFileSync(to, file)
console.log(
  `${skills} skills of ${authors} authors: ${words.length} words, ${(file.length / 1e6).toFixed(2)} MB in ${to}`,
)
