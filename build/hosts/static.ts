import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { POLICIES } from '../../src/api/policies.ts'
import { printOnRequest } from '../../src/documents/on-request/page.ts'
import type { OnRequestSite } from '../../src/documents/on-request/page.ts'
import { canHaveAddresses, addBasePath } from '../../src/documents/base-path.ts'
import { writeUnserved } from '../../src/documents/on-request/version.ts'
import type { VersionList } from '../../src/documents/on-request/version.ts'
import { basePath, skillPath, versionPath } from '../../src/documents/paths.ts'
import { SettingsError } from '../site/settings.ts'
import { listFilesBelow, openUmask } from '../machine/folders.ts'
import { bundleHost } from './bundle.ts'
import { renderHeadersFile, renderRedirectsFile } from './static-rules.ts'
import type { Moves } from './static-rules.ts'

/** Maximum number of skills. With more, a browser would have to load too much for a search. */
const STATIC_LIMIT = 5_000

/** Throws SettingsError if a catalog is too large for the search in a browser. */
export const checkSize = (skills: number): void => {
  if (skills > STATIC_LIMIT)
    throw new SettingsError(
      `--static: the catalog has ${skills} skills, but a browser can search at most ${STATIC_LIMIT}; build without --static`,
    )
}

const LIMITATIONS = `Not available on a static host: /api except the zips, /mcp, Markdown chosen by Accept, and pages for files. If the host
ignores _headers and _redirects, content types, caching and CORS do not work either. The site does not mention these features.
Raw files that are left out are only in the zips.`

const LIMITATIONS_BELOW = `
Not available below a path: robots.txt and /.well-known, which belong to the host, and _headers and _redirects, which hosts only
read at their root. Clients find the indexes of skills below the path.`

/** Also applies to GitHub Pages, where the workflow of `init` publishes. */
const OPEN_TO_ALL = `
The registry is private, but files require no login: everybody who can reach this host can read them. Put a login in front of it.`

/**
 * Extensions of raw files that no host or browser executes, and no host reads as settings, whatever content type is
 * sent. Some are words inside a name, as in `a.example.json`: Apache looks at every extension of a name, and other
 * hosts at the extensions of folders.
 */
const INERT = new Set(
  `md txt json jsonl yaml yml toml csv tsv py sh bash zsh rb rs go java kt c h cpp cs r sql ts tsx jsx js mjs cjs css scss ini cfg
  conf env lock png jpg jpeg gif webp avif ico pdf docx xlsx pptx zip gz ttf woff woff2 d example notes spec template test`.split(
    /\s+/,
  ),
)

const isInert = (ending: string): boolean => INERT.has(ending.toLowerCase()) || /^\d/.test(ending)

const SCRIPT = '/_astro/search-here.js'

/** The policy for a meta element in each page instead of a header. The element does not support `frame-ancestors`. */
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
      /<script type="module" src="(\/_astro\/Page\.[^"]+)">/,
      (_, script: string) => `<script type="module" src="${SCRIPT}" data-then="${script}">`,
    )

/** The file name of a page on a host that serves only `index.html` for a folder. */
const folderPageName = (name: string): string =>
  /^(?:index|404)\.html$/.test(name) ? name : name.replace(/\.html$/, '/index.html')

const isRawFile = (name: string): boolean =>
  /^skills\/[^/]+\/./.test(name) && !/^skills\/(?:page\/|[^/]+\/\.well-known\/)/.test(name)

/** Whether a raw file is published. Hosts run any file in a `cgi-bin` folder, whatever its name. */
const isPublished = (name: string): boolean =>
  name.split('/').every((part) => part !== 'cgi-bin' && part.split('.').slice(1).every(isInert))

/** Writes a file of a host's output, and its folders. */
export const writeOutput = (folder: string, name: string, content: string | Uint8Array): void => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const readPrivate = <Value>(site: string, name: string): Value =>
  JSON.parse(readFileSync(join(site, 'private', name), 'utf8')) as Value

const renderMoved = (path: string): string =>
  `<!doctype html><meta charset="utf-8"><title>Moved</title><link rel="canonical" href="${path}"><meta http-equiv="refresh" content="0; url=${path}"><a href="${path}">This skill has moved</a>\n`

