import { VECTOR_SIZE, readStems } from '../../src/search/vectors.ts'
import { factorize, findEigenvectors } from './factorize.ts'
import type { SparseMatrix } from './factorize.ts'

/** A skill to learn from. */
interface LearnedRow {
  name: string
  author: string
  description: string
}

/** A word must be used by this many authors: the table must not reveal words or descriptions of a single author. */
const AUTHORS = 20

/** Further skills of an author add no weight: a few authors have thousands of skills, made from one template. */
const SKILLS_OF_AUTHOR = 50

/** How many times a word of the name counts: names show best what descriptions are about. */
const NAME_TIMES = 4

/** Exponent of a context's frequency, so that rare contexts do not weigh too much (Levy, Goldberg and Dagan, 2015). */
const SMOOTHING = 0.75

/** The description of the method that is written into the file. */
export const RECIPE = [
  `stems and character pairs used by ${AUTHORS} authors or more`,
  `at most ${SKILLS_OF_AUTHOR} skills of an author count`,
  `words of names ${NAME_TIMES} times`,
  `positive pointwise mutual information, contexts to the power ${SMOOTHING}`,
  `${VECTOR_SIZE} strongest directions, each as strong as the others`,
  'first component of all skills removed',
  'length by rarity',
].join('; ')

/** A text, with words given by their numbers. */
interface LearnedText {
  /** Weight of the text: less than 1 if its author has many texts. */
  weight: number
  /** Distinct words, and how many times each counts. */
  words: Int32Array
  times: Float64Array
}

interface ReadText {
  author: string
  name: string[]
  description: string[]
}

/** Reads the distinct texts of rows. */
const readTexts = (rows: readonly LearnedRow[]): ReadText[] => {
  const byText = new Map(
    rows.map((row) => [`${row.name}\n${row.description}`.toLowerCase(), row] as const),
  )
  return Array.from(byText.values(), ({ name, author, description }) => ({
    author: author.toLowerCase(),
    name: readStems(name),
    description: readStems(description),
  }))
}

const listSharedWords = (texts: readonly ReadText[]): string[] => {
  const authors = new Map<string, Set<string>>()
  for (const { author, name, description } of texts)
    for (const word of [...name, ...description]) {
      const known = authors.get(word) ?? new Set()
      authors.set(word, known)
      if (known.size < AUTHORS) known.add(author)
    }
  return [...authors]
    .filter(([, users]) => users.size >= AUTHORS)
    .map(([word]) => word)
    .sort()
}

const countWords = (texts: readonly ReadText[], words: readonly string[]): LearnedText[] => {
  const numbers = new Map(words.map((word, number) => [word, number]))
  const byAuthor = Map.groupBy(texts, ({ author }) => author)
  return texts.map(({ author, name, description }) => {
    const times = new Map<number, number>()
    const add = (stems: readonly string[], each: number): void => {
      for (const number of stems.flatMap((stem) => numbers.get(stem) ?? []))
        times.set(number, Math.max(each, times.get(number) ?? 0))
    }
    add(name, NAME_TIMES)
    add(description, 1)
    return {
      weight: Math.min(1, SKILLS_OF_AUTHOR / byAuthor.get(author)!.length),
      words: Int32Array.from(times.keys()),
      times: Float64Array.from(times.values()),
    }
  })
}

/** How much more often than by chance two words are in the same text, as a logarithm; less often counts as 0. */
const associate = (texts: readonly LearnedText[], count: number): SparseMatrix => {
  const sums = new Float64Array(count)
  // For each word, alternating: a text, and how often it has the word.
  const uses = Array.from({ length: count }, (): number[] => [])
  texts.forEach(({ weight, words, times }, text) => {
    const all = times.reduce((sum, number) => sum + number, 0)
    words.forEach((word, at) => {
      sums[word]! += weight * times[at]! * (all - times[at]!)
      uses[word]!.push(text, times[at]!)
    })
  })
  const contexts = sums.map((sum) => sum ** SMOOTHING)
  const total = contexts.reduce((sum, context) => sum + context, 0)
  const columns: Int32Array[] = []
  const values: Float32Array[] = []
  const together = new Float64Array(count)
  uses.forEach((used, word) => {
    together.fill(0)
    for (let at = 0; at < used.length; at += 2) {
      const { weight, words, times } = texts[used[at]!]!
      const each = weight * used[at + 1]!
      for (let place = 0; place < words.length; place++)
        together[words[place]!]! += each * times[place]!
    }
    together[word] = 0
    // The mean of both directions: either word can be the context of the other.
    const informationOf = (other: number): number =>
      Math.log((together[other]! * total) / Math.sqrt(sums[word]! * contexts[other]!)) -
      Math.log(sums[other]! * contexts[word]!) / 2
    const associated: number[] = []
    for (let other = 0; other < count; other++)
      if (together[other]! > 0 && informationOf(other) > 0) associated.push(other)
    columns.push(Int32Array.from(associated))
    values.push(Float32Array.from(associated, informationOf))
  })
  return { columns, values }
}

/** Multiplies the vector of each word by its rarity, the negative logarithm of the share of texts that contain it. */
const weighByRarity = (vectors: Float64Array, texts: readonly LearnedText[]): void => {
  const holders = new Float64Array(vectors.length / VECTOR_SIZE)
  let all = 0
  for (const { weight, words } of texts) {
    all += weight
    for (const word of words) holders[word]! += weight
  }
  vectors.forEach((number, at) => {
    vectors[at] = number * Math.log((all + 1) / (holders[Math.floor(at / VECTOR_SIZE)]! + 0.5))
  })
}

/**
 * Removes from each word's vector the direction that all skills share: the first component of the skills' vectors
 * (Arora, Liang and Ma, 2017).
 */
const removeCommon = (vectors: Float64Array, texts: readonly LearnedText[]): void => {
  const products = new Float64Array(VECTOR_SIZE ** 2)
  for (const { words } of texts) {
    const sum = new Float64Array(VECTOR_SIZE)
    for (const word of words)
      for (let at = 0; at < VECTOR_SIZE; at++) sum[at]! += vectors[word * VECTOR_SIZE + at]!
    const squared = sum.reduce((total, number) => total + number ** 2, 0) || 1
    for (let i = 0; i < VECTOR_SIZE; i++)
      for (let j = 0; j < VECTOR_SIZE; j++)
        products[i * VECTOR_SIZE + j]! += (sum[i]! * sum[j]!) / squared
  }
  const { values, vectors: columns } = findEigenvectors(products, VECTOR_SIZE)
  const first = values.indexOf(values.reduce((most, value) => Math.max(most, value)))
  const common = Float64Array.from(
    { length: VECTOR_SIZE },
    (_, at) => columns[at * VECTOR_SIZE + first]!,
  )
  for (let from = 0; from < vectors.length; from += VECTOR_SIZE) {
    const vector = vectors.subarray(from, from + VECTOR_SIZE)
    const share = vector.reduce((sum, number, at) => sum + number * common[at]!, 0)
    common.forEach((number, at) => (vector[at]! -= share * number))
  }
}

/** Learns a vector of `VECTOR_SIZE` numbers for each word, from the words that occur together in many skills. */
export const learnVectors = (rows: readonly LearnedRow[]) => {
  const read = readTexts(rows)
  const words = listSharedWords(read)
  const texts = countWords(read, words)
  const vectors = factorize(associate(texts, words.length), VECTOR_SIZE)
  weighByRarity(vectors, texts)
  removeCommon(vectors, texts)
  const authors = new Set(read.map(({ author }) => author)).size
  return { words, vectors, skills: texts.length, authors }
}
