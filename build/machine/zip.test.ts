import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import fc from 'fast-check'
import JSZip from 'jszip'
import { expect, test } from 'vitest'
import { readZip } from '../../testing/unzip.ts'
import { packZip } from './zip.ts'

const path = fc.stringMatching(/^(?:[a-zé中0-9]{1,8}\/){0,2}[a-z0-9][a-z 0-9]{0,8}(?:\.md)?$/)
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

/** The order in an archive. UTF-16 order would swap the last two; the keys of an object would have the number first. */
const NAMES = [
  'SKILL.md',
  '12',
  'LICENSE',
  'a/3',
  'a/b.sh',
  'empty',
  'skill',
  '\u{ff5e}',
  '\u{1f600}',
]

/** A text whose packed bytes depend on the compression level. */
const LETTERS = Array.from({ length: 5_000 }, (_one, at) => 'abcd'[((at ** 3) >> 5) % 4]).join('')

const KNOWN = NAMES.map((name) => ({
  path: name,
  bytes: Buffer.from(name === 'empty' ? '' : `${name}\n${LETTERS}`),
}))

/** The digest of the packed `KNOWN`. Clients pin digests: if packing changed, they would refuse every skill. */
const DIGEST = '9e58ea51b30610dd969455776029eb2079f56a1117d177a8e623adc68c75a6b4'

test('packZip another program reads the files back and verifies their checksums', async () => {
  await fc.assert(
    fc.asyncProperty(entries, async (files) => {
      const zip = await JSZip.loadAsync(await packZip(files), { checkCRC32: true })
      expect(Object.keys(zip.files).sort()).toEqual(files.map((file) => file.path).sort())
      for (const file of files) {
        expect(await zip.file(file.path)?.async('uint8array')).toEqual(new Uint8Array(file.bytes))
      }
    }),
    { numRuns: 20 },
  )
})

test('packZip SKILL.md comes first, then files sorted by the bytes of their paths; there are no folders', async () => {
  const files = readZip(await packZip(KNOWN.toReversed()))
  expect(files.map((file) => file.path)).toEqual(NAMES)
})

test('packZip every file is readable by all and has the same date; only an executable one has these bits', async () => {
  const marked = KNOWN.map((file) => ({ ...file, isExecutable: file.path === 'a/b.sh' }))
  const zip = await packZip(marked)
  for (const file of Object.values((await JSZip.loadAsync(zip)).files))
    expect(file).toMatchObject({
      unixPermissions: file.name === 'a/b.sh' ? 0o100755 : 0o100644,
      date: new Date('1980-01-01T00:00Z'),
    })
  expect(zip.length).toBe((await packZip(KNOWN)).length)
})

test.each(['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
  'packZip time zone %s -> the same bytes',
  (TZ) => {
    const program = `
        import { readFileSync } from 'node:fs'
        import { packZip } from ${JSON.stringify(new URL('./zip.ts', import.meta.url))}
        const files = JSON.parse(readFileSync(0, 'utf8'))
        const entries = files.map(({ path, bytes }) => ({ path, bytes: Buffer.from(bytes) }))
        process.stdout.write(await packZip(entries))
      `
    const zip = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
      env: { ...process.env, TZ },
      input: JSON.stringify(KNOWN),
    })
    expect(hash('sha256', zip)).toBe(DIGEST)
  },
)