/** Prints pages for versions of a skill that are not served, by file name. A server sends the same text with 410. */
const printUnserved = (site: string, list: VersionList): [name: string, page: string][] => {
  const unserved = list.versions.filter(({ reason }) => reason !== undefined)
  if (unserved.length === 0) return []
  const answered = readPrivate<OnRequestSite>(site, 'answered.json')
  const { origin } = readPrivate<{ origin: string }>(site, 'site.json')
  return unserved.flatMap((version): [string, string][] => {
    if (version.name === undefined) return []
    const path = versionPath(list.slug, version.name).slice(1)
    const document = writeUnserved(answered.siteName, list, version)
    const print = (form: 'html' | 'markdown') => printOnRequest(document, form, origin, answered)
    return [
      [`${path}/index.html`, adaptPage(print('html'))],
      [`${path}.md`, print('markdown')],
    ]
  })
}

/** Prints pages that redirect from a former slug of a skill to its versions, by file name. */
const printMoved = (former: string, { slug, versions }: VersionList): [string, string][] =>
  versions.flatMap(({ name }) =>
    name === undefined
      ? []
      : [
          [
            `${versionPath(former, name).slice(1)}/index.html`,
            renderMoved(versionPath(slug, name)),
          ],
        ],
  )

const renderLeftOut = (slug: string): string =>
  `<!doctype html><meta charset="utf-8"><meta name="robots" content="noindex"><title>In the zip</title><a href="${skillPath(slug)}">This file is only in the zip of its skill</a>\n`

/** Files in `private/` that the search in the browser reads. */
const SEARCHED = ['site.json', 'answered.json', 'moves.json', 'search.index']

/**
 * Writes a finished build for a static host, where search runs in the browser. Returns the raw files that were left out
 * because something might execute them, and a description of what such a host cannot do.
 */
export const writeStatic = async (
  site: string,
  folder: string,
): Promise<{ leftOut: string[]; limitations: string }> => {
  rmSync(folder, { recursive: true, force: true })
  const from = join(site, 'public')
  const { origin, isPrivate } = readPrivate<{ origin: string; isPrivate?: boolean }>(
    site,
    'site.json',
  )
  using _ = isPrivate ? undefined : openUmask()
  const base = basePath(origin)
  const save = (name: string, text: string): void =>
    writeOutput(folder, name, addBasePath(base, name, text))
  const leftOut: string[] = []
  const pages: string[] = []
  const lists: VersionList[] = []
  for (const name of listFilesBelow(from)) {
    const path = join(from, name)
    if (isRawFile(name)) {
      const [, slug = '', ...inside] = name.split('/')
      if (isPublished(inside.join('/'))) writeOutput(folder, name, readFileSync(path))
      else {
        leftOut.push(name)
        // The page of the skill has the same file name.
        const isTaken = name.toLowerCase() === `skills/${slug}/index.html`
        if (!isTaken) save(`${name}/index.html`, renderLeftOut(slug))
      }
    } else if (name.endsWith('.html')) {
      save(folderPageName(name), adaptPage(readFileSync(path, 'utf8')))
      if (/^(?!index\.|404\.)[^/]+$/.test(name)) pages.push(`/${name.replace(/\.html$/, '')}`)
    } else if (canHaveAddresses(name)) save(name, readFileSync(path, 'utf8'))
    else writeOutput(folder, name, readFileSync(path))
    if (/^skills\/[^/]+@versions\.json$/.test(name))
      lists.push(JSON.parse(readFileSync(path, 'utf8')) as VersionList)
  }
  for (const name of SEARCHED) {
    mkdirSync(join(folder, 'private'), { recursive: true })
    cpSync(join(site, 'private', name), join(folder, 'private', name))
  }
  const moves = readPrivate<Moves>(site, 'moves.json')
  for (const list of lists) for (const [name, page] of printUnserved(site, list)) save(name, page)
  for (const [old, slug] of Object.entries(moves.slugs)) {
    save(`skills/${old}/index.html`, renderMoved(skillPath(slug)))
    const list = lists.find((other) => other.slug === slug)
    for (const [name, page] of list ? printMoved(old, list) : []) save(name, page)
  }
  if (base === '') {
    writeOutput(folder, '_headers', renderHeadersFile(pages.toSorted(), isPrivate))
    writeOutput(folder, '_redirects', renderRedirectsFile(moves))
  }
  // Without this file, GitHub Pages drops files whose names start with an underscore.
  writeOutput(folder, '.nojekyll', '')
  const [script] = await bundleHost('static')
  writeOutput(folder, SCRIPT, script!.code)
  const limitations = [
    LIMITATIONS,
    base === '' ? '' : LIMITATIONS_BELOW,
    isPrivate ? OPEN_TO_ALL : '',
  ]
  return { leftOut, limitations: limitations.join('') }
}
