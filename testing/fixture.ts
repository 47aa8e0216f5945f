import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DISCOVERY_PATH, makeEntry, renderDiscovery } from '../src/api/discovery.ts'
import { describeApi } from '../src/api/openapi.ts'
import { packFacets } from '../src/catalog/facets.ts'
import { CATEGORIES } from '../src/catalog/categories.ts'
import { DOWNLOADS_NAME, writeDownloads } from '../src/catalog/downloads.ts'
import type { ListedSkill, Skill } from '../src/catalog/skill.ts'
import { ON_REQUEST_KINDS } from '../src/documents/on-request/page.ts'
import type { ListedVersion } from '../src/documents/on-request/version.ts'
import { renderRobots } from '../src/documents/feeds/llms.ts'
import { PLACEHOLDERS, compileTemplate } from '../src/documents/template.ts'
import { openShippedVectors } from '../src/search/vector-file.ts'
import { packIndex } from '../src/search/pack/pack.ts'
import { SITE_VALUES } from './sample-site.ts'
import { NO_FACTS } from './sample-documents.ts'

/** Origin of the fixture. It differs from all test servers, so that tests notice an address made from `Host`. */
export const ORIGIN = 'https://skills.example'

/** Files of a finished build by name, small enough to read and large enough to be compressed. */
export type Files = Record<string, string | Uint8Array>

const COUNT = 130

const skillOf = (id: number): ListedSkill => ({
  id,
  slug: id === 12 ? 'csv-clean' : `skill-${id}`,
  name: id === 12 ? 'csv-clean' : `Skill ${id}`,
  author: id % 2 ? 'octo' : 'hex',
  description: `Does the thing number ${id}${id === 12 ? ': cleans csv files' : ''}.`,
  category: CATEGORIES[id % CATEGORIES.length] ?? 'Coding',
  views: id * 3,
  installs: id % 40,
  ...(id % 5 === 0 ? {} : { sourceUrl: `https://git.example/skills/${id}` }),
})

/** The listed skills of the fixture, by id. */
export const SKILLS = Array.from({ length: COUNT }, (_, index) => skillOf(index + 1))

/** The listed skills as the search indexes them. */
export const DOCUMENTS = SKILLS.map((listed) => ({
  listed,
  description: listed.description,
  body: '',
  facts: NO_FACTS,
  facets: packFacets(NO_FACTS),
  vector: openShippedVectors().ofSkill(listed),
}))

/** Incompressible bytes that are not text. */
const noise = (seed: string, length: number): Uint8Array =>
  Buffer.concat(
    Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
      createHash('sha256').update(`${seed}${at}`).digest(),
    ),
  ).subarray(0, length)

/** The zips of the fixture: a small one, one that is streamed, and one of a skill whose source is gone. */
export const ZIPS: Record<number, { slug: string; bytes: Uint8Array }> = {
  12: { slug: 'csv-clean', bytes: noise('12', 5_000) },
  13: { slug: 'skill-13', bytes: noise('13', 700_000) },
  900: { slug: 'gone', bytes: noise('900', 300) },
}

const PAGES = [
  'index',
  'skills',
  'skills/page/2',
  'skills/csv-clean',
  'skills/gone',
  'skills/csv-bad',
  'categories',
  'categories/data-and-analytics',
  'categories/data-and-analytics/page/2',
  'authors',
  'authors/octo',
  'authors/octo/page/2',
  'authors/page',
  'authors/page/2',
  'authors/page/page/2',
  'blog',
  'blog/hello',
  'docs',
  'docs/api',
  'docs/safety',
  'about',
  '404',
]

const writePage = (page: string, edition: string): Files => ({
  [`public/${page}.html`]: `<!doctype html><title>${page} ${edition}</title>${'<p>text</p>'.repeat(200)}\n`,
  [`public/${page}.md`]: `# ${page} ${edition}\n\n${'text '.repeat(400)}\n`,
})

