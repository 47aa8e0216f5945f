import { expect, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { ALL_COMMANDS } from './commands.ts'
import { escapeUnseen, renderJson, withTemporaryFolder } from './command.ts'
import { existsSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

test('help -> every command; help of a command -> all its options', async () => {
  const { stdout: list } = await runCommand('help')
  for (const { name, summary, help, options } of ALL_COMMANDS) {
    expect(list).toMatch(new RegExp(`^  ${name} .*${summary.slice(0, 20)}`, 'm'))
    const { code, stdout } = await runCommand('help', name)
    expect([code, stdout]).toEqual([0, expect.stringContaining(`npm run catalog -- ${name} `)])
    expect((await runCommand(name, '--help')).stdout).toBe(stdout)
    for (const option of Object.keys(options)) expect(stdout).toContain(`--${option}`)
    for (const words of [summary, ...help]) expect(stdout).toContain(words.slice(0, 20))
  }
})

test.each([
  ['a\u001B[31mb', 'a\\u{1B}[31mb'],
  ['a\u009B2Jb', 'a\\u{9B}2Jb'],
  ['a\rb\u0007\u007F', 'a\\u{D}b\\u{7}\\u{7F}'],
  ['a\u202Eb\u200B', 'a\\u{202E}b\\u{200B}'],
  ['a\nb 数据 🚀', 'a\nb 数据 🚀'],
])('%j -> %s', (text, shown) => {
  expect(escapeUnseen(text)).toBe(shown)
})

test('JSON -> the same value, with invisible characters escaped', () => {
  const value = { a: ['\u001B\u009B\u202E\u{E0041}\uFEFF', 'é🚀'] }
  const json = renderJson(value)
  expect(JSON.parse(json)).toEqual(value)
  expect(json).toBe(escapeUnseen(json))
})

test('a folder -> exists during the action, and is removed even if it fails, or by a run after one killed a day ago', async () => {
  let [seen, isSwept] = ['', false]
  const dead = mkdtempSync(join(tmpdir(), 'skill-catalog-'))
  utimesSync(dead, 1e9, 1e9)
  const work = withTemporaryFolder(async (folder) => {
    seen = folder
    writeFileSync(join(folder, 'x'), 'x')
    await withTemporaryFolder(async () => undefined)
    isSwept = !existsSync(dead) && existsSync(folder)
    throw new Error('gone wrong')
  })
  await expect(work).rejects.toThrow('gone wrong')
  expect([isSwept, seen.startsWith(tmpdir()), existsSync(seen)]).toEqual([true, true, false])
})
