import { zipSync } from 'fflate'
import yazl from 'yazl'
import type { ZipWriter } from './zip.ts'

const DAY = '2026-01-01'

const writeWithYazl: ZipWriter = (bytes) =>
  new Promise((resolve, reject) => {
    const zip = new yazl.ZipFile()
    const chunks: Buffer[] = []
    zip.outputStream.on('data', (chunk: Buffer) => chunks.push(chunk))
    zip.outputStream.on('end', () => resolve(Buffer.concat(chunks)))
    zip.outputStream.on('error', reject)
    zip.addBuffer(bytes, 'SKILL.md', { mtime: new Date(DAY), mode: 0o100644 })
    zip.end()
  })

export const PEER_WRITERS: Readonly<Record<string, ZipWriter>> = {
  fflate: (bytes) => zipSync({ 'SKILL.md': [bytes, { mtime: DAY }] }),
  yazl: writeWithYazl,
}