/** A minimal template. */
const writeOnRequest = (): string => {
  const { head, lead, search, body, pager } = PLACEHOLDERS
  const template = compileTemplate(
    `<!doctype html>${head}<p>${lead}</p>${search}${body}${pager}`,
    SITE_VALUES,
  )
  return JSON.stringify({
    siteName: 'Fixture',
    navigation: [],
    choices: { isCounted: true, isDated: true, categories: CATEGORIES },
    templates: Object.fromEntries(ON_REQUEST_KINDS.map((kind) => [kind, template])),
  })
}

const digest = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** The raw SKILL.md. Its byte order mark and CRLF must be kept. */
export const RAW_SKILL_MD = '\uFEFF---\r\nname: csv-clean\r\n---\r\n# CSV clean\r\n'

const SKILL_FILES: Files = {
  'SKILL.md': RAW_SKILL_MD,
  'references/notes.md': '# Notes\n',
  'references/page.html': '<script>alert(1)</script>\n',
  'references/two words & more.txt': 'plain\n',
  'scripts/run.py': `print("${'é'.repeat(5_000)}")\n`,
  'assets/logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
  LICENSE: 'MIT\n',
  'empty.txt': '',
  'odd/view': 'called view\n',
  'odd/view.md': 'called view.md\n',
  'odd/longest.txt': `${'x'.repeat(63)}\n`.repeat(1024),
  'odd/long.txt': `${'x'.repeat(63)}\n`.repeat(1025),
}

const FINDINGS = [
  ['SKILL.md', []],
  [
    'scripts/run.py',
    [{ line: 1, rule: 'reverse-shell', label: 'High', isSevere: true, says: 'opens a shell' }],
  ],
]

/** The indexes of the skills that clients can install. */
const writeIndexes = (): Files =>
  Object.fromEntries(
    [12, 13].map((id) => {
      const listed = skillOf(id)
      const { bytes } = ZIPS[id]!
      const files = Object.entries(id === 12 ? SKILL_FILES : {}).map(([path, content]) => ({
        path,
        size: Buffer.from(content as string).length,
        sha256: digest(content),
      }))
      const dated = id === 12 ? { updated: '2026-02-03', licence: 'MIT' } : {}
      const skill = {
        ...listed,
        safety: 'No findings',
        tokens: 1_200,
        ...dated,
      } as unknown as Skill
      const entry = makeEntry(skill, { size: bytes.length, sha256: digest(bytes) }, files)
      return [`public/skills/${listed.slug}${DISCOVERY_PATH}`, renderDiscovery([entry])]
    }),
  )

/** Names of the fixture's versions: one is served, the others are not. */
export const VERSIONS = {
  served: 'a'.repeat(32),
  old: 'b'.repeat(32),
  withheld: 'c'.repeat(32),
  withdrawn: 'e'.repeat(32),
}

const listVersions = (slug: string, versions: readonly ListedVersion[]): Files => ({
  [`public/skills/${slug}@versions.json`]: `${JSON.stringify({ slug, page: `${ORIGIN}/skills/${slug}`, versions })}\n`,
})

/** The versions of a skill, and of a withdrawn and a retired skill. */
const writeVersions = (): Files => {
  const { served, old, withheld, withdrawn } = VERSIONS
  const source = 'https://git.example/skills/12'
  return {
    ...writePage(`skills/csv-clean@${served}`, 'one'),
    [`public/skills/csv-clean@${served}.zip`]: ZIPS[12]!.bytes,
    [`public/skills/csv-clean@${served}${DISCOVERY_PATH}`]: renderDiscovery([]),
    ...listVersions('csv-clean', [
      { name: served, day: '2026-02-03' },
      { name: withheld, reason: 'Today’s scan rules block it: reverse-shell in SKILL.md, line 5.' },
      { name: withdrawn, advisory: 'A-2', reason: 'It was withdrawn (A-2): It forgot a step.' },
      { name: old, day: '2025-02-03', reason: 'It is no longer kept.', source },
    ]),
    ...listVersions('csv-bad', [
      { name: old, advisory: 'A-1', reason: 'It was withdrawn (A-1): It sent files away.' },
    ]),
    'public/advisories.json': '[{"id":"A-1"}]\n',
    ...listVersions('csv-purge', [
      { name: old, reason: 'The skill was removed from the catalog.' },
    ]),
    'public/versions.ndjson': `${JSON.stringify({ slug: 'csv-clean', name: served })}\n`,
  }
}

