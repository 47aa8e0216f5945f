const TIMEOUT_MS = 10_000

/** Selects the list of all skills, which static hosts return for every search address. */
const ALL_SKILLS = '[data-part="all-skills"]'

let running: AbortController | undefined

/** Cancels the last request. */
export const cancelSearch = (): void => {
  running?.abort()
  running = undefined
}

interface Answer {
  /** The page of results. Absent if the search failed. */
  page?: Document
  /** Whether the query is too long for an address. */
  isTooLong?: boolean
}

/** Fetches a page of results. Returns undefined if a newer request superseded this one. */
export const fetchResults = async (address: string): Promise<Answer | undefined> => {
  cancelSearch()
  const request = new AbortController()
  running = request
  const answer: Answer = {}
  try {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)])
    const response = await fetch(address, { signal })
    answer.isTooLong = response.status === 414
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    // The page of an invalid search has status 400.
    const isSearch = !new URL(address, location.href).search || !page.querySelector(ALL_SKILLS)
    if ((response.ok || response.status === 400) && isSearch) answer.page = page
  } catch {
    // An answer without a page is a failure.
  }
  return running === request ? answer : undefined
}

export const readSummary = (page: ParentNode): string =>
  ['h2', '.text p']
    .map((part) => page.querySelector(`#results ${part}`)?.textContent?.trim() ?? '')
    .filter(Boolean)
    .join('. ')
