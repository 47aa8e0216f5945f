import { describe, expect, test } from 'vitest'
import { judge } from './ask-source.ts'
import type { SourceAnswer } from './ask-source.ts'
import { parseRetryAfter } from './client.ts'
import { nameSource } from './sources.ts'
import { GONE_AFTER } from './state.ts'

const NOW = Date.UTC(2026, 9, 10)
const iso = (time: number): string => new Date(time).toISOString()
const ABSENT: SourceAnswer = { kind: 'absent', status: 404 }
const ALIVE: SourceAnswer = { kind: 'alive', validators: { etag: '"x"' } }

describe('a source is', () => {
  test.each<[string, SourceAnswer, string | undefined, boolean, string, string | undefined]>([
    ['missing at the first 404', ABSENT, undefined, false, 'missing', iso(NOW)],
    [
      'missing at a second 404 within the day',
      ABSENT,
      iso(NOW - GONE_AFTER + 1),
      false,
      'missing',
      iso(NOW - GONE_AFTER + 1),
    ],
    [
      'gone at a 404 a day later',
      ABSENT,
      iso(NOW - GONE_AFTER),
      false,
      'gone',
      iso(NOW - GONE_AFTER),
    ],
    ['gone where it was', ABSENT, undefined, true, 'gone', iso(NOW)],
    [
      'gone where its repository is deleted',
      { kind: 'deleted' },
      undefined,
      false,
      'gone',
      iso(NOW),
    ],
    ['alive, and was never missing', ALIVE, iso(NOW - 9 * GONE_AFTER), false, 'alive', undefined],
    [
      'unknown, and as missing as before',
      { kind: 'unknown', reason: 'x' },
      iso(NOW - GONE_AFTER),
      false,
      'unknown',
      iso(NOW - GONE_AFTER),
    ],
  ])('%s', (_, answer, missingSince, isGone, kind, remembered) => {
    const known = missingSince === undefined ? {} : { missingSince }
    const judged = judge(answer, known, isGone, NOW)
    expect([judged.verdict.kind, judged.next.missingSince]).toEqual([kind, remembered])
  })
})

describe('Retry-After', () => {
  test.each<[string | undefined, number | undefined]>([
    ['7', 7_000],
    [' 0 ', 0],
    ['Sat, 10 Oct 2026 00:00:09 GMT', 9_000],
    ['Fri, 09 Oct 2026 00:00:00 GMT', 0],
    ['Sat, 10 Oct 2026 99:00:09 GMT', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
    ['99999999999999999999', undefined],
  ])('%s', (value, wait) => expect(parseRetryAfter(value, NOW)).toBe(wait))
})

describe('a source address', () => {
  test.each<[string, string, string, string]>([
    [
      'https://github.com/Ada/Tools/tree/abc/skills/x',
      'git',
      'https://github.com/Ada/Tools',
      '/tree/abc/skills/x',
    ],
    ['https://www.github.com/ada/tools', 'git', 'https://github.com/ada/tools', ''],
    ['https://github.com/ada', 'web', 'https://github.com/ada', ''],
    [
      'https://gitlab.com/group/sub/tools/-/tree/main/x',
      'git',
      'https://gitlab.com/group/sub/tools',
      '/-/tree/main/x',
    ],
    ['https://git.example/a/b/c.git', 'git', 'https://git.example/a/b/c.git', ''],
    [
      'https://codeberg.org/ada/tools/src/branch/main/x',
      'git',
      'https://codeberg.org/ada/tools',
      '/src/branch/main/x',
    ],
    ['https://skills.example/x/SKILL.md?v=1', 'web', 'https://skills.example/x/SKILL.md?v=1', ''],
  ])('%s', (url, kind, address, rest) => {
    expect(nameSource(url)).toMatchObject({ kind, address, rest })
  })
})
