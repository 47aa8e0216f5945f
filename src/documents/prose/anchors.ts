import { slug } from 'github-slugger'
import { isAscii, remember } from '../../catalog/text.ts'

// For ASCII text, this has the same effect as github-slugger's expression, which lists all of Unicode.
const REMOVED_FROM_ASCII = /[^\w -]/g

/** Returns GitHub's anchor for a heading, without the number that makes duplicates unique. */
const toAnchor = remember((text): string =>
  isAscii(text)
    ? text.toLowerCase().replace(REMOVED_FROM_ASCII, '').replaceAll(' ', '-')
    : slug(text),
)

/** Assigns unique anchors on a page, as github-slugger does. */
export class Anchors {
  private readonly counts = new Map<string, number>()

  /** Anchors in `usedAnchors` are never assigned. */
  constructor(usedAnchors: readonly string[] = []) {
    for (const anchor of usedAnchors) this.slug(anchor)
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
