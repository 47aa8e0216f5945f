import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { fetchPublished } from './after.ts'

test.each(['', '/', '/kit', '/a/kit/'])(
  'the list of a site at "%s" is fetched from below that path',
  async (path) => {
    const requested: string[] = []
    const server = createServer(({ url = '' }, response) => {
      requested.push(url)
      response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect(await fetchPublished(`http://127.0.0.1:${port}${path}`, true)).toBe(undefined)
    expect(requested).toEqual([`${path.replace(/\/$/, '')}/versions.ndjson`])
    server.close()
  },
)
