import { parseArgs } from 'node:util'
import { zipSync } from 'fflate'
import JSZip from 'jszip'
import yazl from 'yazl'
import { packZip } from '../build/site/zip.ts'
import { readBodies } from './build-content.ts'

// Measures the writers of zips on the path that runs once a skill: one SKILL.md in, the bytes of a zip out.

const DAY = '2026-01-01'
const ROUNDS = 5
const MICROSECONDS = 1_000_000
const LARGEST = 16_000

type Writer = (bytes: Buffer) => Promise<Uint8Array> | Uint8Array

const writeWithYazl: Writer = (bytes) =>
  new Promise((resolve, reject) => {
    const zip = new yazl.ZipFile()
    const chunks: Buffer[] = []
    zip.outputStream.on('data', (chunk: Buffer) => chunks.push(chunk))
    zip.outputStream.on('end', () => resolve(Buffer.concat(chunks)))
    zip.outputStream.on('error', reject)
    zip.addBuffer(bytes, 'SKILL.md', { mtime: new Date(DAY), mode: 0o100644 })
    zip.end()
  })

const WRITERS: Readonly<Record<string, Writer>> = {
  jszip: (bytes) =>
    new JSZip()
      .file('SKILL.md', bytes, { date: new Date(DAY) })
      .generateAsync({ type: 'uint8array', compression: 'DEFLATE' }),
  fflate: (bytes) => zipSync({ 'SKILL.md': [bytes, { mtime: DAY }] }),
  yazl: writeWithYazl,
  'node:zlib with our headers': (bytes) => packZip([{ path: 'SKILL.md', bytes }], DAY),
}

const { values } = parseArgs({ options: { bodies: { type: 'string' } } })

const main = async (folder: string): Promise<void> => {
  const bodies = readBodies(folder)
    .filter(({ length }) => length <= LARGEST)
    .map((body) => Buffer.from(body))
  const costs = new Map<string, { cpu: number; size: number }>()
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, write] of Object.entries(WRITERS)) {
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

if (values.bodies === undefined) {
  console.error('Usage: npm run bench:zip -- --bodies <folder>')
  process.exitCode = 1
} else await main(values.bodies)
