import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareRecords, makeRow, nameOf } from './record-rows.ts'
import type { RecordedRequest, RecordedAnswer } from './record-rows.ts'

const USAGE = `Usage: npm run record -- <http origin> --to <file> [--bodies <folder>] [--tenth] [--also <file>]
       npm run record -- --compare <file> <file>

  --to       writes each request and its answer; sites to compare must be built with the same SITE_URL
  --bodies   saves the bodies of GET as well
  --tenth    asks for every tenth skill, by a hash of its slug
  --also     also asks what an earlier record asked
  --compare  prints what differs, by kind of address; exits with 1 if anything does`

/** What every site is asked, good and bad: a method, a prefix, and what follows it. */
const REQUESTS = join(import.meta.dirname, 'record-requests.txt')

const INDEX = '/.well-known/agent-skills/index.json'

/** Where links are in an answer, by its type. */
const LINKS: Record<string, RegExp> = {
  'text/html': /<[a-z][^<>]*\s(?:href=|src=|content=(?="http))"([^"#]+)/g,
  'application/xml': /<loc>([^<]+)/g,
  'text/plain': /\]\(([^)\s]+)/g,
}

interface Skill {
  id: number
  slug: string
}

const readLines = <Line>(text: string): Line[] =>
  Array.from(text.matchAll(/.+/g), ([line]) => JSON.parse(line) as Line)

const readRecord = (file: string): RecordedAnswer[] => readLines(readFileSync(file, 'utf8'))

const ask = async (
  origin: string,
  asked: RecordedRequest,
): Promise<{ row: RecordedAnswer; body: Buffer }> => {
  const { hostname, port } = new URL(origin)
  const { method, path, accept } = asked
  const headers = accept === undefined ? {} : { accept }
  // `fetch` would change the path.
  const sent = request({ hostname, port, method, path, headers, agent: false }).end()
  const [incoming] = (await once(sent, 'response')) as [IncomingMessage]
  const body = Buffer.concat((await incoming.toArray()) as Buffer[])
  return { row: makeRow(asked, incoming.statusCode ?? 0, incoming.headers, body), body }
}

/** Tells which addresses to ask: those of every tenth skill, and all that belong to none. */
const chooseTenth = (skills: readonly Skill[]) => {
  const left = skills.filter(({ slug }) => parseInt(hash('sha256', slug).slice(0, 8), 16) % 10)
  const names = new Set(left.flatMap(({ id, slug }) => [String(id), slug]))
  const owner = /^\/(?:skills|files|b|previews\/skills|api\/skills\/download)\/([^/?.@+]+)/
  return (path: string): boolean => !names.has(owner.exec(path)?.[1] ?? '')
}

const listOfSkill = ({ id, slug }: Skill): string[] => {
  const own = [`/skills/${slug}`, `/skills/${slug}.md`, `/skills/${slug}/SKILL.md`]
  own.push(`/api/skills/download/${id}`)
  const scopes = [...own, `/skills/${slug}@${slug}`].map((scope) => scope + INDEX)
  return [...own, ...scopes, `/skills/${slug}.json`]
}

const listOfPage = (path: string): string[] => {
  const own = /^\/(?:categories|authors)\/[^/?]+$/.test(path) ? [path + INDEX] : []
  if (path.startsWith('/categories/') && own[0]) own.push(`${path}/marketplace.json`)
  return [path === '/' ? '/index.md' : path.replace(/(?=\?|$)/, '.md'), ...own]
}

const record = async (origin: string): Promise<RecordedAnswer[]> => {
  const get = async (path: string) => (await ask(origin, { method: 'GET', path })).body.toString()
  const skills = readLines<Skill>(await get('/catalog.ndjson'))
  // What addresses begin with may be another origin than the one that answers.
  const site = new URL(/^Sitemap: (\S+)/m.exec(await get('/robots.txt'))?.[1] ?? origin).origin
  const isAsked = values.tenth ? chooseTenth(skills) : () => true
  const queue: RecordedRequest[] = []
  const seen = new Set<string>()
  const add = (asked: RecordedRequest): void => {
    const name = nameOf(asked)
    if (!seen.has(name)) queue.push(asked)
    seen.add(name)
  }
  const addPath = (path: string): void => {
    if (isAsked(path)) add({ method: 'GET', path })
  }
  for (const line of readFileSync(REQUESTS, 'utf8').trim().split('\n')) {
    const [method = '', prefix = '', ...rests] = line.split(' ')
    for (const rest of ['', ...rests]) add({ method, path: prefix + rest })
  }
  for (const path of skills.flatMap(listOfSkill)) addPath(path)
  for (const { method, path, accept } of values.also === undefined ? [] : readRecord(values.also))
    add({ method, path, ...(accept === undefined ? {} : { accept }) })
  const follow = (path: string, type: string, body: Buffer): void => {
    const paths = type === 'text/html' ? listOfPage(path) : []
    if (type === 'text/html') add({ method: 'GET', path, accept: 'text/markdown' })
    // Searches lead everywhere, and links in strangers' files are not ours.
    const isFollowed = !path.includes('?') && !/^\/skills\/[^/]+\//.test(path)
    for (const [, link = ''] of isFollowed ? body.toString().matchAll(LINKS[type] ?? /$^/g) : []) {
      const to = URL.parse(link.replaceAll('&amp;', '&'), site + path)
      if (to?.origin === site) paths.push(to.pathname + to.search)
    }
    for (const one of paths) addPath(one)
  }
  const rows: RecordedAnswer[] = []
  const visit = async (asked: RecordedRequest): Promise<void> => {
    const { row, body } = await ask(origin, asked)
    rows.push(row)
    if (asked.method !== 'GET') return
    const file = nameOf(asked).slice('GET /'.length, 200).replaceAll('/', '~')
    if (values.bodies !== undefined) writeFileSync(join(values.bodies, `~${file}`), body)
    const [type = ''] = (row.headers['content-type'] ?? '').split(';')
    if (row.status === 200 && asked.accept === undefined) follow(asked.path, type, body)
  }
  while (queue.length > 0) await Promise.all(queue.splice(0, 8).map(visit))
  return rows.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string' },
    bodies: { type: 'string' },
    also: { type: 'string' },
    tenth: { type: 'boolean' },
    compare: { type: 'boolean' },
  },
})
const [first = '', second = ''] = positionals
if (values.compare && second !== '') {
  const differences = compareRecords(readRecord(first), readRecord(second))
  console.log(differences.join('\n'))
  process.exitCode = differences.length > 0 ? 1 : 0
} else if (values.to !== undefined && first.startsWith('http:')) {
  if (values.bodies !== undefined) mkdirSync(values.bodies, { recursive: true })
  const rows = await record(first)
  writeFileSync(values.to, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  console.log(`${rows.length} answers in ${values.to}`)
} else {
  console.error(USAGE)
  process.exitCode = 2
}
