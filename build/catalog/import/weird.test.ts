import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import {
  makeContent,
  makeSampleFolder,
  removeFolders,
  runImport,
} from '../../../testing/sample-folders.ts'
import type { ImportReport } from './run.ts'
import { OUTCOMES } from './testing/outcomes.ts'
import type { WeirdOutcome } from './testing/outcomes.ts'
import { WEIRD_CASES } from './testing/weird-cases.ts'

/** A collection of strange files that may lie beside the project; without it our own samples stand for it. */
const WEIRD =
  process.env['WEIRD'] ?? fileURLToPath(new URL('../../../../shared/weird', import.meta.url))

interface Imported {
  report: ImportReport
  from: string
  content: string
}

const importAll = async (from: string): Promise<Imported> => {
  const content = makeContent()
  return { report: await runImport(from, content), from, content }
}

/** Everything that was said of the file in a folder. */
const messagesOf = ({ report }: Imported, name: string): string[] => [
  ...report.warnings
    .filter(({ path }) => path.startsWith(`${name}/`))
    .map(({ message }) => message),
  ...report.skipped.filter(({ path }) => path.startsWith(`${name}/`)).map(({ reason }) => reason),
]

const slugOf = ({ report }: Imported, name: string): string | undefined =>
  report.imported.find(({ path }) => path === name)?.slug

const checkSameBytes = (imported: Imported, name: string, slug: string): void => {
  const folder = join(imported.from, name)
  const file = readdirSync(folder).find((one) => one.toUpperCase() === 'SKILL.MD') ?? ''
  expect(readFileSync(join(imported.content, 'skills', slug, 'SKILL.md'))).toEqual(
    readFileSync(join(folder, file)),
  )
}

/** Checks that a file has these outcomes and no other, and that what came along is as it was. */
const checkOutcomes = (
  imported: Imported,
  name: string,
  outcomes: readonly WeirdOutcome[],
): void => {
  const messages = messagesOf(imported, name)
  expect(messages).toHaveLength(outcomes.length)
  for (const { message } of outcomes) {
    expect(messages).toEqual(expect.arrayContaining([expect.stringMatching(message)]))
  }
  const slug = slugOf(imported, name)
  expect(slug !== undefined).toBe(outcomes.every(({ isImported }) => isImported))
  if (slug !== undefined) checkSameBytes(imported, name, slug)
}

afterAll(removeFolders)

describe('a sample of our own', () => {
  let imported: Imported
  beforeAll(async () => {
    const samples = Object.entries<WeirdOutcome>(OUTCOMES).map(([name, { sample }]) => [
      `${name}/SKILL.md`,
      sample,
    ])
    imported = await importAll(
      makeSampleFolder(Object.fromEntries(samples) as Record<string, string | Uint8Array>),
    )
  })

  test.each(Object.entries<WeirdOutcome>(OUTCOMES))('%s', (name, outcome) => {
    checkOutcomes(imported, name, [outcome])
  })

  test('what came of them -> a catalog that loads', () => {
    expect(loadCatalog(imported.content).skills).toHaveLength(imported.report.imported.length)
  })
})

test('the table has 210 cases, each once', () => {
  expect(new Set(WEIRD_CASES.map(({ name }) => name)).size).toBe(210)
  expect(WEIRD_CASES).toHaveLength(210)
})

/** The collection, where it is there. */
const PRESENT = existsSync(WEIRD) ? [WEIRD] : []

let collection: Promise<Imported> | undefined
const importCollection = (): Promise<Imported> => (collection ??= importAll(WEIRD))

test.each(PRESENT.flatMap(() => WEIRD_CASES))('$name -> $outcomes', async (one) => {
  const { name, outcomes, isCopy } = one
  const imported = await importCollection()
  if (isCopy) {
    expect(messagesOf(imported, name)).toEqual([expect.stringMatching(/^is a copy of /)])
    expect(slugOf(imported, name)).toBeUndefined()
  } else {
    const expected = outcomes.map((outcome) => OUTCOMES[outcome])
    checkOutcomes(imported, name, expected)
  }
})

test.each(PRESENT)(
  '%s -> no case that the table lacks, and a catalog that loads',
  async (folder) => {
    const { content, report } = await importCollection()
    const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    )
    const names = new Set(WEIRD_CASES.map(({ name }) => name))
    expect(folders.filter(({ name }) => !names.has(name))).toEqual([])
    expect(loadCatalog(content).skills).toHaveLength(report.imported.length)
  },
)
