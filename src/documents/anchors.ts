import { slug } from 'github-slugger'
import { isAscii } from '../catalog/text.ts'
import { remember } from './remember.ts'

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
