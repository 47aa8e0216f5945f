import { ORIGIN } from '../fixture.ts'
import type { TestAnswer, ContractClause } from './clause.ts'

/** Describes a clause in one line, the title of its test. */
export const titleOf = ({
  line,
  headers,
  outcome,
}: Pick<ContractClause, 'line' | 'headers' | 'outcome'>): string => {
  const fields = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`)
  const shown = line.length > 90 ? `${line.slice(0, 90)}…` : line
  return `${shown}${fields.join('')} -> ${outcome}`
}

const cut = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text)

const show = (value: string | null): string => (value === null ? 'absent' : `"${cut(value)}"`)

const judgeField = (name: string, wanted: string | RegExp | null, found: string | null) => {
  const isKept = wanted instanceof RegExp ? wanted.test(found ?? '') : found === wanted
  const expected = wanted instanceof RegExp ? `should match ${wanted}` : `should be ${show(wanted)}`
  return isKept && (found !== null || wanted === null)
    ? []
    : [`${name} is ${show(found)}, but ${expected}`]
}

const readError = (body: Buffer): Record<string, unknown> => {
  try {
    const { error, ...others } = JSON.parse(body.toString()) as { error?: Record<string, unknown> }
    return Object.keys(others).length === 0 ? (error ?? {}) : {}
  } catch {
    return {}
  }
}

/** Checks an envelope: it must have the code, a message, a hint and the address of the docs, and nothing else. */
const judgeEnvelope = (code: string, body: Buffer, origin: string): string[] => {
  const { message, hint, ...rest } = readError(body)
  const isFilled = [message, hint].every((part) => typeof part === 'string' && part !== '')
  const isExact =
    rest['code'] === code &&
    rest['docs'] === `${origin}/openapi.json` &&
    Object.keys(rest).length === 2
  return isFilled && isExact
    ? []
    : [`the body is ${show(String(body))}, but should be an error with the code ${code}`]
}

const judgeBody = (wanted: ContractClause['body'], body: Buffer): string[] => {
  if (wanted === undefined) return []
  if (!(wanted instanceof Uint8Array)) return judgeField('the body', wanted, body.toString())
  return body.equals(wanted)
    ? []
    : [`the body has ${body.length} bytes, which differ from the required ${wanted.length} bytes`]
}

/** Lists how an answer breaks a clause. `origin` is the origin of the site's absolute addresses. */
export const findBreaches = (
  { outcome, has, body: wanted }: Pick<ContractClause, 'outcome' | 'has' | 'body'>,
  { status, headers, body }: TestAnswer,
  origin = ORIGIN,
): string[] => {
  const [wantedStatus, code] = outcome.split(' ')
  return [
    ...(String(status) === wantedStatus
      ? []
      : [`the status is ${status}, but should be ${wantedStatus}`]),
    ...Object.entries(has).flatMap(([name, value]) => judgeField(name, value, headers.get(name))),
    ...judgeField(
      'x-content-type-options',
      outcome === '204' ? null : 'nosniff',
      headers.get('x-content-type-options'),
    ),
    ...(code === undefined ? [] : judgeEnvelope(code, body, origin)),
    ...judgeBody(wanted, body),
  ]
}
