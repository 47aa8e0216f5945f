import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askHandler } from '../../../testing/contract/ask.ts'
import type { AskSite } from '../../../testing/contract/ask.ts'
import { needsRawTarget } from '../../../testing/contract/clause.ts'
import { CONTRACT } from '../../../testing/contract/contract.ts'
import { holdContract } from '../../../testing/contract/hold.ts'
import { writeFixture } from '../../../testing/fixture.ts'
import { createFetch } from '../../fetch.ts'
import { answerMcpOnDemand } from '../../mcp/on-demand.ts'
import { openR2Store, openS3Store } from './buckets.ts'
import { signRequest } from './s3-signature.ts'

const PARSED = CONTRACT.filter((clause) => !needsRawTarget(clause))
const FILES = new Map(
  Object.entries(writeFixture('one')).map(([name, bytes]) => [
    `one/${name}`,
    new Uint8Array(Buffer.from(bytes as string)),
  ]),
)
const CREDENTIALS = {
  id: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}

test('a request is signed as in the example of the S3 documentation', () => {
  const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt')
  const now = new Date('2013-05-24T00:00:00Z')
  const fields = signRequest(url, { range: 'bytes=0-9' }, 'us-east-1', CREDENTIALS, now)
  expect(fields['authorization']).toMatch(
    /Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/,
  )
})

/** A server that answers reads like S3 and refuses requests without a valid signature. */
const server = createServer((request, response) => {
  const address = new URL(request.url ?? '/', `http://${request.headers.host}`)
  const given = request.headers.range === undefined ? {} : { range: request.headers.range }
  const time = String(request.headers['x-amz-date'])
  const now = new Date(time.replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z'))
  const wanted = signRequest(address, given, 'eu-test-1', CREDENTIALS, now)
  if (request.headers.authorization !== wanted['authorization']) {
    response.writeHead(403).end()
    return
  }
  const bytes = FILES.get(decodeURIComponent(address.pathname).replace('/site/', ''))
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  if (!bytes) response.writeHead(404).end()
  else if (from === undefined) response.writeHead(200, { ETag: '"v1"' }).end(bytes)
  else {
    const [first, last] = [Number(from), Math.min(Number(to), bytes.length - 1)]
    const range = `bytes ${first}-${last}/${bytes.length}`
    response
      .writeHead(206, { ETag: '"v1"', 'Content-Range': range })
      .end(bytes.subarray(first, last + 1))
  }
})
let address: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/site`
})
afterAll(() => server.close())

const openS3 = (secret = CREDENTIALS.secret) =>
  openS3Store({
    address,
    build: 'one',
    region: 'eu-test-1',
    credentials: { ...CREDENTIALS, secret },
  })

describe('a build in a bucket of S3', () => {
  let ask: AskSite
  beforeAll(() => {
    ask = askHandler(createFetch(openS3(), { mcp: answerMcpOnDemand }))
  })
  holdContract(() => ask, PARSED)

  test('whose key is refused -> 503, and the cause is logged', async () => {
    const causes: unknown[] = []
    const answer = createFetch(openS3('wrong'), { report: (cause) => causes.push(cause) })
    expect((await answer(new Request('https://skills.example/api/v1/skills'))).status).toBe(503)
    expect(String(causes[0])).toContain('answered with 403')
  })
})

describe('a build in a bucket of R2', () => {
  const bucket = {
    get: async (key: string, options?: { range: { offset: number; length: number } }) => {
      const bytes = FILES.get(key)
      if (!bytes) return null
      const { offset, length } = options?.range ?? { offset: 0, length: bytes.length }
      const body = new Blob([bytes.slice(offset, offset + length)]).stream()
      return { size: bytes.length, etag: 'v1', body }
    },
  }
  let ask: AskSite
  beforeAll(() => {
    ask = askHandler(createFetch(openR2Store(bucket, 'one'), { mcp: answerMcpOnDemand }))
  })
  holdContract(() => ask, PARSED)
})
