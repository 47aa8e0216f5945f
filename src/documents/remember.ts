/** Texts that are remembered at a time; a page asks for each of its headings several times. */
const REMEMBERED = 512

/** Longest text that is worth its room. */
const LONGEST = 200

/**
 * Gives a function of a text that answers from memory what it was asked of late. `find` must give the same for
 * the same text, and nothing that is changed later.
 */
export const remember = <Found>(find: (text: string) => Found): ((text: string) => Found) => {
  const known = new Map<string, Found>()
  return (text) => {
    if (text.length > LONGEST) return find(text)
    const before = known.get(text)
    if (before !== undefined) return before
    const found = find(text)
    if (known.size >= REMEMBERED) known.clear()
    known.set(text, found)
    return found
  }
}
