import type { MarkedToken } from 'marked'
import type { Footnote, FootnoteMark } from '../../catalog/footnotes.ts'
import { childrenOf } from '../../catalog/markdown.ts'
import { escapeText } from './markup.ts'

/** Lists the notes of a text, including notes inside of other blocks. */
const listNotes = (tokens: readonly MarkedToken[]): Footnote[] =>
  tokens.flatMap((token) => {
    if (!token.raw.includes('[^')) return []
    const within = listNotes(childrenOf(token))
    const note = token as MarkedToken | Footnote
    return note.type === 'footnote' ? [note, ...within] : within
  })

/**
 * The notes of a text, numbered in the order of their marks. Notes without a mark come last. Ids contain the number of
 * a note, not its label. A capital letter distinguishes them from the anchors of headings.
 */
export class Footnotes {
  readonly #prefix: string
  readonly #notes: readonly Footnote[]
  readonly #byLabel = new Map<string, Footnote>()
  /** Notes and their numbers, in ascending order. */
  readonly #numbers = new Map<Footnote, number>()
  /** Numbers of notes whose first mark has an id, so that the note can link back to it. */
  readonly #marked = new Set<number>()

  constructor(tokens: readonly MarkedToken[], prefix: string) {
    this.#prefix = prefix
    this.#notes = listNotes(tokens)
    for (const note of this.#notes)
      if (!this.#byLabel.has(note.label)) this.#byLabel.set(note.label, note)
  }

  #numberOf(note: Footnote): number {
    const number = this.#numbers.get(note) ?? this.#numbers.size + 1
    this.#numbers.set(note, number)
    return number
  }

  #idOf(kind: 'Note' | 'Mark', number: number): string {
    return escapeText(`${this.#prefix}${kind}-${number}`)
  }

  /** Renders a mark as the number of its note; undefined if there is no such note. */
  renderMark({ label }: FootnoteMark, isInLink: boolean): string | undefined {
    const note = this.#byLabel.get(label)
    if (!note) return undefined
    const number = this.#numberOf(note)
    if (isInLink) return `<sup>${number}</sup>`
    const id = this.#marked.has(number) ? '' : ` id="${this.#idOf('Mark', number)}"`
    this.#marked.add(number)
    return `<sup><a href="#${this.#idOf('Note', number)}"${id}>${number}</a></sup>`
  }

  /** Renders all notes. Call this after the text is rendered, which numbers the notes. */
  renderNotes(render: (tokens: MarkedToken[]) => string): string {
    const rendered: string[] = []
    const renderNumbered = (): void => {
      // Rendering a note can number further notes, because it can have marks.
      for (const [note, number] of this.#numbers) {
        if (number <= rendered.length) continue
        const words = this.#addBackLink(render(note.tokens), number)
        rendered.push(`<li id="${this.#idOf('Note', number)}">${words}</li>\n`)
      }
    }
    renderNumbered()
    for (const note of this.#notes) this.#numberOf(note)
    renderNumbered()
    return rendered.length === 0
      ? ''
      : `<ol class="footnotes" aria-label="Notes">\n${rendered.join('')}</ol>\n`
  }

  #addBackLink(words: string, number: number): string {
    if (!this.#marked.has(number)) return words
    const label = `Back to mark ${number}`
    const link = `<a href="#${this.#idOf('Mark', number)}" aria-label="${label}">↩</a>`
    const end = '</p>\n'
    return words.endsWith(end)
      ? `${words.slice(0, -end.length)} ${link}${end}`
      : `${words}${link}\n`
  }
}
