import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import manifest from '../../package.json' with { type: 'json' }

const TEMPLATE = fileURLToPath(new URL('./template/', import.meta.url))

const listTemplateFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? listTemplateFiles(path) : [path]
  })

/** Turns `acme-skills` into "Acme Skills". */
const nameAfter = (slug: string): string =>
  slug.replace(/(^|-)([a-z])/g, (_, dash, letter) => (dash && ' ') + letter.toUpperCase())

/** Quotes a folder for a shell, as the argument of `cd`. */
export const quoteFolder = (folder: string): string => {
  const path = folder.startsWith('-') ? `./${folder}` : folder
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}

/** The version of Node that this package is tested with. */
export const NODE_VERSION = manifest.dependencies.node

/** Writes a new registry; returns its files. `tarball` is the path of the package, relative to the folder. */
export const writeRegistry = (
  folder: string,
  name: string | undefined,
  tarball: string,
): string[] => {
  const slug =
    basename(folder)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'registry'
  const values: Record<string, string> = {
    slug,
    name: name ?? nameAfter(slug),
    today: new Date().toISOString().slice(0, 10),
    tarball,
    node: NODE_VERSION,
  }
  return listTemplateFiles(TEMPLATE).map((path) => {
    // npm does not pack a file called .gitignore.
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
