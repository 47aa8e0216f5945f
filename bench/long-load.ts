import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { CATEGORIES } from '../src/catalog/categories.ts'
import { openRandom } from './big-rows.ts'
import { cpuOf, residentOf, startHost, stopServer } from './load.ts'
import { readOptions } from './options.ts'

const values = readOptions(
  'Sends requests of all kinds to one server, and shows its memory, its descriptors and answers that nobody expects.',
  {
    out: { type: 'string', default: 'dist', about: 'a built site to serve' },
    requests: { type: 'string', default: '500000', about: 'requests in all' },
    rows: { type: 'string', default: '10', about: 'how often memory is looked at' },
    connections: { type: 'string', default: '50', about: 'connections at a time' },
  },
)
const [REQUESTS, ROWS] = [Number(values.requests), Number(values.rows)]
const OUTPUT = resolve(values.out)
const PUBLIC = join(OUTPUT, 'current/public')

const SKILLS = readdirSync(join(PUBLIC, 'skills'))
  .filter((name) => name.endsWith('.html'))
  .map((name) => name.slice(0, -'.html'.length))
/** Skills whose files are passed on. */
const OWN = SKILLS.filter((slug) => existsSync(join(PUBLIC, 'skills', slug, 'SKILL.md')))
const ZIPS = readdirSync(join(PUBLIC, 'api/skills/download'))
const WORDS = SKILLS.flatMap((slug) => slug.split('-')).filter((word) => /^[a-z]{2,}$/.test(word))

type Random = ReturnType<typeof openRandom>

interface Sent {
  path: string
  method?: 'GET' | 'HEAD' | 'POST' | 'DELETE'
  headers?: Record<string, string>
  body?: string
  /** The statuses that it may be answered with. */
  expected: readonly number[]
}

const pick = <Value>(list: readonly Value[], random: Random): Value => list[random(list.length)]!

const repeat = (text: string, length: number): string =>
  text
    .repeat(Math.ceil(length / text.length))
    .slice(0, length)
    .toWellFormed()

/** Queries that are long, that look like code or patterns, or that no keyboard has. */
const HOSTILE: readonly ((random: Random) => string)[] = [
  (random) => repeat(`${pick(WORDS, random)} `, random(12_000)),
  (random) => Array.from({ length: random(400) }, () => pick(WORDS, random)).join(' '),
  (random) =>
    repeat(pick(['a', '"', '-', '*', '(', '\\', '%', '🙂', '語', 'İ'], random), random(1_500)),
  (random) => `(${repeat('a+', random(60))})+$`,
  () => "' OR 1=1; DROP TABLE skills; --",
  () => '__proto__ constructor toString hasOwnProperty',
  () => '../../../../etc/passwd',
  () => '<script>alert(1)</script>"\'`',
  (random) => String.fromCodePoint(...Array.from({ length: 60 }, () => 0x300 + random(0x2000))),
  () => '\u202eevil\u202c \u200b\u200d\ufeff ﷺ ﬃ Å ñ',
  (random) => Array.from(pick(WORDS, random)).join('\u0301'),
]

const REFUSED = ['?limit=0', '?limit=-1', '?sort=best', '?cat=None', '?q=%FF', '?q=a%0Ab']

const get = (path: string, headers: Record<string, string> = {}): Sent => ({
  path,
  headers,
  expected: [200],
})

const callTool = (name: string, given: object): Sent => ({
  path: '/mcp',
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: given },
  }),
  expected: [200],
})

const etags = new Map<string, string>()
const queryOf = (random: Random): string =>
  encodeURIComponent(Array.from({ length: 1 + random(3) }, () => pick(WORDS, random)).join(' '))

