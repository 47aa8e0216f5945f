import { slug } from 'github-slugger'
import { isAscii, remember } from '../catalog/text.ts'

// github-slugger's expression lists all of Unicode; in ASCII it removes exactly these.
const TAKEN_OF_ASCII = /[^\w -]/g

/** The anchor that GitHub gives a heading, before it numbers equal ones. */
export const toAnchor = remember((text): string =>
  isAscii(text) ? text.toLowerCase().replace(TAKEN_OF_ASCII, '').replaceAll(' ', '-') : slug(text),
)

/** Gives out the anchors of a page as github-slugger does, each only once. */
export class Anchors {
  private readonly given = new Map<string, number>()

  /** No heading gets an anchor of `taken`. */
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
