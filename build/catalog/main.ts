import { enableCompileCache } from 'node:module'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

// Most commands take less time than compiling them does, so the code is kept compiled; not in the folder
// for temporary files, which is a command's own affair and would be made where it is not there.
if (existsSync('node_modules')) enableCompileCache(resolve('node_modules/.cache/compiled'))
const { runCommandLine } = await import('./cli/commands.ts')
const { describeCommandError } = await import('./cli/command.ts')

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader who has enough closes the pipe, which does not stop the work.
  if (error.code === 'EPIPE') return
  process.exitCode = 1
  process.stderr.write(`${describeCommandError(error)}\n`)
})
process.stderr.on('error', () => undefined)
const { stdout, stderr } = process
const code = await runCommandLine(process.argv.slice(2), stdout, stderr)
if (code !== 0) process.exitCode = code
