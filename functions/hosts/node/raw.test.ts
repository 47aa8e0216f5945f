import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ORIGIN, publishFixture } from '../../../testing/fixture.ts'
import { startSiteServer } from '../../../testing/contract/ask.ts'
import { sendRaw } from '../../../testing/contract/ask.ts'

const outDir = mkdtempSync(join(tmpdir(), 'raw-'))
publishFixture(outDir, 'one')
let server: Awaited<ReturnType<typeof startSiteServer>>
beforeAll(async () => {
  server = await startSiteServer(outDir)
})
afterAll(async () => {
  await server.stop()
  rmSync(outDir, { recursive: true })
})

const HOST = 'Host: localhost\r\n'
const END = `${HOST}\r\n`
const long = (length: number): string => 'a'.repeat(length)
const asking = (target: string): string => `GET ${target} HTTP/1.1\r\n${END}`

/** Sent as it stands: what answers is one reply with this status, and the envelope with this code, else text. */
const GARBAGE: [name: string, sent: string | string[], status: number, code?: string][] = [
  ['NUL in q', asking('/api/v1/skills?q=a\0b'), 400, 'BAD_REQUEST'],
  ['a raw byte that is not ASCII in q', asking('/api/v1/skills?q=\xff'), 400, 'BAD_REQUEST'],
  ['a blank in q', asking('/api/v1/skills?q=a b'), 400, 'BAD_REQUEST'],
  ['a fragment', asking('/api/v1/skills?q=c#'), 400, 'BAD_REQUEST'],
  ['an unknown method', `BREW /api/v1/skills HTTP/1.1\r\n${END}`, 400, 'BAD_REQUEST'],
  ['a version of the future', `GET /api/v1/skills HTTP/9.9\r\n${END}`, 400, 'BAD_REQUEST'],
  ['no version', 'GET /api/v1/skills\r\n\r\n', 400, 'BAD_REQUEST'],
  ['no Host', 'GET /api/v1/skills HTTP/1.1\r\n\r\n', 400, 'BAD_REQUEST'],
  ['two Hosts', `GET /api/v1/skills HTTP/1.1\r\n${HOST}${END}`, 400, 'BAD_REQUEST'],
  ['no valid Host', 'GET /api HTTP/1.1\r\nHost: a b/<x>\r\n\r\n', 400, 'BAD_REQUEST'],
  ['a header without colon', `GET /api HTTP/1.1\r\nnonsense\r\n${END}`, 400, 'BAD_REQUEST'],
  ['NUL in a header', `GET /api HTTP/1.1\r\nX: \0\r\n${END}`, 400, 'BAD_REQUEST'],
  ['bare line feeds', 'GET /api/v1/skills HTTP/1.1\nHost: x\n\n', 400, 'BAD_REQUEST'],
  [
    'two lengths',
    `POST /api HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n${END}x`,
    400,
    'BAD_REQUEST',
  ],
  ['an address of 40 KB', asking(`/api/v1/skills?q=${long(40_000)}`), 414, 'URI_TOO_LONG'],
  ['an address of 1 MB', asking(`/api/v1/skills?q=${long(1_000_000)}`), 431, 'HEADERS_TOO_LARGE'],
  [
    'header fields of 70 KB in pieces',
    ['GET /api/v1/skills HTTP/1.1\r\nX: ', long(35_000), long(35_000), `\r\n${END}`],
    431,
    'HEADERS_TOO_LARGE',
  ],
  // The parser fails in a packet without the address, which may then be one below /api.
  ['a page of 70 KB', asking(`/${long(70_000)}`), 431, 'HEADERS_TOO_LARGE'],
  ['an empty line, then NUL', `\r\n${asking('/api/v1/skills?q=\0')}`, 400, 'BAD_REQUEST'],
  ['no words at all', 'GARBAGE\r\n\r\n', 400, 'BAD_REQUEST'],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'BAD_REQUEST'],
  ['NUL in a page', asking('/skills\0'), 400],
  ['no Host on a page', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'BAD_REQUEST'],
  ['a relative target', asking('api/v1/skills'), 400],
  ['a backslash first', asking('\\api'), 400],
]

const envelopeOf = (body: string): object => (JSON.parse(body) as { error: object }).error

