import { expect, test } from 'vitest'
import { planDeparture } from './depart.ts'
import type { Departure, Holdings } from './depart.ts'
import { describeDeparture, renderDeparture } from './report.ts'

const HOLDINGS: Holdings = {
  records: [],
  retired: [{ id: 1, slug: 'old', movedTo: 'a' }],
  counters: { 1: { views: 2, installs: 1 } },
  copies: {},
}

const report = (departure: Departure, dryRun = false) => ({
  dryRun,
  departure,
  steps: planDeparture(HOLDINGS, departure),
})

test.each<[string, Departure, string[]]>([
  [
    'retire',
    { id: 1, slug: 'a', reason: 'Asked for' },
    [
      'removed skills/a',
      'wrote retired.json',
      'row in retired.json: {"id":1,"slug":"a","reason":"Asked for"}',
      'retired a (id 1); its slug and id are never given again',
    ],
  ],
  [
    'move',
    { id: 1, slug: 'a', movedTo: 'b' },
    [
      'renamed skills/a to skills/b',
      'wrote retired.json',
      'row in retired.json: {"id":1,"slug":"a","movedTo":"b"}',
      'moved a to b (still id 1); the old addresses answer 308 after the next build',
    ],
  ],
  [
    'move --merge',
    { id: 1, slug: 'a', movedTo: 'b', heir: 7 },
    [
      'removed skills/a',
      'wrote retired.json',
      'wrote counters.json',
      'row in retired.json: {"id":1,"slug":"a","movedTo":"b"}',
      'moved a to b (id 7; id 1 is retired); the old addresses answer 308 after the next build',
    ],
  ],
])('%s says what it changed, each file once', (_, departure, lines) => {
  expect(renderDeparture(report(departure)).split('\n')).toEqual(lines)
})

test('--dry-run says what it would change, --json the same', () => {
  const planned = report({ id: 1, slug: 'a', movedTo: 'b' }, true)
  expect(renderDeparture(planned)).toMatch(/^would rename skills\/a to skills\/b\nwould write/)
  expect(describeDeparture(planned)).toEqual({
    dryRun: true,
    done: 'now',
    row: { id: 1, slug: 'a', movedTo: 'b' },
    heir: undefined,
    renamed: { from: 'skills/a', to: 'skills/b' },
    removed: [],
    written: ['retired.json'],
  })
})
