import { describe, expect, test } from 'vitest'
import { findOriginal, findStrayCopies, groupCopies, isComparable } from './copies.ts'
import { loadCatalog } from './load.ts'
import { OWN_RECORD, SMALL_CONTENT, makeTestFolder, skillMd } from './testing/content.ts'

const SKILLS = [
  { id: 1, visibility: 'own' },
  { id: 2, visibility: 'indexable' },
  { id: 3, visibility: 'gone' },
] as const
const find = (id: number) => SKILLS.find((skill) => skill.id === id)

const comparableIds = (copies: Record<string, number>) =>
  SKILLS.filter((skill) => isComparable(skill, copies, find)).map(({ id }) => id)

describe('copies.json', () => {
  test.each([
    [{ 2: 1 }, []],
    [{ 2: 1, 3: 1 }, []],
    [{ 9: 1 }, []],
    [{ 2: 9 }, []],
    [{ 7: 1 }, []],
    [{ 2: 8 }, []],
    [{ 2: 2 }, [/a copy of itself/]],
    [{ 2: 1, 1: 3 }, [/a copy of a copy/]],
  ])('%j -> %j', (copies, remedies) => {
    const problems = findStrayCopies(copies)
    expect(problems.map(({ remedy }) => remedy)).toEqual(
      remedies.map((remedy) => expect.stringMatching(remedy)),
    )
    for (const { remedy } of problems) expect(remedy).toContain('catalog -- families')
  })

  test('a listed copy has a listed original; gone skills neither have nor are originals', () => {
    expect(findOriginal({ id: 2, visibility: 'indexable' }, { 2: 1 }, find)).toEqual(SKILLS[0])
    expect(findOriginal({ id: 2, visibility: 'indexable' }, { 2: 3 }, find)).toBeUndefined()
    expect(findOriginal({ id: 3, visibility: 'gone' }, { 3: 1 }, find)).toBeUndefined()
    expect(findOriginal({ id: 2, visibility: 'indexable' }, { 2: 8 }, find)).toBeUndefined()
    expect(findOriginal({ id: 1, visibility: 'own' }, { 2: 1 }, find)).toBeUndefined()
  })

  test('comparisons show listed skills without copies', () => {
    expect(comparableIds({})).toEqual([1, 2])
    expect(comparableIds({ 2: 1 })).toEqual([1])
    expect(comparableIds({ 2: 3 })).toEqual([1, 2])
  })

  test('are grouped by their original, in the order of ids', () => {
    expect([...groupCopies({ 12: 1, 3: 1, 4: 2 })]).toEqual([
      [1, [3, 12]],
      [2, [4]],
    ])
  })

  test.each([
    ['{"2": 1}', undefined],
    ['{"2": 2}', /copies\.json|itself/],
    ['{"x": 1}', /[Kk]ey/],
    ['{"2": "1"}', /skill id/],
    ['[2, 1]', /./],
    ['{', /not JSON/],
  ])('%s in a content folder -> %s', (text, message) => {
    const content = makeTestFolder({
      ...SMALL_CONTENT,
      'skills/other/skill.json': { ...OWN_RECORD, id: 2 },
      'skills/other/SKILL.md': skillMd('other'),
      'copies.json': text,
    })
    if (message === undefined) expect(loadCatalog(content).copies).toEqual({ 2: 1 })
    else {
      expect(() => loadCatalog(content)).toThrow(
        expect.objectContaining({
          problems: [
            expect.objectContaining({
              file: 'copies.json',
              remedy: expect.stringMatching(message),
            }),
          ],
        }),
      )
    }
  })
})