/** Every kind of request. */
const KINDS: Record<string, (random: Random) => Sent> = {
  page: (random) => get(`/skills/${pick(SKILLS, random)}`),
  'page in brotli': (random) =>
    get(`/skills/${pick(SKILLS, random)}`, { 'accept-encoding': 'br, gzip' }),
  twin: (random) => get(`/skills/${pick(SKILLS, random)}.md`),
  negotiated: (random) => get(`/skills/${pick(SKILLS, random)}`, { accept: 'text/markdown' }),
  zip: (random) => get(`/api/skills/download/${pick(ZIPS, random)}`),
  'HEAD of a zip': (random) => ({
    ...get(`/api/skills/download/${pick(ZIPS, random)}`),
    method: 'HEAD',
  }),
  range: (random) => ({
    ...get(`/api/skills/download/${pick(ZIPS, random)}`, {
      range: `bytes=${random(50)}-${60 + random(40)}`,
    }),
    expected: [206],
  }),
  'range past the end': (random) => ({
    ...get(`/skills/${pick(OWN, random)}/SKILL.md`, { range: 'bytes=999999999-' }),
    expected: [416],
  }),
  conditional: (random) => {
    const path = `/skills/${pick(SKILLS, random)}`
    const etag = etags.get(path)
    return etag === undefined
      ? get(path)
      : { ...get(path, { 'if-none-match': etag }), expected: [304] }
  },
  listing: (random) =>
    get(
      `/api/v1/skills?limit=${1 + random(120)}&offset=${random(2_000)}&cat=${encodeURIComponent(pick(CATEGORIES, random))}`,
    ),
  query: (random) => get(`/api/v1/skills?q=${queryOf(random)}`),
  'hostile query': (random) => ({
    ...get(`/api/v1/skills?q=${encodeURIComponent(pick(HOSTILE, random)(random))}`),
    expected: [200, 400, 414, 431],
  }),
  'hostile results page': (random) => ({
    ...get(`/skills?q=${encodeURIComponent(pick(HOSTILE, random)(random))}`),
    expected: [200, 400, 414, 431],
  }),
  'results page': (random) => get(`/skills?q=${queryOf(random)}`),
  'results twin': (random) => get(`/skills.md?q=${queryOf(random)}`),
  'client search': (random) => get(`/api/search?q=${queryOf(random)}`),
  // Not every skill can be installed by such a line.
  bundle: (random) => ({
    ...get(`/b/${OWN[random(OWN.length - 1)]}+${OWN.at(-1)}`),
    expected: [200, 404],
  }),
  // 404 for files over 64 KiB, which have no page.
  'file as a page': (random) => ({
    ...get(`/files/${pick(OWN, random)}/SKILL.md/view`),
    expected: [200, 404],
  }),
  'MCP search': (random) => callTool('search_skills', { query: pick(WORDS, random) }),
  'MCP skill': (random) => callTool('get_skill', { slug: pick(OWN, random) }),
  'bad parameter': (random) => ({
    ...get(`/api/v1/skills${pick(REFUSED, random)}`),
    expected: [400],
  }),
  missing: (random) => ({ ...get(`/skills/no-${random(1_000_000)}`), expected: [404] }),
  'bad method': () => ({ ...get('/skills'), method: 'DELETE', expected: [405] }),
  'bad escape': () => ({ ...get('/skills/%zz'), expected: [404] }),
}

/** Kinds that readers send most are sent five times as often as the others. */
const USUAL = new Set([
  'page',
  'page in brotli',
  'twin',
  'zip',
  'conditional',
  'negotiated',
  'query',
])
const TURNS = Object.entries(KINDS).flatMap((kind) =>
  Array.from({ length: USUAL.has(kind[0]) ? 5 : 1 }, () => kind),
)

const countDescriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

const main = async (): Promise<void> => {
  const server = await startHost(OUTPUT)
  const { pid, port } = server
  const faults = new Map<string, number>()
  let sent = 0
  const ask = async (pool: Pool, at: number): Promise<void> => {
    const random = openRandom(at)
    const [kind, make] = TURNS[at % TURNS.length]!
    const { path, method = 'GET', headers, body, expected } = make(random)
    const given = { path, method, ...(headers && { headers }), ...(body !== undefined && { body }) }
    try {
      const answer = await pool.request(given)
      const { etag } = answer.headers
      if (kind === 'page' && typeof etag === 'string') etags.set(path, etag)
      const { length } = await answer.body.bytes()
      const isRight =
        expected.includes(answer.statusCode) &&
        (length > 0 || method === 'HEAD' || expected.includes(304))
      if (!isRight) count(`${kind}: ${answer.statusCode} ${path.slice(0, 80)}`)
    } catch (error) {
      count(`${kind}: ${String(error)}`)
    }
  }
  const count = (fault: string): void => void faults.set(fault, (faults.get(fault) ?? 0) + 1)
  /** Sends requests until there were so many, then closes every connection. */
  const sendUntil = async (most: number): Promise<void> => {
    const connections = Number(values.connections)
    const pool = new Pool(`http://localhost:${port}`, { connections })
    const work = async (): Promise<void> => {
      for (let at = sent++; at < most; at = sent++) await ask(pool, at)
    }
    await Promise.all(Array.from({ length: connections }, work))
    sent = most
    await pool.destroy()
    await wait(500)
  }
  console.log('| requests | answers a CPU second | MiB | descriptors |\n| --- | --- | --- | --- |')
  const started = Math.round(residentOf(pid))
  console.log(`| 0 | | ${started} | ${countDescriptors(pid)} |`)
  // The first thousand requests trigger lazy loading.
  const targets = [1_000, ...Array.from({ length: ROWS }, (_, at) => (REQUESTS * (at + 1)) / ROWS)]
  const descriptors = new Set<number>()
  try {
    for (const target of targets) {
      const [before, cpu] = [sent, cpuOf(pid)]
      await sendUntil(target)
      const rate = Math.round((sent - before) / (cpuOf(pid) - cpu))
      descriptors.add(countDescriptors(pid))
      console.log(
        `| ${sent} | ${rate} | ${Math.round(residentOf(pid))} | ${countDescriptors(pid)} |`,
      )
    }
  } finally {
    stopServer(server)
  }
  for (const [fault, times] of [...faults].slice(0, 20)) console.log(`${times} times ${fault}`)
  console.log(`${faults.size} unexpected answers`)
  if (faults.size > 0 || descriptors.size > 1) process.exitCode = 1
}

await main()
