import { expect, test } from 'vitest'
import { escapeUnseen } from '../cli/command.ts'
import { FORMATS, renderCounts } from './command.ts'
import { createDiagnostic } from './rules.ts'

type LintReport = Parameters<typeof renderCounts>[0]

const render = (format: string, report: LintReport): string => FORMATS[format]?.(report) ?? ''

const HOSTILE = createDiagnostic('name-format', 'a b/ü,1:2%\u001B[2J/SKILL.md', {
  line: 3,
  column: 7,
  end: { line: 3, column: 9 },
  detail: 'the name "x%\r\n::error::y"',
  remedy: 'write, so: "x"',
})

const LONG = createDiagnostic('description-lines', 'b/SKILL.md', {
  line: 3,
  column: 14,
  end: { line: 5, column: 1 },
})

const report: LintReport = {
  files: 2,
  diagnostics: [HOSTILE, LONG],
  changes: [],
  counts: { error: 1, warning: 0, note: 1 },
  fixable: 0,
  dryRun: false,
}

test('text -> file:line:column severity rule message — remedy', () => {
  expect(render('text', { ...report, diagnostics: [LONG] })).toBe(
    'b/SKILL.md:3:14 note description-lines the description runs over several lines, of which simple readers show the first — write it on one line, in quotes where it holds ": "',
  )
  expect(renderCounts(report)).toBe('2 skills: 1 error, 0 warnings, 1 note')
  expect(renderCounts({ ...report, files: 1, fixable: 2 })).toMatch(
    /^1 skill: .*; 2 can be fixed with --fix$/,
  )
})

test('github -> one command a diagnostic, nothing in it ends it or begins another', () => {
  const [first, second, ...more] = render('github', report).split('\n')
  expect(more).toEqual([])
  expect(first).toBe(
    '::error file=a b/ü%2C1%3A2%25\u001B[2J/SKILL.md,line=3,col=7,endColumn=9,title=name-format' +
      '::the name may contain only a-z, 0-9 and single hyphens between words: the name "x%25%0D%0A::error::y" — write, so: "x"',
  )
  expect(second).toMatch(/^::notice file=b\/SKILL\.md,line=3,endLine=5,title=description-lines::/)
})

test('json -> the report, nothing unseen', () => {
  const json = render('json', report)
  expect(json).toBe(escapeUnseen(json))
  expect(JSON.parse(json)).toEqual({
    files: 2,
    counts: { error: 1, warning: 0, note: 1 },
    fixable: 0,
    dryRun: false,
    changes: [],
    diagnostics: [HOSTILE, LONG],
  })
})

test('sarif -> what SARIF 2.1.0 asks for', () => {
  const log = JSON.parse(render('sarif', report))
  expect(log).toMatchObject({ version: '2.1.0', runs: [{ columnKind: 'utf16CodeUnits' }] })
  const [{ tool, results }] = log.runs
  expect(new Set(tool.driver.rules.map(({ id }: { id: string }) => id)).size).toBe(
    tool.driver.rules.length,
  )
  for (const [index, result] of results.entries()) {
    const { rule, severity } = report.diagnostics[index] ?? HOSTILE
    expect(tool.driver.rules[result.ruleIndex].id).toBe(rule)
    expect(result).toMatchObject({ ruleId: rule, level: severity })
    expect(result.message.text).toContain(' — ')
  }
  expect(results[0].locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'a%20b/%C3%BC%2C1%3A2%25%1B%5B2J/SKILL.md' },
    region: { startLine: 3, startColumn: 7, endLine: 3, endColumn: 9 },
  })
})

test('a change -> a unified diff, or a rename alone', () => {
  const change = { file: 'a/skill.md', to: 'a/SKILL.md', before: 'a\nb\n', after: 'a\nc\n' }
  const renamed = { ...change, after: 'a\nb\n' }
  const planned = { ...report, diagnostics: [], dryRun: true, changes: [change, renamed] }
  expect(render('text', planned)).toBe(
    '--- a/skill.md\n+++ a/SKILL.md\n@@ -1,2 +1,2 @@\n a\n-b\n+c\nrename a/skill.md to a/SKILL.md',
  )
})
