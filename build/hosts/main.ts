import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { bundleHost } from './bundle.ts'
import { writeOutput } from './static.ts'
import { listFilesBelow } from '../machine/folders.ts'
import { SettingsError, readSettings } from '../site/settings.ts'

const MIB = 2 ** 20

/** Limits of Workers assets (developers.cloudflare.com/workers/platform/limits). */
const CLOUDFLARE = { files: 100_000, freeFiles: 20_000, bytes: 25 * MIB }

/** Throws SettingsError if Cloudflare would refuse to upload a site. */
export const checkCloudflare = (
  files: readonly { name: string; size: number }[],
  isFree: boolean,
): void => {
  const most = isFree ? CLOUDFLARE.freeFiles : CLOUDFLARE.files
  if (files.length > most) {
    throw new SettingsError(
      `the site has ${files.length} files; Cloudflare accepts at most ${most}${isFree ? ' from a free account, and 100000 from other accounts' : ''}`,
    )
  }
  const large = files.find(({ size }) => size > CLOUDFLARE.bytes)
  if (large) {
    throw new SettingsError(
      `${large.name} has ${(large.size / MIB).toFixed(1)} MiB; Cloudflare accepts files of at most ${CLOUDFLARE.bytes / MIB} MiB`,
    )
  }
}

const listSizes = (folder: string): { name: string; size: number }[] =>
  listFilesBelow(folder).map((name) => ({ name, size: statSync(join(folder, name)).size }))

/** Wrangler uploads every page and script in the folder of `main` as a module, so the worker has its own folder. */
const WORKER_FOLDER = 'worker'

const WRANGLER = {
  name: 'skill-registry',
  main: `${WORKER_FOLDER}/worker.mjs`,
  compatibility_date: '2026-01-01',
  compatibility_flags: ['nodejs_compat'],
  no_bundle: true,
  assets: {
    directory: 'assets',
    binding: 'ASSETS',
    run_worker_first: true,
    html_handling: 'none',
    not_found_handling: 'none',
  },
}

const writeCloudflare = async (site: string, folder: string, isFree: boolean): Promise<void> => {
  checkCloudflare(listSizes(site), isFree)
  for (const { fileName, code } of await bundleHost('cloudflare'))
    writeOutput(folder, join(WORKER_FOLDER, fileName), code)
  writeOutput(folder, 'wrangler.jsonc', `${JSON.stringify(WRANGLER, null, 2)}\n`)
  // Copy on write, if the file system supports it.
  const copying = { recursive: true, mode: constants.COPYFILE_FICLONE }
  cpSync(site, join(folder, 'assets'), copying)
}

const USAGE = `Usage: npm run host -- cloudflare [--free]

  --free  applies the limits of a free account

Writes OUT_DIR/hosts/cloudflare/ from the finished build. For other servers and platforms, see docs/operators.md.`

const writeHost = async (name: string, isFree: boolean): Promise<string> => {
  if (name !== 'cloudflare') throw new SettingsError(USAGE)
  const { outputFolder } = readSettings(process.env)
  const current = join(outputFolder, 'current')
  if (!existsSync(current))
    throw new SettingsError(`there is no finished build in ${outputFolder}; run "npm run build"`)
  const folder = join(outputFolder, 'hosts', name)
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  try {
    await writeCloudflare(realpathSync(current), unfinished, isFree)
    rmSync(folder, { recursive: true, force: true })
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return folder
}

if (import.meta.main) {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { free: { type: 'boolean', default: false } },
    })
    console.log(`Wrote ${relative('', await writeHost(positionals[0] ?? '', values.free))}`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const isUsage = code?.startsWith('ERR_PARSE_ARGS') || message === USAGE
    if (!(error instanceof SettingsError) && !isUsage) throw error
    console.error(message)
    process.exitCode = isUsage ? 2 : 1
  }
}
