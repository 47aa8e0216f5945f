import { FILE_HEADERS_ONLY, createTwoFilesPatch } from 'diff'
import type { Log, Result } from 'sarif'
import { findNearest } from '../../../src/catalog/nearest-name.ts'
import { listSlugs } from '../../../src/catalog/load.ts'
import { RECORD_FILE, SKILL_MD } from '../../../src/catalog/skill.ts'
import type { SkillFacts } from '../../../src/catalog/skill.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { Pool } from '../../site/pool.ts'
import type { PoolOptions } from '../../site/pool.ts'
import { createProgress } from '../../site/progress.ts'
import type { Progress } from '../../site/progress.ts'
import {
  pluralize,
  renderJson,
  renderColumns,
  CONTENT_OPTION,
  readContentOption,
  CommandError,
  UsageError,
  refuse,
} from '../cli/command.ts'
import type { Command, Arguments, CommandContext } from '../cli/command.ts'
import { withLock } from '../store/write.ts'
import { checkCatalog, listCatalogTargets, findTargets, shownPath } from './lint-catalog.ts'
import type { Target } from './lint-catalog.ts'
import type { LintSettings, Linted } from './lint-one.ts'
import type { Diagnostic, Severity } from './rule.ts'
import { RULES, createDiagnostic } from './rules.ts'
import type { LintJobs } from './worker.ts'

type Change = NonNullable<Linted['change']>

/** Diagnostics in file order, and fixes. */
interface LintReport {
  files: number
  counts: Record<Severity, number>
  fixable: number
  dryRun: boolean
  changes: Change[]
  diagnostics: Diagnostic[]
}

const renderDiff = ({ file, to, before, after }: Change): string =>
  before === after
    ? `rename ${file} to ${to}`
    : createTwoFilesPatch(file, to, before, after, undefined, undefined, {
        context: 2,
        headerOptions: FILE_HEADERS_ONLY,
      }).trimEnd()

const renderText = ({ diagnostics, changes, dryRun }: LintReport): string =>
  [
    ...changes.map((change) => {
      const { file, to } = change
      return dryRun ? renderDiff(change) : `fixed ${file}${to === file ? '' : `, now ${to}`}`
    }),
    ...diagnostics.map(
      ({ file, line, column, severity, rule, message, remedy }) =>
        `${file}:${line}:${column} ${severity} ${rule} ${message} — ${remedy}`,
    ),
  ].join('\n')

export const renderCounts = ({ files, counts, fixable, changes, dryRun }: LintReport): string =>
  [
    `${pluralize(files, 'skill')}: ${pluralize(counts.error, 'error')}, ${pluralize(counts.warning, 'warning')}, ${pluralize(counts.note, 'note')}`,
    ...(fixable > 0 ? [`${fixable} can be fixed with --fix`] : []),
    ...(changes.length > 0
      ? [`${dryRun ? 'would fix' : 'fixed'} ${pluralize(changes.length, 'file')}`]
      : []),
  ].join('; ')

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Renders a report as workflow commands, which GitHub shows beside the lines of a pull request. */
const renderGithub = ({ diagnostics }: LintReport): string =>
  diagnostics
    .map(({ file, line, column, end, severity, rule, message, remedy }) => {
      // A column is allowed only where a diagnostic begins and ends on one line.
      const columns =
        line === end.line ? { col: column, endColumn: end.column } : { endLine: end.line }
      const properties = Object.entries({ file, line, ...columns, title: rule })
        .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
        .join(',')
      // GitHub's words (workflow commands, "Setting a message").
      const command = severity === 'note' ? 'notice' : severity
      return `::${command} ${properties}::${escapeData(`${message} — ${remedy}`)}`
    })
    .join('\n')

const renderJsonReport = (report: LintReport): string => {
  const changes = report.changes.map((change) => {
    const { file, to } = change
    return { file, to, diff: renderDiff(change) }
  })
  return renderJson({ ...report, changes })
}

/** A path as a relative reference (SARIF 2.1.0, 3.10.1; RFC 3986, 4.2); one from the root is a file address. */
const toUri = (file: string): string => {
  // Encodes a colon in the first segment, which would be read as a scheme.
  const path = file.split('/').map(encodeURIComponent).join('/')
  if (path.startsWith('/')) return `file://${path}`
  return path === '' ? '.' : path
}

const RULE_IDS = Object.keys(RULES)

