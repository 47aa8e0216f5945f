import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { SettingsError, readSettings } from '../site/settings.ts'
import { BUCKETS, HostError, RECIPES } from './recipes.ts'
import type { HostOptions } from './recipes.ts'

const USAGE = `Usage: npm run host -- <name> [--free] [--bucket <name>]

  <name>  ${Object.keys(RECIPES).join(', ')}
  --free  cloudflare: the limits of an account that pays for nothing
  --bucket <name>
          cloudflare, lambda: the site is in this bucket of R2 or S3, not beside the function

Writes OUT_DIR/hosts/<name>/ from the finished build; docs/hosts.md says how to deploy it.`

/** Hosts that follow the link to the current build; all others get the files of one build. */
const FRONTS = new Set(['nginx', 'caddy'])

const writeHost = async (name: string, options: HostOptions): Promise<string> => {
  const recipe = RECIPES[name]
  if (!recipe) throw new HostError(USAGE)
  if (options.bucket !== undefined && !BUCKETS.has(name))
    throw new HostError(`${name} takes no bucket; ${[...BUCKETS].join(' and ')} do`)
  const { outputFolder } = readSettings(process.env)
  const current = join(outputFolder, 'current')
  if (!existsSync(current))
    throw new HostError(`there is no finished build in ${outputFolder}: run "npm run build"`)
  const folder = join(outputFolder, 'hosts', name)
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  try {
    const site = FRONTS.has(name) ? current : realpathSync(current)
    await recipe({ site, folder: unfinished, ...options })
    rmSync(folder, { recursive: true, force: true })
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return folder
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { free: { type: 'boolean', default: false }, bucket: { type: 'string' } },
  })
  const [name = ''] = positionals
  console.log(
    `Wrote ${relative('', await writeHost(name, { isFree: values.free, bucket: values.bucket }))}`,
  )
} catch (error) {
  const isKnown = error instanceof HostError || error instanceof SettingsError
  const isUsage = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  if (!isKnown && !isUsage) throw error
  console.error((error as Error).message)
  process.exitCode = 1
}
