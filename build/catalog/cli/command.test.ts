import { expect, test } from 'vitest'
import { parseArguments } from './command.ts'
import { UsageError } from './errors.ts'
import { COMMANDS, loadCommand, loadCommands, renderCommands, renderHelp } from './commands.ts'

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
  ['a --inot b', /Unknown option "--inot"; import takes --into/],
  ['a --constructor', /Unknown option/],
  ['a -x', /Unknown option "-x"/],
  ['a --into', /--into wants a value/],
  ['a --into --own', /--into wants a value/],
  ['a --into=', /--into wants a value/],
  ['a --own=yes', /--own takes no value/],
  ['a --into b --into c', /--into is given twice/],
  ['a --own --own', /--own is given twice/],
])('import %s -> usage', (line, message) => {
  expect(() => parse(line)).toThrow(UsageError)
  expect(() => parse(line)).toThrow(message)
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