const renderResult = ({ file, line, column, end, severity, ...one }: Diagnostic): Result => ({
  ruleId: one.rule,
  ruleIndex: RULE_IDS.indexOf(one.rule),
  level: severity,
  message: { text: `${one.message} — ${one.remedy}` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: toUri(file) },
        region: { startLine: line, startColumn: column, endLine: end.line, endColumn: end.column },
      },
    },
  ],
})

const renderSarif = ({ diagnostics }: LintReport): string => {
  const rules = Object.entries(RULES).map(([id, { severity, message, remedy }]) => ({
    id,
    shortDescription: { text: message },
    help: { text: remedy },
    defaultConfiguration: { level: severity },
  }))
  const log: Log = {
    $schema:
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'skill-registry lint', rules } },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map(renderResult),
      },
    ],
  }
  return renderJson(log)
}

export const FORMATS: Readonly<Record<string, (report: LintReport) => string>> = {
  text: renderText,
  github: renderGithub,
  json: renderJsonReport,
  sarif: renderSarif,
}

/** Number of targets from which to show progress. */
const MANY = 100

type LintPool = Pool<LintJobs>

const lintAll = async (
  targets: readonly Target[],
  pool: LintPool,
  progress: Progress,
): Promise<Linted[]> => {
  const isShown = targets.length >= MANY
  if (isShown) progress.stage('Reading skills', targets.length)
  const linted: Linted[] = []
  await pool.run('lint', targets, {
    onDone: (one) => {
      if (isShown) progress.step()
      linted.push(one)
    },
    onLost: ({ shown, fileName }, detail) => {
      const file = shownPath(shown, fileName)
      linted.push({ diagnostics: [createDiagnostic('skill-unchecked', file, { detail })] })
    },
  })
  return linted
}

/**
 * Reports what the build would refuse in a catalog, except for files with `known` errors.
 */
const lintRecords = async (
  content: string,
  shown: string,
  known: readonly Diagnostic[],
  pool: LintPool,
): Promise<Diagnostic[]> => {
  const faulty = new Set(
    known.filter(({ severity }) => severity === 'error').map(({ file }) => file),
  )
  const lost = new Set(
    known.filter(({ rule }) => rule === 'skill-unchecked').map(({ file }) => file),
  )
  const tasks = listSlugs(content)
    .filter((slug) => !lost.has(shownPath(shown, `skills/${slug}/${SKILL_MD}`)))
    .map((slug) => ({ content, shown, slug }))
  const skills: SkillFacts[] = []
  const diagnostics: Diagnostic[] = []
  await pool.run('record', tasks, {
    onDone: (one) => {
      if (one.facts) skills.push(one.facts)
      diagnostics.push(...one.diagnostics)
    },
    onLost: ({ slug }, detail) => {
      const file = shownPath(shown, `skills/${slug}/${RECORD_FILE}`)
      diagnostics.push(createDiagnostic('skill-unchecked', file, { detail }))
    },
  })
  return [...checkCatalog(content, shown, skills), ...diagnostics].filter(
    ({ file }) => !faulty.has(file),
  )
}

/** Lints what was found, each skill in a process that can be ended. */
export const runLint = async (
  { targets, catalogs, diagnostics: found }: ReturnType<typeof findTargets>,
  settings: LintSettings,
  progress: Progress,
  options?: Partial<PoolOptions>,
): Promise<LintReport> => {
  const pool: LintPool = new Pool({ file: new URL('./worker.ts', import.meta.url), ...options })
  pool.prepare(settings)
  const linted: Linted[] = []
  const others = [...found]
  try {
    linted.push(...(await lintAll(targets, pool, progress)))
    for (const { folder, shown } of catalogs) {
      const lint = () => lintAll(listCatalogTargets(folder, shown), pool, progress)
      const isWriting = settings.isFixing && !settings.isDryRun
      const inside = isWriting ? await withLock(folder, lint) : await lint()
      linted.push(...inside)
      const known = inside.flatMap((one) => one.diagnostics)
      others.push(...(await lintRecords(folder, shown, known, pool)))
    }
  } finally {
    await pool.close()
  }
  progress.end()
  const diagnostics = [...others, ...linted.flatMap((one) => one.diagnostics)].filter(({ rule }) =>
    settings.rules.has(rule),
  )
  const counts = { error: 0, warning: 0, note: 0 }
  for (const { severity } of diagnostics) counts[severity] += 1
  return {
    files: linted.length,
    counts,
    fixable: diagnostics.filter(({ isFixable }) => isFixable).length,
    dryRun: settings.isDryRun,
    changes: linted.flatMap(({ change }) => change ?? []),
    diagnostics,
  }
}

