import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { quoteFolder, writeRegistry } from './new-registry.ts'
import { packOwnPackage } from './own-package.ts'

const USAGE = 'Usage: skill-registry init <folder> [--name "Acme Skills"]'

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' } },
  })
  const [folder] = positionals
  if (!folder || positionals.length > 1) throw new Error(USAGE)
  const existing = existsSync(folder) && readdirSync(folder).find((name) => name !== '.git')
  if (existing)
    throw new Error(`${folder} is not empty: it contains ${existing}. Name a new folder.`)
  const place = resolve(folder)
  const tarball = packOwnPackage(place)
  for (const file of [tarball, ...writeRegistry(place, values.name, tarball)])
    console.log(`wrote ${join(folder, file)}`)
  const move = place === process.cwd() ? '' : `cd ${quoteFolder(folder)} && `
  console.log(`\nNow: ${move}npm install && npm start`)
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  const hint = code?.startsWith('ERR_PARSE_ARGS') ? USAGE : code && 'Name another folder.'
  console.error([message, hint].filter(Boolean).join('\n'))
  process.exitCode = [message, hint].includes(USAGE) ? 2 : 1
}
