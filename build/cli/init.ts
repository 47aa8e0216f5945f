import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }

// Any Node that npm runs with may begin a registry, so this uses nothing that is new in Node.

const USAGE = 'Usage: skill-registry init <folder> [--name "Acme Skills"]'

/** A mistake that the message explains. */
class InitError extends Error {}

const TEMPLATE = fileURLToPath(new URL('./template/', import.meta.url))

/** Files whose names npm would not put into a package, or would obey there. */
const NAMES: Readonly<Record<string, string>> = { gitignore: '.gitignore' }

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? listFiles(path) : [path]
  })

/** `acme-skills` as words: "Acme Skills". */
const nameAfter = (slug: string): string =>
  slug.replace(/(^|-)([a-z])/g, (_, dash, letter) => (dash && ' ') + letter.toUpperCase())

/** Writes a registry to begin with; returns the names of its files. */
const writeRegistry = (folder: string, name: string | undefined): string[] => {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile())
    throw new InitError(`${folder} is a file; name another folder.`)
  const taken = existsSync(folder) && readdirSync(folder).find((one) => one !== '.git')
  if (taken)
    throw new InitError(`${folder} is not empty: it has ${taken}. Name a folder that is not there.`)
  const slug =
    basename(resolve(folder))
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'registry'
  const values: Record<string, string> = {
    slug,
    name: name ?? nameAfter(slug),
    today: new Date().toISOString().slice(0, 10),
    version: manifest.version,
    node: manifest.dependencies.node,
  }
  return listFiles(TEMPLATE).map((path) => {
    const inside = relative(TEMPLATE, path)
    const file = join(dirname(inside), NAMES[basename(inside)] ?? basename(inside))
    const isJson = file.endsWith('.json')
    const text = readFileSync(path, 'utf8').replace(/%(\w+)%/g, (_, key) =>
      isJson ? JSON.stringify(values[key]).slice(1, -1) : values[key]!,
    )
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), text)
    return file
  })
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' } },
  })
  const [folder] = positionals
  if (folder === undefined || positionals.length > 1) throw new InitError(USAGE)
  for (const file of writeRegistry(folder, values.name)) console.log(`wrote ${join(folder, file)}`)
  const move = resolve(folder) === process.cwd() ? '' : `cd ${folder} && `
  console.log(`\nNow: ${move}npm install && npm start`)
} catch (error) {
  const isUsage = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
  if (!isUsage && !(error instanceof InitError)) throw error
  console.error(isUsage ? `${(error as Error).message}\n${USAGE}` : (error as Error).message)
  process.exitCode = 1
}
