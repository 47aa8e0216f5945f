import { findNearest } from '../../../src/api/nearest-name.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { createProgress } from '../../site/progress.ts'
import { CONTENT_OPTION, readContentOption } from '../cli/command.ts'
import type { Command, Given, CommandContext } from '../cli/command.ts'
import { CommandError, UsageError } from '../cli/errors.ts'
import { FORMATS, renderCounts } from './formats.ts'
import type { IsWanted } from './lint-skill.ts'
import { RULES } from './rules.ts'
import { runLint } from './run.ts'
import type { LintReport } from './run.ts'
import { findTargets } from './targets.ts'

const refuse = (message: string): never => {
  throw new UsageError(message)
}

const readFormat = ({ values: { format = 'text' } }: Given): ((report: LintReport) => string) => {
  const found = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  return (
    found ?? refuse(`--format ${showValue(format)} is none of ${Object.keys(FORMATS).join(', ')}.`)
  )
}

const readLimit = ({ values }: Given): number => {
  const given = values['max-warnings']
  if (given === undefined) return Infinity
  return /^\d{1,9}$/.test(given)
    ? Number(given)
    : refuse(`--max-warnings ${showValue(given)} is no whole number.`)
}

const readPaths = (given: Given): readonly string[] => {
  const { positionals, values } = given
  if (values['content'] !== undefined && positionals.length > 0) {
    refuse('Name paths or a content folder, not both.')
  }
  return positionals.length > 0 ? positionals : [readContentOption(given)]
}

const readIds = (option: string, list = ''): string[] => {
  const ids = list
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean)
  const unknown = ids.find((id) => !Object.hasOwn(RULES, id))
  if (unknown === undefined) return ids
  const nearest = findNearest(unknown, Object.keys(RULES))
  throw new UsageError(
    `${option} ${showValue(unknown)} is no rule; did you mean ${nearest}? lint --rules lists them.`,
  )
}

/** Reads which rules are asked for: some alone, or all but some. */
const readSelection = ({ values }: Given): IsWanted => {
  const wanted = new Set(readIds('--rule', values['rule']))
  const unwanted = new Set(readIds('--ignore', values['ignore']))
  return (rule) => (wanted.size === 0 || wanted.has(rule)) && !unwanted.has(rule)
}

const renderRules = (): string => {
  const rows = Object.entries(RULES)
  const width = Math.max(...rows.map(([id]) => id.length))
  return rows
    .map(([id, { severity, message, remedy, fix }]) =>
      [
        id.padEnd(width),
        severity.padEnd('warning'.length),
        `${message} — ${remedy}${fix === undefined ? '' : ` (--fix ${fix})`}`,
      ].join('  '),
    )
    .join('\n')
}

const judge = (report: LintReport, limit: number, write: (text: string) => void): void => {
  const counts = renderCounts(report)
  if (report.counts.error > 0) throw new CommandError(counts)
  if (report.counts.warning > limit) {
    throw new CommandError(`${counts}; more than ${limit} warnings`)
  }
  write(`${counts}\n`)
}

const run = async (given: Given, { print, stderr }: CommandContext): Promise<void> => {
  const { switches } = given
  if (switches.has('rules')) return print(renderRules())
  const isFixing = switches.has('fix')
  const isDryRun = switches.has('dry-run')
  if (isDryRun && !isFixing) refuse('--dry-run says what --fix would do; give both.')
  const render = readFormat(given)
  const limit = readLimit(given)
  const isWanted = readSelection(given)
  const found = findTargets(readPaths(given), process.cwd())
  const report = await runLint(found, { isWanted, isFixing, isDryRun }, createProgress(stderr))
  const text = render(report)
  if (text !== '') print(text)
  judge(report, limit, (line) => stderr.write(line))
}

/** `lint`: says what is wrong with skills and catalogs, and fixes what is safe to fix. */
export const lintCommand: Command = {
  name: 'lint',
  positionals: { usage: '[<SKILL.md or folder>…]', least: 0, most: Infinity },
  summary: 'Says what is wrong with skills or a catalog, line by line, and fixes the simple things',
  options: {
    ...CONTENT_OPTION,
    fix: {
      help: 'Fixes what needs no person; skills of a catalog that come from elsewhere stay as they are',
    },
    'dry-run': { help: 'With --fix: prints the changes as a diff, and writes nothing' },
    rule: { value: '<id,…>', help: 'Only these rules' },
    ignore: { value: '<id,…>', help: 'All rules but these' },
    'max-warnings': { value: '<count>', help: 'Exit code 1 from one warning more on' },
    format: { value: '<name>', help: 'text, github (workflow commands), json or sarif (2.1.0)' },
    rules: { help: 'Lists every rule, and what --fix does about it' },
  },
  help: [
    'A path is a SKILL.md, the folder of a skill, a repository, whose skills are found wherever they lie, or a catalog. Of a file that is named itself only that file is read.',
    'Each line is file:line:column severity rule message — remedy. Lines and columns count from 1; a column counts UTF-16 units, as editors do. At most five places a rule and file are told.',
    'Exit code 0: no errors, and no more warnings than --max-warnings; 1: there are; 2: called wrongly. The diagnostics go to the standard output, the counts to the standard error.',
  ],
  run,
}
