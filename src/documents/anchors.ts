import { slug } from 'github-slugger'
import { isAscii } from '../catalog/text.ts'

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

// github-slugger's expression names every sign of Unicode; of ASCII it leaves these.
const TAKEN_OF_ASCII = /[^\w -]/g

/** Gives a heading the anchor that GitHub gives it where no other has the same. */
export const toAnchor = remember((text): string =>
  isAscii(text) ? text.toLowerCase().replace(TAKEN_OF_ASCII, '').replaceAll(' ', '-') : slug(text),
)

/** Names the anchors of a page as github-slugger does, each once. */
export class Anchors {
  private readonly given = new Map<string, number>()

  /** Gives a heading an anchor that none before it has. */
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
