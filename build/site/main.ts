import { ContentError, renderProblem } from '../../src/catalog/problems.ts'
import { buildSite } from './build.ts'
import { OutputError } from './generation.ts'
import { createProgress } from './progress.ts'
import { SettingsError, readSettings } from './settings.ts'

/** Faults of the system that a person can mend, by their code. */
const SYSTEM_REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some room and build again',
  EACCES: 'the folder may not be written; change its rights or set OUT_DIR',
  EPERM: 'the folder may not be written; change its rights or set OUT_DIR',
  EROFS: 'the file system is read-only; set OUT_DIR to a folder that can be written',
  ENOTDIR: 'a file stands where a folder is wanted; move it or set OUT_DIR',
  EEXIST: 'something else stands there; move it or set OUT_DIR',
  EISDIR: 'a folder stands where a file is wanted; move it or set OUT_DIR',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
}

const describeFailure = (error: unknown): string => {
  if (error instanceof ContentError) {
    return [
      ...error.problems.map(renderProblem),
      `${error.message}; the built site is as it was.`,
    ].join('\n')
  }
  if (error instanceof SettingsError || error instanceof OutputError) return error.message
  const fault = error as NodeJS.ErrnoException
  const remedy = fault.code === undefined ? undefined : SYSTEM_REMEDIES[fault.code]
  if (remedy !== undefined) return `${fault.path ?? 'The output'}: ${remedy} (${fault.message})`
  return `The build failed, the built site is as it was: ${fault.stack ?? String(error)}`
}

const main = async (): Promise<void> => {
  const progress = createProgress(process.stderr)
  try {
    const settings = readSettings(process.env)
    const { skills, untraced, pages, files } = await buildSite(settings, progress)
    progress.end()
    for (const slug of untraced)
      console.warn(`${slug}: its source was never seen, so it is not shown`)
    console.log(
      `Built ${skills} skills, ${pages} pages, ${files} files in ${settings.outputFolder}`,
    )
  } catch (error) {
    progress.abort()
    console.error(describeFailure(error))
    process.exitCode = 1
  }
}

await main()
