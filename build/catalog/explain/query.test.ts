import { afterEach, describe, expect, test } from 'vitest'
import { UPSTREAM_RECORD } from '../../../src/catalog/testing/content.ts'
import type { Explanation } from '../../../src/search/index.ts'
import {
  addFiles,
  makeContent,
  makeSampleFolder,
  removeFolders,
  runImport,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { CommandError, UsageError } from '../cli/command.ts'
import { printedBy } from '../testing/run-command.ts'
import { explainCommand } from './command.ts'

afterEach(removeFolders)

const makeCatalog = async (): Promise<string> => {
  const content = makeContent()
  const skills = {
    'csv-clean/SKILL.md': sampleSkillMd('csv-clean', 'Cleans columns of tables, table by table.'),
    'cluster-up/SKILL.md': sampleSkillMd('cluster-up', 'Deploys to Kubernetes.'),
  }
  await runImport(makeSampleFolder(skills), content)
  return content
}

const why = (query: string, ...args: string[]): Promise<string> =>
  printedBy(explainCommand, '--query', query, ...args)

describe('explain <slug> --query "<query>"', () => {
  test.each([
    ['clean tables', 'csv-clean', /^Result 1 of 1\.\nScore \d+\.\d\d = /],
    [
      'clean tables',
      'csv-clean',
      /\ntyped +tabl +1\.00 +\d+\.\d\d +tabl in description, 3 of 5 \(/,
    ],
    ['csv clean', 'csv-clean', /^Result 1 of 1: the query is its name, otherwise spelled\.\n/],
    ['k8s', 'cluster-up', /\nderived +kubernet +[\d.]+ +[\d.]+ +kubernet in description, 1 of/],
    [
      'zebra',
      'csv-clean',
      /^Not found: it holds none of zebra\.\nScore 0: it matches none of 1 word/,
    ],
    ['zebra', 'csv-clean', /\ntyped +zebra +1\.00 +0\.00 +zebra in no field$/],
    ['...', 'csv-clean', /^Not found: the query holds no word that is searched\.$/],
  ])('q=%s of %s -> %s', async (q, slug, wanted) => {
    expect(await why(q, slug, '--content', await makeCatalog())).toMatch(wanted)
  })

  test('--json -> the explanation, whose steps add up to its score', async () => {
    const content = await makeCatalog()
    const text = await why('clean tables', 'csv-clean', '--content', content, '--json')
    const { place, total, score, answered, steps } = JSON.parse(text) as Explanation
    expect({ place, total, answered }).toEqual({ place: 1, total: 1, answered: 2 })
    expect(steps.reduce((sum, step) => sum + step.score, 0) * answered).toBe(score)
  })

  test('an unknown slug -> a failure that names it and the folder of skills', async () => {
    const asked = why('csv', 'nosuch', '--content', await makeCatalog())
    await expect(asked).rejects.toThrow(CommandError)
    await expect(asked).rejects.toThrow(/No skill "nosuch" in .*skills/)
  })

  test('a slug whose source is gone -> a failure that says so', async () => {
    const content = await makeCatalog()
    const source = { ...UPSTREAM_RECORD.source, status: 'gone' }
    const record = JSON.stringify({ ...UPSTREAM_RECORD, id: 9, source })
    addFiles(content, { 'skills/far/skill.json': record })
    await expect(why('far', 'far', '--content', content)).rejects.toThrow(/far is not listed.*gone/)
  })

  test.each([
    ['csv', [], /Name <slug>/],
    [' ', ['csv-clean'], /--query is blank/],
    ['clean', ['csv', 'csv-clean'], /explain takes no "csv-clean"/],
  ])('q=%j of %j -> wrong usage', async (q, args, message) => {
    const asked = why(q, ...args, '--content', await makeCatalog())
    await expect(asked).rejects.toThrow(UsageError)
    await expect(asked).rejects.toThrow(message)
  })
})
