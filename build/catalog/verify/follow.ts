import { NoAnswer, askPatiently } from './ask.ts'
import type { Wanted, Wire } from './ask.ts'
import type { Answer } from './request.ts'

/** The answer at the end of redirects. */
export interface Found {
  answer: Answer
  url: URL
  /** Every redirect on the way was for good; false where there was none. */
  isMoved: boolean
}

const PERMANENT = new Set([301, 308])
const REDIRECTS = new Set([...PERMANENT, 302, 303, 307])

const HOPS = 5

const nextUrl = ({ status, headers }: Answer, from: URL): URL | undefined => {
  if (!REDIRECTS.has(status) || headers.location === undefined) return undefined
  if (!URL.canParse(headers.location, from)) throw new NoAnswer('it leads to no address')
  return new URL(headers.location, from)
}

/** Asks an address and follows where it leads; each step is asked as guarded as the first. Throws NoAnswer. */
export const follow = async (address: URL, wanted: Wanted, wire: Wire): Promise<Found> => {
  let url = address
  let isPermanent = true
  for (let hop = 0; hop <= HOPS; hop += 1) {
    const answer = await askPatiently(url, wanted, wire)
    const next = nextUrl(answer, url)
    if (!next) return { answer, url, isMoved: hop > 0 && isPermanent }
    isPermanent &&= PERMANENT.has(answer.status)
    url = next
  }
  throw new NoAnswer(`more than ${HOPS} redirects`)
}
