import fc from 'fast-check'
import JSZip from 'jszip'
import { describe, expect, test } from 'vitest'
import { packZip } from './zip.ts'

const path = fc.stringMatching(/^(?:[a-zé中0-9]{1,8}\/){0,2}[a-z0-9][a-z 0-9]{0,8}\.md$/)
const entries = fc.uniqueArray(
  fc.record({
    path,
    bytes: fc.oneof(
      fc.uint8Array(),
      fc.string({ maxLength: 3_000 }).map((text) => new TextEncoder().encode(text.repeat(3))),
    ),
  }),
  { selector: (entry) => entry.path, maxLength: 8 },
)

describe('packZip', () => {
  test('another library reads the files back and verifies their checksums', async () => {
    await fc.assert(
      fc.asyncProperty(entries, async (files) => {
        const zip = await JSZip.loadAsync(packZip(files, '2026-11-21'), { checkCRC32: true })
        const read = Object.values(zip.files).filter((file) => !file.dir)
        expect(read.map((file) => file.name).sort()).toEqual(files.map((file) => file.path).sort())
        for (const file of files) {
          expect(await zip.file(file.path)?.async('uint8array')).toEqual(new Uint8Array(file.bytes))
        }
      }),
      { numRuns: 100 },
    )
  })

  test('the same files give the same bytes at any time', () => {
    const files = [{ path: 'SKILL.md', bytes: new TextEncoder().encode('# a\n'.repeat(99)) }]
    expect(packZip(files, '2026-11-21').equals(packZip(files, '2026-11-21'))).toBe(true)
    expect(packZip(files, '2026-11-20').equals(packZip(files, '2026-11-21'))).toBe(false)
  })

  test('files have the skill’s date', async () => {
    const zip = await JSZip.loadAsync(
      packZip([{ path: 'a', bytes: new Uint8Array(1) }], '2024-02-29'),
    )
    expect(zip.files['a']?.date.toISOString().slice(0, 10)).toBe('2024-02-29')
  })
})