const readFormat = ({
  values: { format = 'text' },
}: Arguments): ((report: LintReport) => string) => {
  const found = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  const known = Object.keys(FORMATS).join(', ')
  return found ?? refuse(`--format ${showValue(format)} is none of ${known}.`)
}

const readLimit = ({ values: { 'max-warnings': text } }: Arguments): number => {
  if (text === undefined) return Infinity
  if (/^\d{1,9}$/.test(text)) return Number(text)
  return refuse(`--max-warnings ${showValue(text)} is not a whole number; write 0 or more.`)
}

const readPaths = (args: Arguments): readonly string[] => {
  const { positionals, values } = args
  if (values['content'] !== undefined && positionals.length > 0) {
    refuse('Name paths or a content folder, not both.')
  }
  return positionals.length > 0 ? positionals : [readContentOption(args)]
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
    `${option} ${showValue(unknown)} is not a rule; did you mean ${nearest}? lint --rules lists them.`,
  )
}

const readSelection = ({ values }: Arguments): ReadonlySet<string> => {
  const selected = new Set(readIds('--rule', values['rule']))
  const ignored = new Set(readIds('--ignore', values['ignore']))
  const isSelected = (rule: string): boolean => selected.size === 0 || selected.has(rule)
  return new Set(RULE_IDS.filter((rule) => isSelected(rule) && !ignored.has(rule)))
}

const renderRules = (): string => {
  const rows = Object.entries(RULES).map(([id, { severity, message, remedy, fix }]) => {
    const fixed = fix === undefined ? '' : ` (--fix ${fix})`
    return [id, severity, `${message} — ${remedy}${fixed}`]
  })
  return renderColumns(rows).join('\n')
}

const run = async (args: Arguments, { print, stderr }: CommandContext): Promise<void> => {
  const { switches } = args
  if (switches.has('rules')) return print(renderRules())
  const isFixing = switches.has('fix')
  const isDryRun = switches.has('dry-run')
  if (isDryRun && !isFixing) refuse('--dry-run says what --fix would do; give both.')
  const render = readFormat(args)
  const limit = readLimit(args)
  const rules = readSelection(args)
  const found = findTargets(readPaths(args), process.cwd())
  const report = await runLint(found, { rules, isFixing, isDryRun }, createProgress(stderr))
  const text = render(report)
  if (text !== '') print(text)
  const counts = renderCounts(report)
  if (report.counts.error > 0) throw new CommandError(counts)
  if (report.counts.warning > limit)
    throw new CommandError(`${counts}; more than ${limit} warnings`)
  stderr.write(`${counts}\n`)
}

export const lintCommand: Command = {
  name: 'lint',
  positionals: { usage: '[<SKILL.md or folder>…]', least: 0, most: Infinity },
  summary: 'Says what is wrong with skills or a catalog, line by line, and fixes the simple things',
  options: {
    ...CONTENT_OPTION,
    fix: {
      help: 'Fixes what can be fixed automatically; skills of a catalog that come from elsewhere stay as they are',
    },
    'dry-run': { help: 'With --fix: prints the changes as a diff, and writes nothing' },
    rule: { value: '<id,…>', help: 'Only these rules' },
    ignore: { value: '<id,…>', help: 'All rules but these' },
    'max-warnings': { value: '<count>', help: 'Exits with code 1 if there are more warnings' },
    format: { value: '<name>', help: 'text, github (workflow commands), json or sarif (2.1.0)' },
    rules: { help: 'Lists every rule, and what --fix does about it' },
  },
  help: [
    'A path is a SKILL.md, the folder of a skill, a repository, whose skills are found wherever they lie, or a catalog. Of a file that is named itself only that file is read.',
    'Each line is file:line:column severity rule message — remedy. Lines and columns count from 1; a column counts UTF-16 units, as editors do. At most five places are reported for each rule and file.',
    'Exit code 0: no errors, and no more warnings than --max-warnings; 1: there are; 2: called wrongly. The diagnostics go to the standard output, the counts to the standard error.',
  ],
  run,
}
