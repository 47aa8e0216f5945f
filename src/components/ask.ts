const TIMEOUT_MS = 10_000

/** The list of all skills, which hosts without the function answer with at every address of a search. */
const ALL_SKILLS = '[data-part="all-skills"]'

let running: AbortController | undefined

/** Gives up the last question. */
export const stopAsking = (): void => {
  running?.abort()
  running = undefined
}

interface Answer {
  /** Absent if no search answered. */
  page?: Document
  /** Whether an address does not hold the question. */
  isTooLong?: boolean
}

/** Fetches a page of results. A newer question ends an older one, which gets undefined: no answer is out of order. */
export const ask = async (address: string): Promise<Answer | undefined> => {
  stopAsking()
  const request = new AbortController()
  running = request
  const answer: Answer = {}
  try {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)])
    const response = await fetch(address, { signal })
    answer.isTooLong = response.status === 414
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    // A refused search is a page, too.
    const isSearch = !new URL(address, location.href).search || !page.querySelector(ALL_SKILLS)
    if ((response.ok || response.status === 400) && isSearch) answer.page = page
  } catch {
    // Without a page it counts as a failure.
  }
  return running === request ? answer : undefined
}

/** The line of a page of results about all of them. */
export const readSummary = (page: ParentNode): string =>
  ['h2', '.text p']
    .map((part) => page.querySelector(`#results ${part}`)?.textContent?.trim() ?? '')
    .filter(Boolean)
    .join('. ')
