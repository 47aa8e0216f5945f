/** A word that begins a closer look, and the numbers of those who wait for it. */
interface Keyword {
  word: string
  waiting: number
}

const NEWLINE = 0x0a

/** Bytes that words are spelt in; capitals count as small letters, all others are one class that no word has. */
const classify = (words: readonly Keyword[]): { classes: Uint8Array; count: number } => {
  const classes = new Uint8Array(256)
  let count = 1
  for (const { word } of words)
    for (const byte of Buffer.from(word.toLowerCase()))
      if (classes[byte] === 0) classes[byte] = count++
  for (let byte = 0x41; byte <= 0x5a; byte += 1) classes[byte] = classes[byte + 0x20] ?? 0
  return { classes, count }
}

const isEnd = ({ waiting }: { waiting: ReadonlySet<number> }): boolean => waiting.size > 0

/**
 * Finds any of many words in one pass over the bytes of a text (Aho and Corasick, 1975): .1 ms for the 21 KB of
 * an average skill, where one expression of all words takes .3.
 */
export class KeywordFinder {
  readonly #classes: Uint8Array
  readonly #count: number
  /** The next state of each state and class, already multiplied by the number of classes. */
  readonly #next: Uint32Array
  /** The first state in which a word ends. */
  readonly #firstEnd: number
  /** Who waits for the words that end in a state. */
  readonly #waiting: readonly (readonly number[])[]

  constructor(words: readonly Keyword[]) {
    const { classes, count } = classify(words)
    const states: { next: Uint32Array; waiting: Set<number>; suffix: number; place: number }[] = []
    const open = (): number =>
      states.push({ next: new Uint32Array(count), waiting: new Set(), suffix: 0, place: 0 }) - 1
    open()
    for (const { word, waiting } of words) {
      let at = 0
      for (const byte of Buffer.from(word.toLowerCase())) {
        const step = classes[byte]!
        const { next } = states[at]!
        at = next[step] ||= open()
      }
      states[at]!.waiting.add(waiting)
    }
    // By depth, so that what a state falls back to is finished before it.
    const queue = Array.from(states[0]!.next.filter((to) => to > 0))
    for (const at of queue) {
      const state = states[at]!
      const fallback = states[state.suffix]!
      for (const one of fallback.waiting) state.waiting.add(one)
      state.next.forEach((to, step) => {
        if (to === 0) state.next[step] = fallback.next[step]!
        else {
          states[to]!.suffix = fallback.next[step]!
          queue.push(to)
        }
      })
    }
    // States in which words end come last, so that one comparison tells them from all others; else by depth: most
    // of a text passes through the first few, which then lie side by side.
    const byDepth = [0, ...queue].map((at) => states[at]!)
    const order = [...byDepth.filter((one) => !isEnd(one)), ...byDepth.filter(isEnd)]
    order.forEach((state, rank) => (state.place = rank * count))
    this.#classes = classes
    this.#count = count
    this.#firstEnd = states.filter((one) => !isEnd(one)).length * count
    this.#waiting = order.map(({ waiting }) => Array.from(waiting))
    this.#next = new Uint32Array(order.length * count)
    for (const { next, place } of order)
      this.#next.set(
        next.map((to) => states[to]!.place),
        place,
      )
  }

  /**
   * Tells, for each line that holds a word somebody waits for, its 0-based number; once for each of them.
   * Returns whether the text holds anything beyond ASCII.
   */
  find(bytes: Uint8Array, tell: (waiting: number, line: number) => void): boolean {
    const [classes, next, count] = [this.#classes, this.#next, this.#count]
    const [firstEnd, all] = [this.#firstEnd, this.#waiting]
    const told: number[] = []
    let state = 0
    let line = 0
    let bits = 0
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!
      bits |= byte
      state = next[state + classes[byte]!]!
      if (state >= firstEnd) {
        for (const one of all[state / count]!) {
          if (told[one] === line) continue
          told[one] = line
          tell(one, line)
        }
      }
      if (byte === NEWLINE) line += 1
    }
    return bits > 0x7f
  }
}
