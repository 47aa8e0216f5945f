import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { API_SORTS } from '../catalog/browse.ts'
import { CATEGORIES } from '../catalog/categories.ts'
import { ApiError, ERRORS } from './errors.ts'
import { LISTING_PARAMETERS, parseListingQuery } from './query.ts'

const DEFAULTS = { sort: 'popular', categories: [], limit: 24, offset: 0 }

const failureOf = (query: string): ApiError => {
  try {
    parseListingQuery(query)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error(`${query} was accepted`)
}

/** Queries that are refused with a code, after a prefix that they share. */
const REFUSED: [code: string, prefix: string, queries: string][] = [
  ['INVALID_SORT', 'sort', ' = =Popular =popular+ =toString =__proto__ =% =popular%00 =name,views'],
  ['INVALID_SORT', 'q=a&sort=', ' x'],
  ['INVALID_CATEGORY', 'cat', ' = =coding =Coding, =,Coding =Coding,+Writing =Data%20 =%FF'],
  ['INVALID_CATEGORY', 'cat=', 'data-and-analytics Coding;Writing Coding%00 constructor'],
  ['INVALID_LIMIT', 'limit=', ' 0 -1 %2B1 +1 1+ 1.0 1e2 0x1 007 00 1_0 NaN %D9%A1 % 1%00 10,20'],
  ['INVALID_OFFSET', 'offset=', ' -1 -0 %2B1 1.5 1e2 00 01 x %zz 9007199254740992'],
  ['INVALID_OFFSET', 'offset=', '9'.repeat(400)],
  ['INVALID_QUERY', 'q=', '%00 %09 %0A %1F %7F %C2%80 %C2%9F %FF %C0%80 a%00b'],
  ['INVALID_QUERY', 'q=', '%ED%A0%80 %F4%90%80%80 %E2%82 % %4 %zz'],
  ['DUPLICATE_PARAMETER', '', 'q=a&q=b q=a&q=a q&q q=a&%71=b limit=1&limit=1 q=%00&q=a'],
  ['UNKNOWN_PARAMETER', '', 'page=2 Q=a limit+=1 =a = %FF=a %=a q%5B%5D=a __proto__=1'],
  ['UNKNOWN_PARAMETER', '', 'q=a&q=b&x=1 limit=0&x=1'],
]

test.for(REFUSED)('400 %s: ?%s%s', ([code, prefix, queries]) => {
  for (const query of queries.split(' '))
    expect([query, failureOf(prefix + query).code]).toEqual([query, code])
})

const TEXTS: [query: string, message: string, hint: string][] = [
  ['sort=best', '"best"', 'views, name. Omitting the parameter sorts by popular'],
  ['cat=coding', '"coding"', 'Did you mean "Coding"?'],
  ['cat=data-and-analytics', '"data-and-analytics"', 'Did you mean "Data & Analytics"?'],
  ['cat=', '""', 'Allowed values'],
  ['cat=Nope', '"Nope"', 'Separate categories'],
  ['limit=0', '"0"', '1 to 100'],
  ['q=a%00', String.raw`a\u0000`, 'control characters'],
  ['q=%FF', '"%FF"', 'UTF-8'],
  ['limt=5', '"limt"', 'Did you mean "limit"?'],
  ['category=Coding', '"category"', 'Did you mean "cat"?'],
  ['zzz=csv', '"zzz"', 'The parameters are'],
]
test.for(TEXTS)('message and hint of an error: ?%s: %s; %s', ([query, message, hint]) => {
  const failure = failureOf(query)
  expect(failure.message).toContain(message)
  expect(failure.hint).toContain(hint)
})

test('a hint never offers what is far', () => {
  for (const query of ['cat=Nope', 'cat=Programming', 'zzz=csv', 'x=1'])
    expect(failureOf(query).hint).not.toContain('Did you mean')
})

test('a long bad value is shortened', () => {
  expect(failureOf(`sort=${'x'.repeat(30_000)}`).message.length).toBeLessThan(200)
})

const encode = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+')

const anyFields = fc.record(
  {
    q: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '\u00A0 ', '\uFEFFx')),
    sort: fc.constantFrom(...API_SORTS),
    cat: fc.subarray([...CATEGORIES], { minLength: 1 }),
    limit: fc.nat(),
    offset: fc.maxSafeNat(),
  },
  { requiredKeys: [] },
)

const judge = (query: string): string => {
  try {
    const { limit, offset } = parseListingQuery(query)
    const isSound = limit >= 1 && limit <= 100 && Number.isSafeInteger(offset) && offset >= 0
    return isSound ? 'sound' : `limit ${limit}, offset ${offset}`
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, hint } = error
    const isSound = ERRORS[code] === 400 && message && hint && !/\p{Cc}/u.test(message + hint)
    return isSound ? 'sound' : `${code} ${message} ${hint}`
  }
}

test('any query encoded with encodeURIComponent is parsed to the same values', () => {
  fc.assert(
    fc.property(anyFields, fc.infiniteStream(fc.nat()), (fields, order) => {
      fc.pre(!/\p{Cc}/u.test(fields.q ?? '') && fields.limit !== 0)
      const query = Object.entries(fields)
        .map(([name, value]) => `${name}=${encode(String(value))}`)
        .sort(() => ((order.next().value ?? 0) % 2) - 0.5)
        .join('&')
      const { q = '', cat = [], limit = 24, ...others } = fields
      const asks = { ...DEFAULTS, ...others, categories: cat, limit: Math.min(limit, 100) }
      expect(parseListingQuery(query)).toMatchObject(asks)
      expect(parseListingQuery(query).q).toBe(q.trim() === '' ? undefined : q)
    }),
  )
})

test('any query is parsed, or refused with status 400, message and hint', () => {
  const piece = fc.oneof(
    fc.constantFrom(...Object.keys(LISTING_PARAMETERS), ...'= & % + , %26 %00 %ff 1'.split(' ')),
    fc.string({ unit: 'binary' }),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      expect(judge(pieces.join(''))).toBe('sound')
    }),
  )
})
