import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { LineSink } from './log.ts'

const folder = mkdtempSync(join(tmpdir(), 'lines-'))
afterAll(() => rmSync(folder, { recursive: true }))

const writeLines = async (count: number, ending = ''): Promise<string[]> => {
  const path = join(folder, String(count))
  const descriptor = openSync(path, 'w')
  const sink = new LineSink(descriptor)
  for (let line = 0; line < count; line += 1) sink.add(`${line}${ending}`)
  await sink.close()
  closeSync(descriptor)
  return readFileSync(path, 'utf8').trimEnd().split('\n')
}

test('lines are written in order', async () => {
  expect(await writeLines(100)).toEqual(Array.from({ length: 100 }, (_, line) => String(line)))
})

test('while nothing can be written, no more than a bounded number of lines waits', async () => {
  const lines = await writeLines(50_000, 'x'.repeat(995))
  expect(lines.length).toBeGreaterThan(4_000)
  expect(lines.length).toBeLessThan(5_000)
})

test('a descriptor that is closed costs lines, not the process', async () => {
  const sink = new LineSink(9_999)
  sink.add('lost')
  await new Promise((next) => setTimeout(next, 20))
  sink.add('lost as well')
  await expect(sink.close()).resolves.toBeUndefined()
})
