import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Client } from '../../web/client.ts'
import { createGuard, isPublicOrOwn } from '../../web/guard.ts'

/** Makes a client for tests that can connect to this machine and times out after half a second. */
export const createTestClient = (
  more: Partial<ConstructorParameters<typeof Client>[2]> = {},
  guard = createGuard(isPublicOrOwn),
): Client =>
  new Client(guard, 'a test', {
    timeout: 500,
    attempts: 3,
    backoff: 1,
    total: 300_000,
    ...more,
  })

/** Answers a request; `times` is the number of earlier requests for the same path. */
type Handler = (request: IncomingMessage, response: ServerResponse, times: number) => void

const answer =
  (status: number, headers: Record<string, string> = {}): Handler =>
  (_request, response) =>
    void response.writeHead(status, headers).end('text')

const redirect = (status: number, to: string): Handler => answer(status, { Location: to })

const first =
  (before: Handler, after: Handler, count = 1): Handler =>
  (request, response, times) =>
    (times < count ? before : after)(request, response, times)

/** Writes directly to the socket, bypassing Node's HTTP. */
const raw =
  (write: (socket: NonNullable<ServerResponse['socket']>) => void): Handler =>
  (_request, { socket }) => {
    if (socket) write(socket)
  }

/** Writes a text repeatedly until the client disconnects. */
const drip = (
  target: { write: (text: string) => unknown; destroyed: boolean },
  text: string,
  pause: number,
): void => {
  const timer = setInterval(() => {
    if (target.destroyed) clearInterval(timer)
    else target.write(text)
  }, pause)
}

/** 20 MB of zeros, compressed to 20 KB. */
const BOMB = gzipSync(Buffer.alloc(20 * 1024 * 1024))

const ok = answer(200)

/** Answers by path; most of them misbehave. */
const HANDLERS: Readonly<Record<string, Handler>> = {
  '/ok': ok,
  '/hang': () => undefined,
  // Long enough for parallel requests to arrive, if the client sent them.
  '/pause': (_request, response) => void setTimeout(() => response.end(), 20),
  '/500-once': first(answer(500), ok),
  '/503-always': answer(503),
  '/429-once': first(answer(429, { 'Retry-After': '0' }), ok),
  '/429-always': answer(429),
  '/loop': redirect(302, '/loop'),
  '/loop-of-two': redirect(301, '/loop-back'),
  '/loop-back': redirect(301, '/loop-of-two'),
  '/to-private': redirect(301, 'http://10.0.0.1/'),
  '/to-metadata': redirect(302, 'http://169.254.169.254/latest/meta-data'),
  '/to-private-v6': redirect(302, 'http://[fd00::1]/'),
  '/to-mapped': redirect(302, 'http://[::ffff:10.0.0.1]/'),
  '/to-decimal': redirect(302, 'http://167772161/'),
  '/to-file': redirect(302, 'file:///etc/passwd'),
  '/to-user': redirect(302, 'http://user:secret@127.0.0.1/'),
  '/to-nonsense': redirect(302, 'http://['),
  '/to-nowhere': answer(302),
  '/moved-301': redirect(301, '/ok'),
  '/moved-308': redirect(308, '/moved-301'),
  '/moved-for-now': redirect(302, '/ok'),
  '/moved-in-part': redirect(301, '/moved-for-now'),
  '/moved-home': redirect(301, '/'),
  '/': ok,
  '/404': answer(404),
  '/410': answer(410),
  '/404-once': first(answer(404), ok),
  '/401': answer(401),
  '/huge-body': (_request, response) => {
    response.writeHead(200)
    drip(response, 'x'.repeat(1 << 20), 1)
  },
  '/slow-body': (_request, response) => {
    response.writeHead(200)
    drip(response, 'x', 20)
  },
  '/wrong-length': raw((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'),
  ),
  '/bomb': (_request, response) =>
    void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(BOMB),
  '/slow-head': raw((socket) => drip(socket, 'H', 20)),
  '/endless-head': raw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    drip(socket, `X-More: ${'x'.repeat(4_000)}\r\n`, 1)
  }),
  '/endless-100': raw((socket) => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 5)),
  '/reset': raw((socket) => socket.resetAndDestroy()),
  '/reset-once': first(
    raw((socket) => socket.resetAndDestroy()),
    ok,
  ),
  '/empty': raw((socket) => socket.end()),
  '/garbage': raw((socket) => socket.end('\u0000\u0001 no HTTP at all\r\n\r\n')),
  '/soft/repository/info/refs': ok,
  '/slow/repository/info/refs': (_request, response) => {
    response.writeHead(200)
    drip(response, '0', 20)
  },
  '/bomb/repository/info/refs': (_request, response) =>
    void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(BOMB),
  '/hidden/repository/info/refs': answer(401, { 'WWW-Authenticate': 'Basic' }),
  '/private/repository/info/refs': answer(401, { 'WWW-Authenticate': 'Basic' }),
  '/private/repository': ok,
  '/broken/repository/info/refs': answer(404),
  '/broken/repository': answer(500),
  '/renamed/repository/info/refs': redirect(301, '/ada/tools/info/refs?service=git-upload-pack'),
  '/buried/repository/info/refs': redirect(301, '/ok'),
}

/** The discovery path of a repository, whose folder is below `repositories`. */
const DISCOVERY = /^(\/[a-z]+\/[a-z]+)\/info\/refs\?service=git-upload-pack$/

const advertise = (folder: string): Buffer =>
  Buffer.concat([
    Buffer.from('001e# service=git-upload-pack\n0000'),
    execFileSync('git', ['upload-pack', '--advertise-refs', '--stateless-rpc', folder]),
  ])

/** A loopback server with misbehaving paths and real repositories. */
export interface OddServer {
  origin: string
  port: number
  /** Number of requests by path. */
  requests: Map<string, number>
  /** The largest number of simultaneous requests. */
  mostAtOnce: () => number
  /** Sets the status that a path answers; undefined restores its own answer. */
  override: (path: string, status: number | undefined) => void
  stop: () => Promise<void>
}

export const startOddServer = async (repositories = ''): Promise<OddServer> => {
  const requests = new Map<string, number>()
  const overrides = new Map<string, Handler>()
  let [open, most] = [0, 0]
  const server = createServer((request, response) => {
    open += 1
    most = Math.max(most, open)
    response.on('close', () => (open -= 1))
    const { url = '' } = request
    const path = url.replace(/\?.*$/, '')
    const times = requests.get(path) ?? 0
    requests.set(path, times + 1)
    const handler = overrides.get(path) ?? HANDLERS[path]
    if (handler) return handler(request, response, times)
    const folder = join(repositories, DISCOVERY.exec(url)?.[1] ?? '')
    if (repositories !== '' && DISCOVERY.test(url) && existsSync(folder)) {
      return void response.writeHead(200).end(advertise(folder))
    }
    return answer(404)(request, response, 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    mostAtOnce: () => most,
    override: (path, status) => {
      if (status === undefined) overrides.delete(path)
      else overrides.set(path, answer(status))
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
