import { slug } from 'github-slugger'

/** Text of which github-slugger takes nothing away: it becomes lower case, its spaces dashes. */
const PLAIN = /^[\w -]*$/

/** Gives a heading the anchor that GitHub gives it where no other has the same. */
export const toAnchor = (text: string): string =>
  PLAIN.test(text) ? text.toLowerCase().replaceAll(' ', '-') : slug(text)

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
