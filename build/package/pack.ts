import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import type { Plugin } from 'rolldown'
import manifest from '../../package.json' with { type: 'json' }
import { HOST_NAMES, bundleHost } from '../hosts/bundle.ts'
import { findRendering } from '../site/astro.ts'
import { PROJECT_ROOT } from '../site/settings.ts'

// `npm run pack [folder]` makes the package, which `init` copies into a registry. Node does not strip types below
// node_modules, so the code is bundled. Layouts are rendered and host code is bundled, so users do not need Astro.

/** The folder for code: two levels below the root, as in the sources, so that PROJECT_ROOT is the package's root. */
const CODE = 'build/site'

/** Packages that have native code or start a file of their own remain dependencies. All others are bundled. */
const INSTALLED = ['@resvg/resvg-js', 'tinypool'] as const

/** Packages that only a checkout has. The code that imports them is never reached in the package. */
const ABSENT = ['astro', 'rolldown', 'pg-native', 'pg-cloudflare']

const FILE_URL = /new URL\(\s*'(\.{1,2}\/[^']+\.\w+)',\s*import\.meta\.url,?\s*\)/g

/** Includes each file that code names by a URL: programs are bundled, data is copied. */
const namedFiles: Plugin = {
  name: 'named-files',
  transform(code, id) {
    if (id.includes('node_modules')) return undefined
    return code.replaceAll(FILE_URL, (_, path: string) => {
      const file = resolve(dirname(id), path)
      const name = relative(PROJECT_ROOT, file).replaceAll('/', '-')
      const reference = this.emitFile(
        /\.(?:ts|mjs)$/.test(file)
          ? { type: 'chunk', id: file, name: name.replace(/\.\w+$/, '') }
          : { type: 'asset', fileName: `${CODE}/${name}`, source: readFileSync(file) },
      )
      return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`
    })
  },
}

/** Bundles the command and the programs that it starts; returns the source files in the bundles. */
const bundleCode = async (folder: string): Promise<string[]> => {
  const external = new Set<string>([...INSTALLED, ...ABSENT])
  const build = await rolldown({
    input: { 'skill-registry': join(PROJECT_ROOT, 'build/cli/main.mjs') },
    platform: 'node',
    plugins: [namedFiles],
    external: (module) => module.startsWith('node:') || external.has(module),
    logLevel: 'silent',
  })
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    minify: true,
    comments: { annotation: false, jsdoc: false },
    entryFileNames: `${CODE}/[name].js`,
    chunkFileNames: `${CODE}/[name].js`,
  })
  await build.close()
  return output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
}

const readLicence = (folder: string): string => {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8')
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  return `Licence: ${/"license": "(.+)"/.exec(text)?.[1]}\n`
}

/** Lists the licences of the bundled packages and of the fonts. */
const listLicences = (files: readonly string[]): string => {
  const folders = files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [])
  const parts = [...new Set(folders)]
    .sort()
    .map((folder) => [folder.replace(/^.*\/node_modules\//, ''), readLicence(folder)])
  parts.push(['Fonts', readFileSync(join(PROJECT_ROOT, 'src/fonts/LICENSE.txt'), 'utf8')])
  return parts.map(([name, text]) => `# ${name}\n\n${text}\n`).join('\n')
}

const { name, version, description, license, dependencies } = manifest

const MANIFEST = {
  name,
  version,
  description,
  license,
  type: 'module',
  bin: { [name]: `${CODE}/${name}.js` },
  // Enough for `init` and `upgrade`. The other commands report which version they need, and a registry installs it.
  engines: { node: '>=18' },
  dependencies: Object.fromEntries(INSTALLED.map((id) => [id, dependencies[id]])),
}

if (process.argv[2]?.startsWith('-')) {
  console.log('Usage: npm run pack [-- <new folder>]')
  process.exit()
}
const folder = resolve(process.argv[2] ?? 'dist/package')
if (process.argv.length === 2) rmSync(folder, { recursive: true, force: true })
if (mkdirSync(folder, { recursive: true }) === undefined)
  throw new Error(`${folder} already exists; name a new folder.`)
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const files = await bundleCode(folder)
write('package.json', `${JSON.stringify(MANIFEST, null, 2)}\n`)
write('LICENSES-BUNDLED.txt', listLicences(files))
for (const host of HOST_NAMES)
  for (const { fileName, code } of await bundleHost(host)) write(`hosts/${host}/${fileName}`, code)
const copies = {
  LICENSE: 'LICENSE',
  'CHANGELOG.md': 'CHANGELOG.md',
  'build/cli/template': `${CODE}/template`,
}
for (const [from, to] of Object.entries(copies))
  cpSync(join(PROJECT_ROOT, from), join(folder, to), { recursive: true })
const readme = readFileSync(join(PROJECT_ROOT, 'build/package/README.md'), 'utf8')
write('README.md', readme.replaceAll('%version%', version))
const DOCS = [
  'content/pages/docs-own.md',
  'content/pages/docs-authors.md',
  'content/pages/docs-commands.md',
  'content/pages/docs-versions.md',
  'docs/operators.md',
]
for (const path of DOCS) {
  const text = readFileSync(join(PROJECT_ROOT, path), 'utf8')
  const linked = text.replaceAll(/\]\((?:\.\.\/content\/pages\/)?docs-([a-z]+)\.md/g, ']($1.md')
  write(`docs/${basename(path).replace('docs-', '')}`, linked)
}
cpSync(await findRendering(), join(folder, 'layouts'), { recursive: true })
const options = ['--silent', '--pack-destination', dirname(folder)]
const tarball = execFileSync('npm', ['pack', folder, ...options], { encoding: 'utf8' }).trim()
console.log(`Wrote ${relative('', join(dirname(folder), tarball))}`)
