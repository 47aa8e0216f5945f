import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleSkill } from '../../testing/sample-facts.ts'
import { openShippedVectors } from '../../src/search/vector-file.ts'
import { digestText } from './digests.ts'
import { BuildState, encodeVector } from './state.ts'
import type { BuildRecord, SkillRow } from './state.ts'
import { NextFolder } from './target.ts'
import { tryAllTriggers } from './triggers.ts'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-triggers-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A catalog whose first skill quotes a phrase; the description of another may differ. */
const makeRows = (count: number, other = 'Bakes cakes.'): Map<number, SkillRow> =>
  new Map(
    Array.from({ length: count }, (_, at): [number, SkillRow] => {
      const description = at === 0 ? 'Sorts mail. Use for "sort my mail" or "mail sorts".' : other
      const more = { id: at + 1, slug: `skill-${at}`, name: `skill-${at}`, description }
      const skill = sampleSkill(more)
      const vector = encodeVector(openShippedVectors().ofSkill(skill))
      const row = { slug: skill.slug, fingerprint: '', digest: '', skill, words: '', vector }
      return [skill.id, { ...row, factsDigest: digestText(JSON.stringify(more)) }]
    }),
  )

const FOUND = { phrases: 2, found: 2, missed: [] }

const openFolder = (outputs: NextFolder['outputs'] = new Map()): NextFolder =>
  new NextFolder(join(root, 'next'), outputs, { folder: '', outputs: new Map() })

test('fewer than 50 skills, copies not counted -> nothing is said', () => {
  expect(tryAllTriggers(makeRows(49), {}, openFolder()).size).toBe(0)
  expect(tryAllTriggers(makeRows(50), { 50: 1 }, openFolder()).size).toBe(0)
  expect([...tryAllTriggers(makeRows(50), {}, openFolder())]).toEqual([['skill-0', FOUND]])
})

test('what is known is not tried again, until a text of the batch changes', () => {
  const first = openFolder()
  tryAllTriggers(makeRows(50), {}, first)
  const path = join(root, 'state.db')
  {
    using state = new BuildState(path, 'code', true)
    state.save(
      { codeKey: 'code', built: 'a' } as BuildRecord,
      { removed: [], changed: [] },
      first.outputs,
    )
  }
  using state = new BuildState(path, 'code', false)
  const kept = state.readOutputs('a')
  expect(kept.get('triggers/0')?.files).toEqual([])
  kept.get('triggers/0')!.told.triggers = { 'skill-0': { ...FOUND, found: 0 } }
  const later = new NextFolder(join(root, 'next'), new Map(), { folder: root, outputs: kept })
  expect(tryAllTriggers(makeRows(50), {}, later).get('skill-0')?.found).toBe(0)
  expect(tryAllTriggers(makeRows(50, 'Sorts mail.'), {}, later).get('skill-0')).toMatchObject({
    phrases: 2,
    found: 0,
    missed: [{ phrase: 'sort my mail', winner: expect.any(String) }, {}],
  })
  expect(tryAllTriggers(makeRows(50, 'Bakes bread.'), {}, later).get('skill-0')).toEqual(FOUND)
})
