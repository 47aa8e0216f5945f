import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'

const site = inject('site')

const ask = (path: string): Promise<Response> => fetch(new URL(path, site.origin))

test.for([
  ['/', 1],
  ['/categories/coding', 1],
  ['/skills/csv-clean', 1],
] as [string, number][])(
  '%s links to %i feed or JSON, served with the type that the link names',
  async ([path, count]) => {
    const html = await (
      await fetch(site.origin + path, { headers: { accept: 'text/html' } })
    ).text()
    const links = (html.match(/<link\s[^>]*\brel="alternate"[^>]*>/g) ?? []).filter(
      (link) => !link.includes('text/markdown'),
    )
    expect(links).toHaveLength(count)
    for (const link of links) {
      const [type, href] = ['type', 'href'].map((name) => link.split(`${name}="`)[1]?.split('"')[0])
      const answer = await ask(href ?? '')
      expect([answer.status, answer.headers.get('content-type')?.split(';')[0]]).toEqual([
        200,
        type,
      ])
    }
  },
)

test('each line of catalog.ndjson has the digest of a zip, and sha256sum confirms it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'skill-registry-sums-'))
  try {
    const lines = (await (await ask('/catalog.ndjson')).text()).trimEnd().split('\n')
    const skills = lines.map((line) => JSON.parse(line) as { id: number; digest: string })
    const { total } = (await (await ask('/api/v1/skills')).json()) as { total: number }
    expect(skills).toHaveLength(total)
    for (const { id, digest } of skills.slice(0, 3)) {
      const answer = await ask(`/api/skills/download/${id}`)
      const [, name = ''] =
        /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? []
      const bytes = Buffer.from(await answer.arrayBuffer())
      expect(digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`)
      writeFileSync(join(folder, name), bytes)
    }
    const sums = await (await ask('/sha256sums.txt')).text()
    const options = { cwd: folder, input: sums, encoding: 'utf8' } as const
    const checked = execFileSync('sha256sum', ['-c', '--ignore-missing', '-'], options)
    expect(checked.match(/^[a-z0-9-]+\.zip: OK$/gm)).toHaveLength(3)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
