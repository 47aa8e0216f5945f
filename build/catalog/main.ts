import { enableCompileCache } from 'node:module'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

// Most commands run faster than they compile, so compiled code is cached. The cache is not in the temporary folder: Node
// would create that folder if it is missing, and commands report a missing one instead.
if (existsSync('node_modules')) enableCompileCache(resolve('node_modules/.cache/compiled'))
const { runCommandLine } = await import('./cli/commands.ts')
const { describeCommandError } = await import('./cli/command.ts')

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that closes the pipe early, such as `head`, does not stop the work.
  if (error.code === 'EPIPE') return
  process.exitCode = 1
  process.stderr.write(`${describeCommandError(error)}\n`)
})
process.stderr.on('error', () => undefined)
const { stdout, stderr } = process
const code = await runCommandLine(process.argv.slice(2), stdout, stderr)
if (code !== 0) process.exitCode = code