describe('raw', () => {
  test.for(GARBAGE)('%s', async ([, sent, status, code]) => {
    const { text, isClosed } = await sendRaw(server.port, typeof sent === 'string' ? [sent] : sent)
    const [head = '', body = ''] = text.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(head).toMatch(new RegExp(`content-length: ${body.length}\\b`, 'i'))
    expect(head).toMatch(
      code === undefined ? /content-type: text\/plain/i : /content-type: application\/json/i,
    )
    const error = code === undefined ? { code } : envelopeOf(body)
    expect(error).toMatchObject(
      code === undefined ? { code } : { code, docs: `${ORIGIN}/openapi.json` },
    )
    // What the parser refuses ends the connection; what it lets through may go on.
    expect(isClosed || /connection: keep-alive/i.test(head)).toBe(true)
  })

  test('a request that ends in the middle -> 400', async () => {
    const { text } = await sendRaw(server.port, ['GET /api/v1/skills HTTP/1.1\r\nHo'], {
      half: true,
    })
    expect(text).toMatch(/^HTTP\/1\.1 400 .*BAD_REQUEST/s)
  })
})

const statusesOf = (text: string): string[] => text.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? []

test('whatever was sent, the server still answers', async () => {
  const { text } = await sendRaw(server.port, ['GET /llms.txt HTTP/1.0\r\n\r\n'])
  expect(text).toMatch(/^HTTP\/1\.1 200 /)
})

describe('raw, on one connection', () => {
  test('three requests at once are answered in order', async () => {
    const sent = [asking('/api/skills/download/12'), asking('/api/nope'), asking('/llms.txt')]
    const { text } = await sendRaw(server.port, [sent.join('')], { patience: 400 })
    expect(statusesOf(text)).toEqual(['200', '404', '200'])
  })

  test('a good request, then garbage: the good one is answered first', async () => {
    const sent = asking('/api/skills/download/13') + asking('/api/v1/skills?q=\0')
    const { text, isClosed } = await sendRaw(server.port, [sent])
    expect(statusesOf(text)).toEqual(['200', '400'])
    expect(isClosed).toBe(true)
  })

  test.for(['/mcp', '/api', '/'])('POST %s, then no chunks: closed at once', async (target) => {
    const sent = `POST ${target} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${END}zz\r\n`
    const { text, isClosed } = await sendRaw(server.port, [sent], { patience: 10_000 })
    expect([text, isClosed]).toEqual(['', true])
  })

  test('chunks that break off later: closed at once', async () => {
    const head = `POST /mcp HTTP/1.1\r\nTransfer-Encoding: chunked\r\n${END}`
    const sent = [head, '2\r\nab\r\n', 'zz\r\n']
    const { text, isClosed } = await sendRaw(server.port, sent, { patience: 10_000 })
    expect([text, isClosed]).toEqual(['', true])
  })

  test('CONNECT is closed without an answer', async () => {
    const sent = `CONNECT skills.example:443 HTTP/1.1\r\n${END}`
    const { text, isClosed } = await sendRaw(server.port, [sent], { patience: 10_000 })
    expect([text, isClosed]).toEqual(['', true])
  })

  test('a body of 10 MB: the answer comes, and the connection ends without it', async () => {
    const head = `POST /api HTTP/1.1\r\nContent-Length: 10000000\r\n${END}`
    const { text, isClosed } = await sendRaw(server.port, [head, long(1_000_000)])
    expect(text).toMatch(/^HTTP\/1\.1 405 .*connection: close/is)
    expect(isClosed).toBe(true)
  })

  test('a body that goes on after the answer: no reset comes in its place', async () => {
    const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.write(`POST /api HTTP/1.1\r\nContent-Length: 10000000\r\n${END}`)
    await once(socket, 'readable')
    for (let sent = 0; sent < 3; sent += 1) {
      socket.write(long(100_000))
      await wait(10)
    }
    const chunks = await socket.toArray()
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 405 [^]*METHOD_NOT_ALLOWED/)
  })

  test.for(['100-continue', 'a miracle'])('Expect: %s changes nothing', async (expectation) => {
    const sent = `GET /llms.txt HTTP/1.1\r\nExpect: ${expectation}\r\n${END}`
    const { text } = await sendRaw(server.port, [sent], { patience: 300 })
    expect(statusesOf(text)).toEqual(['200'])
  })

  test('Upgrade is not taken up', async () => {
    const sent = `GET /llms.txt HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n${END}`
    const { text } = await sendRaw(server.port, [sent], { patience: 300 })
    expect(statusesOf(text)).toEqual(['200'])
  })

  test('two Accept lines count as one', async () => {
    const accepts = 'Accept: text/html;q=0.5\r\nAccept: text/markdown\r\n'
    const sent = `GET / HTTP/1.1\r\n${accepts}${END}`
    const { text } = await sendRaw(server.port, [sent], { patience: 300 })
    expect(text).toMatch(/content-type: text\/markdown/i)
  })
})
