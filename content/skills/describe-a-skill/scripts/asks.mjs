#!/usr/bin/env node
// Lists the skills of a catalog that have no asks, and writes asks into their records. Run it in the
// folder of the registry; --content names another content folder.
//
//   node asks.mjs list                the SKILL.md of each skill without asks, one a line
//   node asks.mjs apply asks.ndjson   lines such as {"slug": "csv-clean", "asks": ["…"]}, all or none
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const [task, ...rest] = process.argv.slice(2)

/** Runs a command of the catalog. On Windows, npm is a script, which needs a shell and so quotes. */
const runCatalog = (args, stdout) => {
  const isWindows = process.platform === 'win32'
  const all = ['run', '-s', 'catalog', '--', ...args]
  const quoted = isWindows ? all.map((arg) => `"${arg}"`) : all
  const settings = { stdio: ['ignore', stdout, 'inherit'], shell: isWindows, maxBuffer: 2 ** 30 }
  const result = spawnSync('npm', quoted, settings)
  if (result.error) throw result.error
  return result
}

const fail = (message) => {
  console.error(message)
  process.exit(2)
}

// Elsewhere, npm -s fails without a word.
const scripts = existsSync('package.json') && JSON.parse(readFileSync('package.json', 'utf8')).scripts
if (!scripts?.catalog)
  fail('Run it in the folder of the registry: there is no package.json with a script "catalog" here.')

if (task === 'list') {
  const { stdout, status } = runCatalog(['check', '--rule', 'no-asks', '--json', ...rest], 'pipe')
  if (status !== 0) process.exit(status ?? 1)
  for (const { file } of JSON.parse(stdout).diagnostics)
    console.log(file.replace(/skill\.json$/, 'SKILL.md'))
} else if (task === 'apply' && rest.length > 0)
  process.exit(runCatalog(['set', '--from', ...rest], 'inherit').status ?? 1)
else fail('Usage: node asks.mjs list, or node asks.mjs apply <file>')