/** Files that list skills for clients. */
const LISTS = [
  '.well-known/agent-skills/index.json',
  'categories/data-and-analytics/.well-known/agent-skills/index.json',
  'categories/data-and-analytics/marketplace.json',
  'authors/octo/.well-known/agent-skills/index.json',
]

const MOVED = [
  { slug: 'csv-tidy', id: 12, to: { slug: 'csv-clean', id: 12 } },
  { slug: 'csv-old', id: 899, to: { slug: 'csv-clean', id: 12 } },
]

/** Makes the files of a build. The pages differ by `edition`. */
export const writeFixture = (edition = 'one', isPrivate?: boolean): Files => ({
  ...Object.assign({}, ...PAGES.map((page) => writePage(page, edition))),
  ...Object.fromEntries(
    Object.entries(SKILL_FILES).map(([name, content]) => [
      `public/skills/csv-clean/${name}`,
      content,
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(ZIPS).map(([id, { bytes }]) => [`public/api/skills/download/${id}`, bytes]),
  ),
  ...writeIndexes(),
  'private/files/csv-clean/.odd/ci.yml': 'on: push\n',
  'public/skills/csv-clean.json': `${JSON.stringify({ ...SKILLS[11], licence: 'MIT', tokens: 900, safety: 'No findings', zip: { size: 5_000 }, install: {} })}\n`,
  'public/openapi.json': JSON.stringify(
    describeApi({ name: 'Fixture', description: 'A fixture.', origin: ORIGIN, isPrivate }),
  ),
  'public/llms.txt': '# Fixture\n',
  'public/robots.txt': renderRobots(ORIGIN, isPrivate),
  'public/sitemap.xml': '<?xml version="1.0"?><urlset/>\n',
  'public/sitemap-1.xml': '<?xml version="1.0"?><urlset/>\n',
  'public/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
  'public/_astro/site.Ab12Cd.css': 'body{margin:0}\n',
  ...Object.fromEntries(LISTS.map((name) => [`public/${name}`, '{"skills":[]}\n'])),
  'public/feed.atom': '<feed xmlns="http://www.w3.org/2005/Atom"/>\n',
  'public/categories/data-and-analytics/feed.atom': '<feed xmlns="http://www.w3.org/2005/Atom"/>\n',
  'public/catalog.ndjson': SKILLS.map(({ id, slug }) => `${JSON.stringify({ id, slug })}\n`).join(
    '',
  ),
  'public/sha256sums.txt': `${'a'.repeat(64)}  csv-clean.zip\n`,
  'private/site.json': JSON.stringify({ origin: ORIGIN, isPrivate }),
  'private/answered.json': writeOnRequest(),
  [DOWNLOADS_NAME]: writeDownloads(
    Object.entries(ZIPS).map(([id, { slug, bytes }]) => ({
      id: Number(id),
      slug,
      sha256: digest(bytes),
    })),
  ),
  ...writeVersions(),
  'private/paged/csv-clean.json': JSON.stringify(FINDINGS),
  'private/moves.json': JSON.stringify({
    slugs: Object.fromEntries(MOVED.map(({ slug, to }) => [slug, to.slug])),
    ids: { 899: 12 },
    removed: { 'csv-purge': 'Its author asked for it.' },
    withdrawn: { 'csv-bad': { id: 901, summary: 'It sent files away.' } },
  }),
  'private/search.index': packIndex(DOCUMENTS, {}),
})

/** Writes a build to disk like the builder, and makes it the current build in one step. */
export const publishFixture = (outDir: string, name: string, files = writeFixture(name)): void => {
  const folder = join(outDir, 'generations', name)
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  const beside = join(outDir, `current.${name}`)
  symlinkSync(join('generations', name), beside)
  renameSync(beside, join(outDir, 'current'))
}
