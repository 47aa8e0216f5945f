import { expect, test } from 'vitest'
import { parseArguments, renderHelp, callCommand } from './command.ts'
import { COMMANDS, loadCommand, loadCommands, renderCommands } from './commands.ts'
import { UsageError } from './errors.ts'

const command = await loadCommand('import')
const parse = (line: string) => parseArguments(command, line.split(' '))

test('import a --into b --own --date=2026-01-02', () => {
  const given = parse('a --into b --own --date=2026-01-02')
  expect(given).toEqual({
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
  const surroundings = { print: () => undefined, stderr: { write: () => true }, today: '' }
  const run = callCommand(command, line.split(' '), surroundings)
  await expect(run).rejects.toThrow(UsageError)
  await expect(run).rejects.toThrow(message)
  await expect(run).rejects.toThrow('\nUsage: npm run catalog -- import <folder, git address')
})

test('explain a b -> one too many', async () => {
  const explain = await loadCommand('explain')
  expect(() => parseArguments(explain, ['a', 'b'])).toThrow('explain takes no "b".')
})

test('each command is called as its table says', async () => {
  const names = (await loadCommands()).map(({ name }) => name)
  expect(names).toEqual(Object.keys(COMMANDS))
})

test('help -> every command, and every option of one', async () => {
  expect(await renderCommands()).toContain('import')
  for (const name of Object.keys(command.options)) {
    expect(renderHelp(command)).toContain(`--${name}`)
  }
  expect(() => loadCommand('imprt')).toThrow(/No command "imprt"; did you mean import\?/)
  expect(() => loadCommand('lnit')).toThrow(/did you mean lint\?/)
})
