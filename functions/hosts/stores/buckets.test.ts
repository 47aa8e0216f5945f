import { createHmac, hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
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

const PARSED = CONTRACT.filter((clause) => !needsRawTarget(clause))
const FILES = new Map(
  Object.entries(writeFixture('one')).map(([name, bytes]) => [
    `one/${name}`,
    new Uint8Array(Buffer.from(bytes as string)),
  ]),
)
const KEYS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/

const authenticate = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** Computes the signature of a GET from what it says is signed (AWS Signature Version 4), and compares it. */
const isSigned = (path: string, headers: IncomingHttpHeaders, region: string): boolean => {
  const [, id, scope = '', names = '', signature] =
    AUTHORIZATION.exec(headers.authorization ?? '') ?? []
  const time = String(headers['x-amz-date'])
  const signed = names.split(';')
  const lines = signed.map((name) => `${name}:${String(headers[name])}\n`).join('')
  const request = ['GET', path, '', lines, names, headers['x-amz-content-sha256']].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope, hash('sha256', request)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(authenticate, `AWS4${KEYS.secretAccessKey}`)
  return (
    id === KEYS.accessKeyId &&
    scope === `${time.slice(0, 8)}/${region}/s3/aws4_request` &&
    ['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name)) &&
    authenticate(key, text).toString('hex') === signature
  )
}

test('the signature of the example of the S3 documentation is accepted, and none beside it', () => {
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    range: 'bytes=0-9',
    'x-amz-content-sha256': hash('sha256', ''),
    'x-amz-date': '20130524T000000Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  }
  expect(isSigned('/test.txt', headers, 'us-east-1')).toBe(true)
  expect(isSigned('/test2.txt', headers, 'us-east-1')).toBe(false)
  expect(isSigned('/test.txt', { ...headers, range: 'bytes=0-8' }, 'us-east-1')).toBe(false)
})

/** A server that answers reads like S3 and refuses requests without a valid signature. */
const server = createServer(({ url = '', headers }, response) => {
  if (!isSigned(url, headers, 'eu-test-1')) {
    response.writeHead(403).end()
    return
  }
  const bytes = FILES.get(decodeURIComponent(url).replace('/site/', ''))
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
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

const openS3 = (secretAccessKey = KEYS.secretAccessKey) =>
  openS3Store({ address, build: 'one', region: 'eu-test-1', ...KEYS, secretAccessKey })

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
