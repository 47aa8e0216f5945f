import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseLine } from './tally.ts'

const ENTRY = {
  method: 'GET',
  target: '/skills/a?x=1',
  status: 200,
  reader: '2001:db8::7',
  agent: 'Mozilla/5.0 (X11)',
  day: '2026-10-10',
  isCut: false,
}

const SERVER = {
  time: '2026-10-10T13:55:36.100Z',
  method: 'GET',
  path: '/skills/a?x=1',
  status: 200,
  bytes: 10,
  ms: 1,
  form: 'html',
  agent: 'Mozilla/5.0 (X11)',
  remote: '2001:db8::7',
}

const CLOUDFLARE = {
  ClientRequestMethod: 'GET',
  ClientRequestURI: '/skills/a?x=1',
  EdgeResponseStatus: 200,
  ClientIP: '2001:db8::7',
  ClientRequestUserAgent: 'Mozilla/5.0 (X11)',
  EdgeStartTimestamp: '2026-10-10T13:55:36Z',
}

const PROXY = {
  timestamp: Date.UTC(2026, 9, 10, 13),
  method: 'GET',
  host: 'h.example',
  path: '/skills/a?x=1',
  userAgent: ['Mozilla/5.0 (X11)'],
  statusCode: 200,
  clientIp: '2001:db8::7',
}
const VERCEL = { id: '1', deploymentId: 'd', source: 'static', timestamp: 1, proxy: PROXY }

const NETLIFY = {
  log_type: 'traffic',
  client_ip: '2001:db8::7',
  method: 'GET',
  url: 'https://h.example/skills/a?x=1',
  status_code: 200,
  user_agent: 'Mozilla/5.0 (X11)',
  timestamp: '2026-10-10T13:55:36Z',
}

const combined = (time: string, request = 'GET /skills/a?x=1 HTTP/1.1'): string =>
  `2001:db8::7 - - [${time}] "${request}" 200 512 "-" "Mozilla/5.0 (X11)"`

describe('one request, in each format', () => {
  test.each<[string, string, object?]>([
    ['Combined Log Format', combined('10/Oct/2026:13:55:36 +0000')],
    ['of another zone', combined('10/Oct/2026:23:55:36 +1000')],
    ['of a zone of half hours', combined('10/Oct/2026:05:45:36 +0530')],
    ['with a user of two words', combined('10/Oct/2026:13:55:36 +0000').replace('- -', '- a b')],
    ['with more fields after it', `${combined('10/Oct/2026:13:55:36 +0000')} 0.1 "x"`],
    [
      'Common Log Format',
      '2001:db8::7 - - [10/Oct/2026:13:55:36 +0000] "GET /skills/a?x=1 HTTP/1.1" 200 -',
      { agent: '' },
    ],
    [
      'with quotes in the agent',
      combined('10/Oct/2026:13:55:36 +0000').replace('(X11)', String.raw`\"X\\11\"`),
      { agent: String.raw`Mozilla/5.0 \"X\\11\"` },
    ],
    ['JSON lines of this server', JSON.stringify(SERVER)],
    ['cut off', JSON.stringify({ ...SERVER, aborted: true }), { isCut: true }],
    ['Cloudflare Logpush', JSON.stringify(CLOUDFLARE)],
    [
      'times in nanoseconds',
      JSON.stringify({ ...CLOUDFLARE, EdgeStartTimestamp: 1_791_640_536_000_000_000 }),
    ],
    ['times in seconds', JSON.stringify({ ...CLOUDFLARE, EdgeStartTimestamp: 1_791_640_536 })],
    ['Vercel', JSON.stringify(VERCEL)],
    ['Vercel, a batch in one line', JSON.stringify([VERCEL])],
    ['Netlify', JSON.stringify(NETLIFY), { target: 'https://h.example/skills/a?x=1' }],
  ])('%s', (_, line, other = {}) => {
    expect(parseLine(line)).toEqual([{ ...ENTRY, ...other }])
  })
})

describe('records that are not requests are skipped', () => {
  test.each([
    ['a build of Vercel', { deploymentId: 'd', source: 'build', message: 'x', timestamp: 1 }],
    ['a function of Netlify', { log_type: 'function', message: 'x', timestamp: 1 }],
    ['an error of this server', { time: '2026-10-10T00:00:00Z', error: 'x' }],
  ])('%s', (_, record) => expect(parseLine(JSON.stringify(record))).toEqual([]))
})

describe('an unreadable line has a reason', () => {
  test.each([
    ['Serving dist on http://localhost:4321', 'no log format that is known'],
    ['{"time":"2026-10-1', 'JSON that is not whole'],
    ['{"a":1}', 'JSON of no log format that is known'],
    ['[1]', 'JSON of no log format that is known'],
    [combined('41/Oct/2026:13:55:36 +0000'), 'no day of the calendar'],
    [JSON.stringify({ ...SERVER, time: 'soon' }), 'JSON lines of this server: no time'],
    [
      JSON.stringify({ ...CLOUDFLARE, EdgeResponseStatus: 'x' }),
      'Cloudflare Logpush, HTTP requests: no status',
    ],
  ])('%s', (line, reason) => expect(parseLine(line)).toEqual({ reason }))
})

test('any line is parsed or has a reason, at a low cost', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '"',
      '\\',
      '[',
      ']',
      ' ',
      '- ',
      '{',
      '}',
      '10/Oct/2026:13:55:36 +0000',
      'GET /',
    ),
    fc.string({ maxLength: 5 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const reading = parseLine(pieces.join(''))
      expect(Array.isArray(reading) || reading.reason.length > 0).toBe(true)
    }),
    { numRuns: 2_000 },
  )
  for (const hostile of [
    '"\\'.repeat(200_000),
    `h ${'[ '.repeat(200_000)}`,
    '1 '.repeat(200_000),
  ]) {
    expect(parseLine(hostile)).toEqual({ reason: 'no log format that is known' })
  }
})
