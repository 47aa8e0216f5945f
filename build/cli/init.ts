import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }

// Any Node that npm runs with may begin a registry, so this uses nothing that is new in Node.

const USAGE = 'Usage: skill-registry init <folder> [--name "Acme Skills"]'

const TEMPLATE = fileURLToPath(new URL('./template/', import.meta.url))

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
  const slug =
    basename(folder)
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
    // npm leaves a .gitignore out of packages.
    const file = relative(TEMPLATE, path).replace(/^gitignore$/, '.gitignore')
    const isJson = file.endsWith('.json')
    const text = readFileSync(path, 'utf8').replace(/%(\w+)%/g, (_, key) =>
      isJson ? JSON.stringify(values[key]).slice(1, -1) : values[key]!,
    )
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    writeFileSync(join(folder, file), text)
    return file
  })
}

/** An argument as it is typed into a shell. */
const quote = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' } },
  })
  const [folder] = positionals
  if (!folder || positionals.length > 1) throw new Error(USAGE)
  const taken = existsSync(folder) && readdirSync(folder).find((one) => one !== '.git')
  if (taken)
    throw new Error(`${folder} is not empty: it has ${taken}. Name a folder that is not there.`)
  for (const file of writeRegistry(resolve(folder), values.name))
    console.log(`wrote ${join(folder, file)}`)
  const move = resolve(folder) === process.cwd() ? '' : `cd ${quote(folder)} && `
  console.log(`\nNow: ${move}npm install && npm start`)
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  const hint = code?.startsWith('ERR_PARSE_ARGS') ? USAGE : code && 'Name another folder.'
  console.error([message, hint].filter(Boolean).join('\n'))
  process.exitCode = 1
}
