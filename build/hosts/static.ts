import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HEADERS_FILE, REDIRECTS_FILE } from '../../src/api/cdn.ts'
import { POLICIES, isCodedForm } from '../../src/api/policies.ts'
import { skillPath } from '../../src/documents/paths.ts'
import { PROJECT_ROOT, SettingsError } from '../site/settings.ts'
import { bundle } from './bundle.ts'

/** Most skills: with more, a browser would load too much for one search. */
const STATIC_LIMIT = 5_000

const LOSSES = `Lost on a host of files alone: /api/v1/skills and errors as JSON, Markdown chosen by Accept, response headers
(types, caching, CORS), /b and files as pages. Raw files that a browser might run are in the zips only.`

/** Extensions of raw files that no browser runs, whatever type a host sends. */
const INERT =
  /\.(?:md|txt|json|jsonl|ya?ml|toml|csv|tsv|py|sh|bash|zsh|rb|rs|go|java|kt|c|h|cpp|cs|php|pl|lua|r|sql|ts|tsx|jsx|js|mjs|cjs|css|scss|ini|cfg|conf|env|lock|png|jpe?g|gif|webp|avif|ico|pdf|docx|xlsx|pptx|zip|gz|ttf|woff2?)$/i

const SCRIPT = '/_astro/search-here.js'

/** Elsewhere a header; here a meta element of each page, which cannot have `frame-ancestors`. */
const POLICY = POLICIES.html.headers['Content-Security-Policy']!.replace(
  / ?frame-ancestors [^;]*;/,
  '',
)

const adaptPage = (html: string): string =>
  html
    .replace(
      '<head>',
      () => `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    )
    .replace(
      /<script type="module" src="(\/_astro\/Search\.[^"]+)">/,
      (_, then: string) => `<script type="module" src="${SCRIPT}" data-then="${then}">`,
    )

/** The file name of a page on a host that serves only `index.html` for a folder. */
const pageName = (name: string): string =>
  /^(?:index|404)\.html$/.test(name) ? name : name.replace(/\.html$/, '/index.html')

const isRawFile = (name: string): boolean =>
  /^skills\/[^/]+\/./.test(name) && !/^skills\/(?:page\/|[^/]+\/\.well-known\/)/.test(name)

const write = (folder: string, name: string, content: string | Uint8Array): void => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const renderMoved = (slug: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Moved</title><link rel="canonical" href="${skillPath(slug)}"><meta http-equiv="refresh" content="0; url=${skillPath(slug)}"><a href="${skillPath(slug)}">This skill has moved</a>\n`

/** Files that the search in the browser reads. */
const SEARCHED = ['site.json', 'answered.json', 'moves.json', 'search.index']

const SHIM = join(PROJECT_ROOT, 'functions/hosts/browser.ts')

const writeSearch = async (folder: string): Promise<void> => {
  const [script] = await bundle(join(PROJECT_ROOT, 'functions/hosts/static.ts'), {
    name: 'search-here.js',
    alias: { 'node:crypto': SHIM, 'node:zlib': SHIM },
  })
  write(folder, SCRIPT, script!.code)
}

/**
 * Writes a finished build for a static host, where the browser searches. Returns how many raw files were left out, and
 * what such a host cannot do. Throws SettingsError if the site is too large to be searched in a browser.
 */
export const writeStatic = async (
  site: string,
  folder: string,
  skills: number,
): Promise<{ left: number; losses: string }> => {
  if (skills > STATIC_LIMIT)
    throw new SettingsError(
      `--static: the site has ${skills} skills, and a browser searches ${STATIC_LIMIT} at most; the site is built without it`,
    )
  rmSync(folder, { recursive: true, force: true })
  const from = join(site, 'public')
  let left = 0
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(from.length + 1).replaceAll('\\', '/')
    if (name === HEADERS_FILE || name === REDIRECTS_FILE || isCodedForm(`public/${name}`)) continue
    if (isRawFile(name)) {
      // Hosts send a file without an extension with a type that browsers never run.
      if (!INERT.test(name) && /\.[^/]*$/.test(name)) left += 1
      else write(folder, name, readFileSync(path))
    } else if (name.endsWith('.html')) {
      write(folder, pageName(name), adaptPage(readFileSync(path, 'utf8')))
    } else write(folder, name, readFileSync(path))
  }
  for (const name of SEARCHED) {
    mkdirSync(join(folder, 'private'), { recursive: true })
    cpSync(join(site, 'private', name), join(folder, 'private', name))
  }
  const { slugs } = JSON.parse(readFileSync(join(site, 'private/moves.json'), 'utf8')) as {
    slugs: Record<string, string>
  }
  for (const [old, slug] of Object.entries(slugs))
    write(folder, `skills/${old}/index.html`, renderMoved(slug))
  // Without this file GitHub Pages drops names that begin with an underscore.
  write(folder, '.nojekyll', '')
  await writeSearch(folder)
  return { left, losses: LOSSES }
}
