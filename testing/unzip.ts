import { crc32, inflateRawSync } from 'node:zlib'
import type { ZipEntry } from '../build/machine/zip.ts'

/** Sizes of the headers before names (APPNOTE 4.3.7, 4.3.12, 4.3.16). */
const [LOCAL, CENTRAL, END] = [30, 46, 22]

const STORED = 0
const OWNER_EXECUTES = 0o100

/**
 * Reads a zip of `packZip` in the order of its directory. Own code, since JSZip, which packs, sorts paths such as `12`
 * first. Throws if a checksum is wrong.
 */
export const readZip = (zip: Buffer): Required<ZipEntry>[] => {
  const end = zip.length - END
  let at = zip.readUInt32LE(end + 16)
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    const nameEnd = at + CENTRAL + zip.readUInt16LE(at + 28)
    const path = zip.toString('utf8', at + CENTRAL, nameEnd)
    const local = zip.readUInt32LE(at + 42)
    const start = local + LOCAL + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const data = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    const bytes = zip.readUInt16LE(at + 10) === STORED ? data : inflateRawSync(data)
    if (crc32(bytes) !== zip.readUInt32LE(at + 16)) throw new Error(`${path} is damaged`)
    const isExecutable = (zip.readUInt16LE(at + 40) & OWNER_EXECUTES) !== 0
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
    return { path, bytes, isExecutable }
  })
}
