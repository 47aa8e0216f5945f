import { randomUUID } from 'node:crypto'
import type { Answer } from '../../answers.ts'

/** What a proxy may name a request; anything else could forge a line of a log or a header field. */
const PLAIN = /^[!-~]{1,64}$/

export const makeRequestId = (): string => randomUUID()

/** The name that a proxy gave a request, else a new one. */
export const readRequestId = (given: string | string[] | undefined): string =>
  typeof given === 'string' && PLAIN.test(given) ? given : makeRequestId()

export const nameAnswer = (answer: Answer, id: string): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'X-Request-Id': id },
})
