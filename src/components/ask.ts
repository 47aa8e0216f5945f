/** How long an answer may take, in milliseconds. */
const PATIENCE = 10_000

/** Fetches pages of results, one at a time: a newer question ends an older one, so no answer comes out of order. */
export class Questions {
  #running: AbortController | undefined
  /** Whether the last question was longer than an address may be. */
  isTooLong = false

  stop(): void {
    this.#running?.abort()
    this.#running = undefined
  }

  /** The page of results; undefined after a failure, 'late' if the request was cancelled or superseded. */
  async ask(address: string): Promise<Document | 'late' | undefined> {
    this.stop()
    const request = new AbortController()
    this.#running = request
    let page: Document | undefined
    this.isTooLong = false
    try {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE)])
      const answer = await fetch(address, { signal })
      if (this.#running === request) this.isTooLong = answer.status === 414
      // A refused search is a page, too.
      if (answer.ok || answer.status === 400) page = readAnswer(await answer.text(), address)
    } catch {
      // Without a page it counts as a failure.
    }
    return this.#running === request ? page : 'late'
  }
}

/** Undefined for the list of all skills, which hosts without the function have at every address of a search. */
const readAnswer = (html: string, address: string): Document | undefined => {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const isSearch = new URL(address, location.href).search !== ''
  return isSearch && page.querySelector('[data-part="all-skills"]') ? undefined : page
}

/** What a page of results says of all of them, in one line. */
export const readWords = (page: ParentNode): string =>
  page.querySelector('#results .text p')?.textContent ?? ''
