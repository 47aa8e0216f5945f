import { slug } from 'github-slugger'
import { isAscii, remember } from '../../catalog/text.ts'

// Same result as github-slugger's expression, which lists all of Unicode, for ASCII texts.
const TAKEN_OF_ASCII = /[^\w -]/g

/** The anchor that GitHub gives a heading, without the number that makes duplicates unique. */
const toAnchor = remember((text): string =>
  isAscii(text) ? text.toLowerCase().replace(TAKEN_OF_ASCII, '').replaceAll(' ', '-') : slug(text),
)

/** Assigns unique anchors on a page, as github-slugger does. */
export class Anchors {
  private readonly counts = new Map<string, number>()

  /** Anchors in `taken` are never assigned. */
  constructor(taken: readonly string[] = []) {
    for (const anchor of taken) this.slug(anchor)
  }

  slug(text: string): string {
    const plain = toAnchor(text)
    let anchor = plain
    while (this.counts.has(anchor)) {
      const count = (this.counts.get(plain) ?? 0) + 1
      this.counts.set(plain, count)
      anchor = `${plain}-${count}`
    }
    this.counts.set(anchor, 0)
    return anchor
  }
}
