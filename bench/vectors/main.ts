import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { writeStrings } from '../../src/search/format/bytes.ts'
import { VECTOR_FILE, writeVectorFile } from '../../src/search/vector-file.ts'
import { packVectors } from '../../src/search/vectors.ts'
import { readOptions } from '../options.ts'
import { RECIPE, learnVectors } from './learn.ts'
import type { LearnedRow } from './learn.ts'

const PURPOSE =
  'Learns word vectors from the names and descriptions of many skills. The same rows give the same numbers.'

const { from, to } = readOptions(PURPOSE, {
  from: {
    type: 'string',
    required: true,
    about: 'rows of JSON with name, author and description: an ndjson file, or its .gz',
  },
  to: {
    type: 'string',
    default: fileURLToPath(VECTOR_FILE),
    about: 'the file to write',
  },
})

/** The input cannot be used; the message says why. */
class RowsError extends Error {}

const readFile = (file: string) => {
  try {
    const bytes = readFileSync(file)
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
    return { digest: createHash('sha256').update(bytes).digest('hex'), text }
  } catch (error) {
    throw new RowsError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/** Reads rows of JSON. Splits at LF only, because texts can contain U+2028. */
const readRows = (file: string, text: string): LearnedRow[] =>
  text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    try {
      const { name, author, description } = JSON.parse(line) as Partial<LearnedRow>
      if (typeof name === 'string' && typeof author === 'string' && typeof description === 'string')
        return [{ name, author, description }]
    } catch {
      // Reported below.
    }
    throw new RowsError(
      `${file}, line ${at + 1}: a row must be JSON with the strings name, author and description`,
    )
  })

const main = (): void => {
  const { digest, text } = readFile(from)
  const { words, vectors, skills, authors } = learnVectors(readRows(from, text))
  if (words.length === 0) throw new RowsError(`${from}: no word is used by enough authors`)
  const strings = writeStrings(words)
  const recipe = {
    recipe: RECIPE,
    made: new Date().toISOString().slice(0, 10),
    learnedFrom: digest,
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
}

try {
  main()
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException
  if (!(error instanceof RowsError) && code === undefined) throw error
  console.error(message)
  process.exitCode = 1
}
