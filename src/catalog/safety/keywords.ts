/** A keyword and the numbers of its subscribers, the rules that it triggers. */
interface Keyword {
  word: string
  waiting: number
}

const NEWLINE = 0x0a

/** Byte classes of the automaton: capitals equal small letters; all bytes that no word contains share one class. */
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
 * Finds many words in one pass over the bytes of a text (Aho and Corasick, 1975): .1 ms for the 21 KB of
 * an average skill, whereas one regular expression of all words takes .3.
 */
export class KeywordFinder {
  readonly #classes: Uint8Array
  readonly #count: number
  /** The next state of each state and class, already multiplied by the number of classes. */
  readonly #next: Uint32Array
  /** The first state in which a word ends. */
  readonly #firstEnd: number
  /** Subscribers of the words that end in a state. */
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
    // Breadth first, so that the fallback of a state is finished before it.
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
    // Final states come last, so that one comparison recognizes them; the others are ordered by depth: most
    // of a text passes through the first few, which are then adjacent in memory.
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
   * Reports the 0-based number of each line with a keyword, once for each of its subscribers.
   * Returns whether the text contains anything beyond ASCII.
   */
  find(bytes: Uint8Array, report: (waiting: number, line: number) => void): boolean {
    const [classes, next, count] = [this.#classes, this.#next, this.#count]
    const [firstEnd, all] = [this.#firstEnd, this.#waiting]
    const reported: number[] = []
    let state = 0
    let line = 0
    let bits = 0
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!
      bits |= byte
      state = next[state + classes[byte]!]!
      if (state >= firstEnd) {
        for (const one of all[state / count]!) {
          if (reported[one] === line) continue
          reported[one] = line
          report(one, line)
        }
      }
      if (byte === NEWLINE) line += 1
    }
    return bits > 0x7f
  }
}
