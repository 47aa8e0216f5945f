import JSZip from 'jszip'
import { packZip } from '../build/site/zip.ts'
import { readBodies } from './build-content.ts'
import { findMissing } from './installed.ts'
import { readOptions } from './options.ts'

const DAY = '2026-01-01'
const ROUNDS = 5
const MICROSECONDS = 1_000_000
const LARGEST = 16_000

/** Makes a zip of one SKILL.md. */
export type ZipWriter = (bytes: Buffer) => Promise<Uint8Array> | Uint8Array

const WRITERS: Readonly<Record<string, ZipWriter>> = {
  jszip: (bytes) =>
    new JSZip()
      .file('SKILL.md', bytes, { date: new Date(DAY) })
      .generateAsync({ type: 'uint8array', compression: 'DEFLATE' }),
  'node:zlib with our headers': (bytes) => packZip([{ path: 'SKILL.md', bytes }], DAY),
}

/** A path that the type check of the root does not follow: what it imports is in bench/package.json. */
const PEERS: string = './zip-peers.ts'

const listWriters = async (): Promise<Readonly<Record<string, ZipWriter>>> => {
  const missing = ['fflate', 'yazl'].flatMap((name) => findMissing(name) ?? [])
  for (const reason of missing) console.error(reason)
  if (missing.length > 0) return WRITERS
  const { PEER_WRITERS } = (await import(PEERS)) as { PEER_WRITERS: typeof WRITERS }
  return { ...WRITERS, ...PEER_WRITERS }
}

const values = readOptions(
  'Measures the writers of zips on the path that runs once a skill: one SKILL.md in, the bytes of a zip out.',
  { bodies: { type: 'string', required: true, about: 'folder with texts of skills' } },
)

const main = async (): Promise<void> => {
  const bodies = readBodies(values.bodies)
    .filter(({ length }) => length <= LARGEST)
    .map((body) => Buffer.from(body))
  const writers = Object.entries(await listWriters())
  const costs = new Map<string, { cpu: number; size: number }>()
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, write] of writers) {
      const before = process.cpuUsage()
      let size = 0
      for (const body of bodies) size += (await write(body)).length
      const { user, system } = process.cpuUsage(before)
      const known = costs.get(name)?.cpu ?? 0
      // The first round warms up.
      costs.set(name, { cpu: round === 0 ? 0 : known + user + system, size })
    }
  }
  console.log('| writer | zips a CPU second | bytes of all |\n| --- | --- | --- |')
  for (const [name, { cpu, size }] of costs) {
    console.log(
      `| ${name} | ${Math.round((bodies.length * ROUNDS * MICROSECONDS) / cpu)} | ${size} |`,
    )
  }
}

await main()
