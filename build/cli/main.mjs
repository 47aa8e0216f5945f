#!/usr/bin/env node
// Older versions of Node run this too, for `init` and `upgrade`, and to say which version the others need: no newer syntax.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SERVE_FLAGS } from './flags.mjs'

const BUILD = [fileURLToPath(new URL('../site/main.ts', import.meta.url))]
const SERVE = [
  ...SERVE_FLAGS,
  fileURLToPath(new URL('../../functions/hosts/node.mjs', import.meta.url)),
]

/**
 * The arguments of Node that run each command.
 *
 * @type {Readonly<Record<string, string[]>>}
 */
const PROGRAMS = {
  init: [fileURLToPath(new URL('./init.ts', import.meta.url))],
  upgrade: [fileURLToPath(new URL('./upgrade.ts', import.meta.url))],
  dev: [fileURLToPath(new URL('../site/dev.ts', import.meta.url))],
  build: BUILD,
  serve: SERVE,
  start: SERVE,
  back: [fileURLToPath(new URL('../site/back.ts', import.meta.url))],
  catalog: [
    '--max-semi-space-size=2',
    fileURLToPath(new URL('../catalog/main.ts', import.meta.url)),
  ],
  host: [fileURLToPath(new URL('../hosts/main.ts', import.meta.url))],
  versions: [fileURLToPath(new URL('../versions/main.ts', import.meta.url))],
  'search:sync': [fileURLToPath(new URL('../../extras/postgres/main.ts', import.meta.url))],
}

const USAGE = `Usage: skill-registry <command>

  init <folder>  begins a registry of your own; --name "Acme Skills"
  upgrade        puts this package in the place of the one that the registry of this folder has
  dev            serves the registry of this folder, and builds it as its files change
  build          builds content/ into dist/; --help lists the options
  serve          serves dist/ on PORT, 4321 by default
  start          builds, then serves
  back           serves the build before the last one again
  catalog        the curator's commands; catalog help lists them
  versions       promises that versions of skills stay: writes it into content/site.json
  host <name>    writes the finished build as a platform takes it: cloudflare
  search:sync    loads the build into the database of SEARCH_URL
`

/** @param {string[]} program */
const run = (program) => spawnSync(process.execPath, program, { stdio: 'inherit' }).status ?? 1

/**
 * Becomes the program where the system can do that: then signals reach it, and one process serves.
 *
 * @param {string[]} program
 */
const become = (program) => {
  if (process.platform !== 'win32' && process.execve)
    process.execve(process.execPath, [process.execPath, ...program], process.env)
  return run(program)
}

/** Commands that serve until a signal. */
const LASTING = ['dev', 'serve', 'start']
const IN_NPM = ['--import', new URL('./parent.mjs', import.meta.url).href]
/** Commands that any Node can run. */
const ANY_NODE = ['init', 'upgrade']

const HELP = ['--help', '-h']
/** Commands that explain themselves; of the others, the usage says all. */
const HELPFUL = ['build', 'catalog']

const [name = '', ...args] = process.argv.slice(2)
const isHelp =
  ['help', ...HELP].includes(name) ||
  (!HELPFUL.includes(name) && args.some((one) => HELP.includes(one)))
const program = !isHelp && Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined
if (program) {
  if (!ANY_NODE.includes(name)) await import('../../functions/hosts/node-version.mjs')
  const parent = process.ppid
  const failure = name === 'start' ? run([...BUILD, '--trial']) : 0
  const isInNpm = LASTING.includes(name) && process.env.npm_lifecycle_event !== undefined
  // Without its parent it was ended while it built.
  const isEnded = isInNpm && process.ppid !== parent
  process.exitCode =
    failure || isEnded ? 1 : become([...(isInNpm ? IN_NPM : []), ...program, ...args])
} else if (isHelp) process.stdout.write(USAGE)
else {
  process.stderr.write(name === '' ? USAGE : `There is no command "${name}".\n\n${USAGE}`)
  process.exitCode = 2
}
