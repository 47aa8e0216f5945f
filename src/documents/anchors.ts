import { slug } from 'github-slugger'
import { isAscii } from '../catalog/text.ts'

/** Texts that are remembered at a time; a page asks for each of its headings several times. */
const REMEMBERED = 512

/** Longest text that is worth its room. */
const LONGEST = 200

/**
 * Remembers the latest answers of `find`, which must answer the same for the same text, with nothing that is
 * changed later.
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

// github-slugger's expression names every sign of Unicode; of ASCII it leaves these.
const TAKEN_OF_ASCII = /[^\w -]/g

/** The anchor that GitHub gives a heading where no other has the same. */
export const toAnchor = remember((text): string =>
  isAscii(text) ? text.toLowerCase().replace(TAKEN_OF_ASCII, '').replaceAll(' ', '-') : slug(text),
)

/** Names the anchors of a page as github-slugger does, each once. */
export class Anchors {
  private readonly given = new Map<string, number>()

  /** No heading takes an anchor of `taken`. */
  constructor(taken: readonly string[] = []) {
    for (const anchor of taken) this.slug(anchor)
  }

  slug(text: string): string {
    const plain = toAnchor(text)
    let anchor = plain
    while (this.given.has(anchor)) {
      const count = (this.given.get(plain) ?? 0) + 1
      this.given.set(plain, count)
      anchor = `${plain}-${count}`
    }
    this.given.set(anchor, 0)
    return anchor
  }
}
