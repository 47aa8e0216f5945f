import { afterEach, expect, test } from 'vitest'
import { OWN_RECORD, SITE } from '../../../src/catalog/testing/content.ts'
import { makeSampleFolder, removeFolders } from '../../../testing/sample-folders.ts'
import { describeDeparture, renderDeparture, retireOrMove } from './depart.ts'

afterEach(removeFolders)

const makeCatalog = (): string =>
  makeSampleFolder({
    'site.json': JSON.stringify(SITE),
    'skills/a/skill.json': JSON.stringify({ ...OWN_RECORD, id: 1 }),
    'skills/c/skill.json': JSON.stringify({ ...OWN_RECORD, id: 7 }),
    'retired.json': JSON.stringify([{ id: 1, slug: 'old', movedTo: 'a' }]),
    'counters.json': JSON.stringify({ 1: { views: 2, installs: 1 } }),
  })

test.each<[string, Parameters<typeof retireOrMove>[1], string[]]>([
  [
    'retire',
    { slug: 'a', reason: 'Asked for' },
    [
      'removed skills/a',
      'wrote retired.json',
      'row in retired.json: {"id":1,"slug":"a","reason":"Asked for"}',
      'retired a (id 1); its slug and id are never reused',
    ],
  ],
  [
    'move',
    { slug: 'a', to: 'b' },
    [
      'renamed skills/a to skills/b',
      'wrote retired.json',
      'row in retired.json: {"id":1,"slug":"a","movedTo":"b"}',
      'moved a to b (still id 1); the old addresses answer 308 after the next build',
    ],
  ],
  [
    'move --merge',
    { slug: 'a', to: 'c', isMerge: true },
    [
      'removed skills/a',
      'wrote retired.json',
      'wrote counters.json',
      'row in retired.json: {"id":1,"slug":"a","movedTo":"c"}',
      'moved a to c (id 7; id 1 is retired); the old addresses answer 308 after the next build',
    ],
  ],
])('%s says what it changed, each file once', async (_, request, lines) => {
  expect(renderDeparture(await retireOrMove(makeCatalog(), request, false)).split('\n')).toEqual(
    lines,
  )
})

test('--dry-run says what it would change, --json the same', async () => {
  const planned = await retireOrMove(makeCatalog(), { slug: 'a', to: 'b' }, true)
  expect(renderDeparture(planned)).toMatch(/^would rename skills\/a to skills\/b\nwould write/)
  expect(describeDeparture(planned)).toEqual({
    dryRun: true,
    done: 'now',
    row: { id: 1, slug: 'a', movedTo: 'b' },
    successor: undefined,
    renamed: { from: 'skills/a', to: 'skills/b' },
    removed: [],
    written: ['retired.json'],
  })
})
