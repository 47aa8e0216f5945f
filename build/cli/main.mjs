#!/usr/bin/env node
// No syntax that older versions of Node lack: they run `init`, and say which version the others need.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SERVE_FLAGS } from './flags.mjs'

/** @type {(url: URL, ...flags: string[]) => { url: URL, flags: string[] }} */
const program = (url, ...flags) => ({ url, flags })

const serve = program(new URL('../../functions/hosts/node.mjs', import.meta.url), ...SERVE_FLAGS)
const build = program(new URL('../site/main.ts', import.meta.url))

/** @type {Readonly<Record<string, ReturnType<typeof program>>>} */
const PROGRAMS = {
  init: program(new URL('./init.ts', import.meta.url)),
  dev: program(new URL('../site/dev.ts', import.meta.url)),
  build,
  serve,
  start: serve,
  catalog: program(new URL('../catalog/main.ts', import.meta.url), '--max-semi-space-size=2'),
  host: program(new URL('../hosts/main.ts', import.meta.url)),
  'search:sync': program(new URL('../../extras/postgres/main.ts', import.meta.url)),
}

const USAGE = `Usage: skill-registry <command>

  init <folder>  begins a registry of your own; --name "Acme Skills"
  dev            serves the registry of this folder, and builds it as its files change
  build          builds content/ into dist/; --help lists the options
  serve          serves dist/ on PORT, 4321 by default
  start          builds, then serves
  catalog        the curator's commands; catalog help lists them
  host <name>    writes the finished build as Cloudflare or a container takes it
  search:sync    loads the catalog into the database of SEARCH_URL
`

/** @param {ReturnType<typeof program>} program @param {readonly string[]} args */
const run = ({ url, flags }, args) =>
  spawnSync(process.execPath, [...flags, fileURLToPath(url), ...args], { stdio: 'inherit' })
    .status ?? 1

/** Becomes the program, where the system can: then signals reach it, and one process serves. */
/** @type {typeof run} */
const become = ({ url, flags }, args) => {
  const argv = [process.execPath, ...flags, fileURLToPath(url), ...args]
  if (process.platform !== 'win32' && process.execve)
    process.execve(process.execPath, argv, process.env)
  return run({ url, flags }, args)
}

const [name = '', ...args] = process.argv.slice(2)
const found = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined
if (!found) {
  const isAsked = ['--help', '-h', 'help'].includes(name)
  process.stdout.write(isAsked ? USAGE : '')
  process.stderr.write(isAsked ? '' : `There is no command "${name}".\n${USAGE}`)
  process.exitCode = isAsked ? 0 : 2
} else {
  if (name !== 'init') await import('../../functions/hosts/node-version.mjs')
  const failure = name === 'start' ? run(build, []) : 0
  process.exitCode = failure || become(found, args)
}
