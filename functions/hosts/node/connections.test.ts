import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { Connections, REQUEST_EVENTS } from './connections.ts'

type Handle = (request: IncomingMessage, outgoing: ServerResponse) => void

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const start = async (handle: Handle): Promise<{ port: number; connections: Connections }> => {
  const server = createServer()
  const connections = new Connections(server)
  for (const event of REQUEST_EVENTS) server.on(event, handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => connections.close(0))
  return { port: (server.address() as AddressInfo).port, connections }
}

const dial = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

const get = (target: string | number): string => `GET /${target} HTTP/1.1\r\nHost: x\r\n\r\n`
const LAST = 'GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'

/** Answers with what was asked, a turn of the event loop later. */
const echo: Handle = async (request, outgoing) => {
  // One that is cut has no answer.
  const body = await text(request).catch(() => '')
  setImmediate(() => outgoing.end(`<${request.url}${body}>`))
}

const answersOf = (sent: string): string[] => sent.match(/(?<=<\/)[^>]*/g) ?? []

describe('requests that arrive together', () => {
  test('are answered one after the other, and others between them', async () => {
    let [open, most] = [0, 0]
    const { port } = await start((request, outgoing) => {
      most = Math.max(most, (open += 1))
      outgoing.once('close', () => (open -= 1))
      echo(request, outgoing)
    })
    const pipelining = await dial(port)
    let received = ''
    pipelining.on('data', (data) => (received += String(data)))
    pipelining.write(Array.from({ length: 2_000 }, (_, at) => get(at)).join('') + LAST)
    await once(pipelining, 'data')
    await (await fetch(`http://127.0.0.1:${port}/other`)).text()
    expect(answersOf(received).length).toBeLessThan(2_000)
    await once(pipelining, 'close')
    expect(answersOf(received)).toEqual([
      ...Array.from({ length: 2_000 }, (_, at) => `${at}`),
      'last',
    ])
    // One of each connection: the other one's may be under way too.
    expect(most).toBeLessThanOrEqual(2)
  })

  test('with bodies, cut anywhere, give the same answers', async () => {
    const { port } = await start(echo)
    const sent = [
      get('a'),
      '\r\n\r\n',
      'POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n+\r\n\r\n\r\n\r\n',
      get('c'),
      'POST /d HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n+d\r\n0\r\n\r\n',
      'POST /e HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n+',
      'POST /f HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n+',
      LAST,
    ].join('')
    const expected = ['a', 'b+\r\n\r\n\r\n\r\n', 'c', 'd+d', 'e+', 'f+', 'last']
    const cuts = fc.uniqueArray(fc.nat(sent.length), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const socket = await dial(port)
        socket.setNoDelay()
        const received = text(socket)
        const ends = [...places.sort((a, b) => a - b), sent.length]
        for (const [at, end] of ends.entries()) {
          socket.write(sent.slice(ends[at - 1] ?? 0, end))
          await new Promise((next) => setImmediate(next))
        }
        expect(answersOf(await received)).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  test('are not read while their answers are not', async () => {
    let asked = 0
    const { port } = await start((_, outgoing) => {
      asked += 1
      outgoing.end('x'.repeat(1_000_000))
    })
    const socket = await dial(port)
    socket.pause()
    socket.write(get('a').repeat(200_000))
    // What the buffers between us take of the requests is taken, and the rest stays here.
    for (let before = -1; before !== asked;) {
      before = asked
      await new Promise((next) => setTimeout(next, 100))
    }
    expect(socket.bytesWritten - socket.writableLength).toBeLessThan(get('a').length * 200_000)
    expect(asked).toBeLessThan(100)
    socket.destroy()
  })
})

describe('close', () => {
  const HALF = [
    '',
    'GET / HT',
    'GET / HTTP/1.1\r\nHost: x\r\n',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf',
    `${get('a')}GET / HT`,
  ]
  test('does not wait for connections without a whole request', async () => {
    const { port, connections } = await start(echo)
    const sockets = await Promise.all(HALF.map(() => dial(port)))
    const ends = sockets.map((socket) => once(socket.resume(), 'close'))
    sockets.forEach((socket, at) => socket.write(HALF[at] ?? ''))
    await fetch(`http://127.0.0.1:${port}/`)
    await expect(connections.close(3_600_000)).resolves.toBeUndefined()
    await Promise.all(ends)
  })

  test('waits for the answer under way, and drops requests behind it', async () => {
    const open: ServerResponse[] = []
    const { port, connections } = await start((_, outgoing) => void open.push(outgoing))
    const socket = await dial(port)
    const received = text(socket)
    socket.write(get('first') + get('second'))
    await new Promise((next) => setTimeout(next, 50))
    const closed = connections.close(3_600_000)
    open[0]?.end('</first>')
    await closed
    expect(answersOf(await received)).toEqual(['first'])
  })
})
