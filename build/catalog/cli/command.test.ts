import { expect, test } from 'vitest'
import { importCommand } from '../import/command.ts'
import { runCommand } from '../testing/run-command.ts'
import type { Arguments } from './command.ts'
import { callCommand, loadCommands } from './commands.ts'
import { UsageError } from './errors.ts'

const SURROUNDINGS = { print: () => undefined, stderr: { write: () => true }, today: '' }

/** Parses a call of `import` without running it. */
const callImport = async (line: string): Promise<Arguments | undefined> => {
  let seen: Arguments | undefined
  const run = async (args: Arguments): Promise<void> => void (seen = args)
  await callCommand({ ...importCommand, run }, line.split(' '), SURROUNDINGS)
  return seen
}

test('import a --into b --own --date=2026-01-02', async () => {
  expect(await callImport('a --into b --own --date=2026-01-02')).toEqual({
    positionals: ['a'],
    values: { into: 'b', date: '2026-01-02' },
    switches: new Set(['own']),
  })
})

test.each([
  ['a --inot b', /Unknown option '--inot'/],
  ['a --constructor', /Unknown option/],
  ['a -x', /Unknown option '-x'/],
  ['a --into', /'--into <value>' argument missing/],
  ['a --into --own', /'--into' argument is ambiguous/],
  ['a --into=', /--into has no value/],
  ['a --own=yes --into b', /'--own' does not take an argument/],
  ['a --into b --into c', /--into is given twice/],
  ['a --own --own --into b', /--own is given twice/],
  ['a --own', /Add --into <content folder>/],
  ['--own --into b', /Name <folder, git address/],
  ['a  --into b', /An argument is empty/],
])('import %s -> usage', async (line, message) => {
  const call = callImport(line)
  await expect(call).rejects.toThrow(UsageError)
  await expect(call).rejects.toThrow(message)
  await expect(call).rejects.toThrow('\nUsage: npm run catalog -- import <folder, git address')
})

test('explain a b -> one too many', async () => {
  const { code, stderr } = await runCommand('explain', 'a', 'b')
  expect([code, stderr]).toEqual([2, expect.stringContaining('explain takes no "b".')])
})

test('help -> every command, and every option of one', async () => {
  const { stdout: list } = await runCommand('help')
  for (const { name, summary, options } of await loadCommands()) {
    expect(list).toMatch(new RegExp(`^  ${name} `, 'm'))
    const { stdout } = await runCommand('help', name)
    expect(stdout.startsWith(`${name}: ${summary}\n`)).toBe(true)
    for (const option of Object.keys(options)) expect(stdout).toContain(`--${option}`)
  }
})

test.each([
  ['imprt', 'No command "imprt"; did you mean import?'],
  ['lnit', 'did you mean lint?'],
])('%s -> the command that was meant', async (name, message) => {
  expect(await runCommand(name)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(message),
  })
})
