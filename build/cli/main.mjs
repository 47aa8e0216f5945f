#!/usr/bin/env node
// Older versions of Node also run this file, for `init` and `upgrade` and to report which version the other commands
// need. So do not use newer syntax here.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SERVE_FLAGS } from './flags.mjs'

const BUILD = [
  // With the space that V8 gives to new objects by default, a build of 1,080 skills takes 970 MB instead of 690 to 920.
  '--max-semi-space-size=4',
  fileURLToPath(new URL('../site/main.mjs', import.meta.url)),
]
const SERVE = [
  ...SERVE_FLAGS,
  fileURLToPath(new URL('../../functions/hosts/node.mjs', import.meta.url)),
]

/**
 * The arguments with which Node runs each command.
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

  init <folder>  creates your own registry; --name "Acme Skills"
  upgrade        installs this package in the registry in this folder
  dev            serves the registry in this folder, and rebuilds it when files change
  build          builds content/ into dist/; --help lists the options
  serve          serves dist/ on PORT, 4321 by default
  start          builds, then serves
  back           serves the previous build again
  catalog        the curator's commands; catalog help lists them
  versions       promises in content/site.json that versions of skills stay available
  host <name>    prepares the finished build for a platform: cloudflare
  search:sync    loads the build into the database that SEARCH_URL names
`

/** @param {string[]} program */
const run = (program) => spawnSync(process.execPath, program, { stdio: 'inherit' }).status ?? 1

/**
 * Replaces this process with the program if the system supports that, so that signals reach the program directly.
 *
 * @param {string[]} program
 */
const become = (program) => {
  if (process.platform !== 'win32' && process.execve)
    process.execve(process.execPath, [process.execPath, ...program], process.env)
  return run(program)
}

/** Commands that serve until a signal. */
const SERVERS = ['dev', 'serve', 'start']
const IN_NPM = ['--import', new URL('./parent.mjs', import.meta.url).href]
/** Commands that run with any version of Node. */
const ANY_NODE = ['init', 'upgrade']

/** Commands that take no arguments. */
const ALONE = ['dev', 'serve', 'start', 'back', 'versions', 'search:sync']

const HELP = ['--help', '-h']
/** Commands with their own help. */
const WITH_HELP = ['build', 'catalog']

const [name = '', ...args] = process.argv.slice(2)
const isHelp =
  ['help', ...HELP].includes(name) ||
  (!WITH_HELP.includes(name) && args.some((argument) => HELP.includes(argument)))
const program = !isHelp && Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined
if (program && ALONE.includes(name) && args.length > 0) {
  process.stderr.write(`"${name}" takes no arguments, but got "${args[0]}".\n\n${USAGE}`)
  process.exitCode = 2
} else if (program) {
  if (!ANY_NODE.includes(name)) await import('../../functions/hosts/node-version.mjs')
  const parent = process.ppid
  const failure = name === 'start' ? run([...BUILD, '--trial']) : 0
  const isInNpm = SERVERS.includes(name) && process.env.npm_lifecycle_event !== undefined
  // If the parent process is gone, npm was ended during the build.
  const isEnded = isInNpm && process.ppid !== parent
  process.exitCode =
    failure || isEnded ? 1 : become([...(isInNpm ? IN_NPM : []), ...program, ...args])
} else if (isHelp) process.stdout.write(USAGE)
else {
  process.stderr.write(name === '' ? USAGE : `There is no command "${name}".\n\n${USAGE}`)
  process.exitCode = 2
}
