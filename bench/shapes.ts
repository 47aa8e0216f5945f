import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { loadSkill, readSkillMd } from '../src/catalog/skill-folder.ts'
import { writeSkillDocument } from '../src/documents/skill-page.ts'
import { NO_COMPARISON } from '../testing/sample-facts.ts'
import { environmentOf, startHost, stopServer } from './load.ts'
import { readOptions } from './options.ts'

const values = readOptions(
  'Takes long texts of repeated shapes through import, check, build and server, beside good skills.',
  {
    shapes: { type: 'string', default: '200', about: 'texts' },
    seed: { type: 'string', default: '1', about: 'the same seed makes the same texts' },
    seconds: { type: 'string', default: '600', about: 'most that a step may take' },
  },
)
const SECONDS = Number(values.seconds)
const PAGE_LIMIT = 4_000_000
const [LEAST, MOST] = [1_024, 1_048_576]
const GOOD = ['good-one', 'good-two', 'good-three']

let state = Number(values.seed)
/** A number below a limit, of a linear congruential generator. */
const below = (limit: number): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * limit)
}
const pick = (all: readonly string[]): string => all[below(all.length)]!
const repeat = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length))

const SIGNS = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~']
const SPACES = [...' \t\u00A0\u2003\u2028\u2029\u0085\u200B\uFEFF\u3000\f\r']
const LINES = '- a,  - a,1. a,> a,| a | b |,```,~~~sh,# a,,a: b,[a](b)'.split(',')
const STARTS = ['', '# ', '- ', '| ', 'my', '```sh\n']
const YAML = ['{a: ', '[', '{', '"', '- ', '&a ', '\u2028', 'b\n  c: ']
const nest = (mark: string, size: number): string =>
  Array.from({ length: Math.sqrt(size) }, (_, at) => `${mark.repeat(at)}- a`).join('\n')
const tableOf = (size: number): string => {
  const columns = 1 + below(Math.min(5_000, size / 8))
  return `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${repeat('|b|\n', size / 2)}`
}
const BODIES: readonly ((size: number) => string)[] = [
  (size) => pick(STARTS) + repeat(pick(SIGNS), size),
  (size) => pick(STARTS) + repeat(pick(SPACES), size),
  (size) => repeat(pick(SIGNS) + pick(SIGNS) + pick(['', 'a', ' ']), size),
  (size) => repeat(pick(STARTS) + pick(SIGNS).repeat(90) + pick(['\n', '\n\n']), size),
  (size) => repeat(`${pick(LINES)}\n${pick(LINES)}\n`, size),
  (size) => nest(pick(['  ', '> ', '\t']), size),
  tableOf,
]

const folder = mkdtempSync(join(tmpdir(), 'skill-registry-shapes-'))
const source = join(folder, 'source')
const content = join(folder, 'content')
const output = join(folder, 'dist')
const writeSkill = (slug: string, fields: string, body: string): void => {
  mkdirSync(join(source, slug), { recursive: true })
  const front = `name: ${slug}\ndescription: Sorts the books of ${slug}.\nlicense: MIT\n${fields}`
  writeFileSync(join(source, slug, 'SKILL.md'), `---\n${front}---\n${body}\n`)
}
const slugs = Array.from({ length: Number(values.shapes) }, (_, at) => `shape-${at + 1}`)
for (const [at, slug] of slugs.entries()) {
  const size = Math.floor(LEAST * (MOST / LEAST) ** (below(1_000) / 1_000))
  const write = BODIES[at % (BODIES.length + 1)]
  if (write) writeSkill(slug, '', write(size))
  else writeSkill(slug, `x: ${repeat(pick(YAML), size)}\n`, 'Text.')
}
for (const slug of GOOD) writeSkill(slug, '', 'Text.')
mkdirSync(content)
writeFileSync(join(content, 'site.json'), '{"name":"S","tagline":"S","description":"S"}')

const faults: string[] = []
const refuseOver = (what: string, measured: number, limit: number): void => {
  console.log(`${what}: ${measured.toFixed(1)}`)
  if (measured > limit) faults.push(`${what}: ${measured.toFixed(1)}, over ${limit}`)
}
const secondsSince = (started: number): number => (performance.now() - started) / 1_000
const run = (step: string, file: string, ...args: string[]): void => {
  const started = performance.now()
  const env = { ...environmentOf(output), CONTENT_DIR: content }
  spawnSync(process.execPath, [join(PROJECT_ROOT, file), ...args], {
    env,
    timeout: SECONDS * 1_000,
    killSignal: 'SIGKILL',
  })
  refuseOver(`${step}, s`, secondsSince(started), SECONDS - 1)
}
const CATALOG = 'build/catalog/main.ts'
run('import', CATALOG, 'import', source, '--own', '--author', 'bench', '--into', content)
run('check', CATALOG, 'check', content)
run('build', 'build/site/main.ts')

const server = await startHost(output)
const [started, left, sizes, times] = [performance.now(), [] as string[], [0], [0]]
for (const slug of [...slugs, ...GOOD]) {
  const answer = await fetch(`http://localhost:${server.port}/skills/${slug}`)
  sizes.push((await answer.arrayBuffer()).byteLength)
  if (answer.status !== 200) left.push(slug)
}
refuseOver('serve, s', secondsSince(started), SECONDS)
stopServer(server)
for (const slug of [...slugs, ...GOOD].filter((one) => existsSync(join(content, 'skills', one)))) {
  const asked = performance.now()
  const { skill } = loadSkill(content, slug, {})
  const site = { origin: 'https://r.example', isCounted: true }
  if (skill)
    writeSkillDocument({ skill, skillMd: readSkillMd(skill), comparison: NO_COMPARISON, site })
  times.push(secondsSince(asked))
}
refuseOver('slowest skill, read and written alone, s', Math.max(...times), 35)
refuseOver('largest page, bytes', Math.max(...sizes), PAGE_LIMIT)
console.log(`left out: ${left.join(', ') || 'none'}`)
for (const slug of GOOD) if (left.includes(slug)) faults.push(`${slug} is missing`)
rmSync(folder, { recursive: true, force: true })
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
