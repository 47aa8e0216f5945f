import { crc32, inflateRawSync } from 'node:zlib'
import { UNPACK_LIMITS, findPathFault, isPlainName } from '../../../src/catalog/folder-files.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import type { ZipEntry } from '../../site/zip.ts'
import { CommandError } from '../cli/command.ts'

/** Longest zip of a skill: no file is longer in it than it is, and has two headers. */
export const ZIP_LIMIT = UNPACK_LIMITS.bytes + UNPACK_LIMITS.files * 4_096

/** The header of a file (APPNOTE 4.3.7). */
const HEADER = { signature: 0x04034b50, size: 30 }

/** Flags and method as registries write them: a name in UTF-8, neither encryption nor sizes after the file (4.4.4). */
const STORED = 1 << 11
const DEFLATED = STORED | (8 << 16)

const isPlainPath = (path: string): boolean =>
  findPathFault(path) === undefined &&
  path.split('/').every((part) => part !== '' && !part.startsWith('.') && isPlainName(part))

/** Empty for what is damaged, or longer than its header says. */
const inflate = (data: Buffer, size: number): Buffer => {
  try {
    return inflateRawSync(data, { maxOutputLength: size || 1 })
  } catch {
    return Buffer.alloc(0)
  }
}

/** Unpacks a zip as registries write them, within the limits of a skill. Throws CommandError. */
export const readZip = (zip: Buffer): ZipEntry[] => {
  const entries: ZipEntry[] = []
  const ensure = (isSo: boolean, fault: string): void => {
    if (!isSo) throw new CommandError(`file ${entries.length + 1} of the zip ${fault}`)
  }
  let [at, total] = [0, 0]
  while (at + HEADER.size <= zip.length && zip.readUInt32LE(at) === HEADER.signature) {
    const form = zip.readUInt32LE(at + 6)
    ensure(form === STORED || form === DEFLATED, 'is packed in another way')
    const [packed, size] = [zip.readUInt32LE(at + 18), zip.readUInt32LE(at + 22)]
    total += size
    const isMuch = entries.length === UNPACK_LIMITS.files || total > UNPACK_LIMITS.bytes
    ensure(!isMuch, 'is more than clients unpack')
    const start = at + HEADER.size + zip.readUInt16LE(at + 26)
    const path = zip.toString('utf8', at + HEADER.size, start)
    ensure(isPlainPath(path), `has a path that no skill may have: ${JSON.stringify(path)}`)
    ensure(start + packed <= zip.length, 'is damaged')
    const data = zip.subarray(start, start + packed)
    const bytes = form === STORED ? data : inflate(data, size)
    ensure(bytes.length === size && crc32(bytes) === zip.readUInt32LE(at + 14), 'is damaged')
    entries.push({ path, bytes })
    at = start + packed
  }
  if (entries[0]?.path === SKILL_MD) return entries
  throw new CommandError(`the zip does not begin with ${SKILL_MD}`)
}
