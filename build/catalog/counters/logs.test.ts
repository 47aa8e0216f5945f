import { describe, expect, test } from 'vitest'
import { isRobot, nameReader, parseLine } from './logs.ts'

const combined = (time: string, request: string, rest = '"-" "Firefox"') =>
  `1.2.3.4 - - [${time}] "${request}" 200 9 ${rest}`

const json = (more: object) =>
  JSON.stringify({
    time: '2026-10-10T12:00:00.000Z',
    remote: '1.2.3.4',
    method: 'GET',
    path: '/skills/a?q=1',
    status: 200,
    agent: 'Firefox',
    ...more,
  })

describe('a log line', () => {
  const GET = 'GET /skills/a?q=1 HTTP/1.1'
  const wanted = { method: 'GET', target: '/skills/a?q=1', status: 200, reader: '1.2.3.4' }
  test.each<[string, string, object]>([
    ['combined', combined('10/Oct/2026:12:00:00 +0000', GET), { ...wanted, day: '2026-10-10' }],
    ['in another time zone', combined('10/Oct/2026:23:30:00 -0700', GET), { day: '2026-10-11' }],
    ['common', combined('10/Oct/2026:12:00:00 +0000', GET, ''), { agent: '' }],
    [
      'with quotes in an agent',
      combined('10/Oct/2026:12:00:00 +0000', GET, '"-" "a \\"b\\" c"'),
      { agent: 'a \\"b\\" c' },
    ],
    ['that is not HTTP', combined('10/Oct/2026:12:00:00 +0000', '\\x16\\x03'), { target: '' }],
    ['from this server', json({}), { ...wanted, day: '2026-10-10', agent: 'Firefox' }],
    ['of an aborted response', json({ aborted: true }), { status: 0 }],
    ['without a path', json({ path: 7, status: null }), { target: '', status: 0 }],
  ])('%s', (_, line, entry) => {
    expect(parseLine(line)).toMatchObject(entry)
  })

  test.each([
    ['in no known format', '\u001B[31mred'],
    ['with an impossible day', combined('99/Foo/2026:12:00:00 +0000', GET)],
    ['with truncated JSON', '{"time":'],
    ['with JSON without a time', '{}'],
  ])('%s -> unreadable', (_, line) => {
    expect(parseLine(line)).toBeUndefined()
  })
})

test.each([
  ['Mozilla/5.0 (compatible; Googlebot/2.1)', true],
  ['GPTBot/1.0', true],
  ['curl/8.0', false],
  ['Claude-User/1.0', false],
  ['Mozilla/5.0 (X11) Firefox/144.0', false],
  ['', false],
])('%s is a robot: %s', (agent, robot) => {
  expect(isRobot(agent)).toBe(robot)
})

test.each([
  ['1.2.3.4', '1.2.3.5', false],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['::ffff:1.2.3.4', '1.2.3.4', true],
  ['::ffff:1.2.3.4', '::ffff:1.2.3.5', false],
  ['host.example', 'other.example', false],
])('%s and %s are the same reader: %s', (one, other, isOne) => {
  expect(nameReader(one) === nameReader(other)).toBe(isOne)
})
