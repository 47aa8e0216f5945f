import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { cpuOf, listSkillPages, residentOf, startHost, stopServer } from './load.ts'
import type { Running } from './load.ts'
import { readOptions } from './options.ts'

const values = readOptions(
  'Measures what others notice of clients that pipeline, that never read and that never finish a request.',
  {
    out: { type: 'string', default: 'dist', about: 'a built site to serve' },
    beside: { type: 'string', about: 'also ask the server of another checkout' },
    connections: { type: 'string', default: '10', about: 'connections that pipeline' },
    readers: { type: 'string', default: '200', about: 'connections that read nothing' },
  },
)

const OUTPUT = resolve(values.out)
const PIPELINED = 2_000
/** Requests of a client that never reads its answers. */
const UNREAD = 50

const pages = listSkillPages(OUTPUT)

const pageAt = (at: number): string => pages[at % pages.length] ?? '/'

const askTimed = (port: number, path: string): Promise<number> =>
  new Promise((done, fail) => {
    const start = performance.now()
    const headers = { 'Accept-Encoding': 'br, gzip' }
    get({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
      answer.resume().on('end', () => done(performance.now() - start))
    }).on('error', fail)
  })

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1] ?? NaN

/** Asks for a page, each time on a new connection, until `isOver`; times in milliseconds. */
const watch = async (port: number, isOver: () => boolean): Promise<number[]> => {
  const times: number[] = []
  while (!isOver()) {
    times.push(await askTimed(port, pageAt(times.length * 7)))
    await wait(5)
  }
  return times
}

const requestsFor = (first: number, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `GET ${pageAt(first + at)} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n`,
  ).join('')

const dial = async (port: number): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket.on('error', () => undefined)
}

const countAnswers = async (socket: Socket, count: number): Promise<void> => {
  let found = 0
  for await (const chunk of socket) {
    found += (chunk as Buffer).toString('latin1').split('HTTP/1.1 200').length - 1
    if (found >= count) return
  }
}

const show = (times: readonly number[]): string =>
  `${percentile(times, 0.5).toFixed(1)} / ${percentile(times, 0.99).toFixed(0)} / ${Math.max(...times).toFixed(0)} ms of ${times.length}`

const measurePipelines = async ({ port, pid }: Running): Promise<string[]> => {
  const before = cpuOf(pid)
  const sockets = await Promise.all(
    Array.from({ length: Number(values.connections) }, () => dial(port)),
  )
  let isOver = false
  const watched = watch(port, () => isOver)
  const read = sockets.map(async (socket, at) => {
    socket.write(requestsFor(at * 100, PIPELINED))
    await countAnswers(socket, PIPELINED)
  })
  await Promise.all(read)
  isOver = true
  const times = await watched
  sockets.forEach((socket) => socket.destroy())
  return [show(times), (cpuOf(pid) - before).toFixed(1)]
}

const measureUnread = async ({ port, pid }: Running): Promise<string[]> => {
  const sockets = await Promise.all(
    Array.from({ length: Number(values.readers) }, () => dial(port)),
  )
  let isOver = false
  let most = 0
  const watched = watch(port, () => isOver)
  sockets.forEach((socket, at) => socket.pause().write(requestsFor(at * 100, UNREAD)))
  for (let quiet = 0, before = cpuOf(pid); quiet < 5;) {
    await wait(200)
    most = Math.max(most, residentOf(pid))
    const now = cpuOf(pid)
    // Less than this is the cost of measuring.
    quiet = now - before < 0.1 ? quiet + 1 : 0
    before = now
  }
  isOver = true
  const times = await watched
  sockets.forEach((socket) => socket.destroy())
  return [most.toFixed(0), show(times)]
}

const measureEnd = async ({ port, child }: Running): Promise<string> => {
  const sockets = [await dial(port), await dial(port)]
  sockets[0]?.write('GET / HTTP/1.1\r\nHo')
  await wait(100)
  child.removeAllListeners('exit')
  const start = performance.now()
  child.kill('SIGTERM')
  await once(child, 'exit')
  sockets.forEach((socket) => socket.destroy())
  return `${Math.round(performance.now() - start)} ms`
}

console.log(
  `\n| server | others while ${values.connections} pipeline ${PIPELINED} requests: median / 99th percentile / most | CPU s | MiB with ${values.readers} that do not read | others then | SIGTERM with half a request |\n| --- | --- | --- | --- | --- | --- |`,
)
for (const root of [
  PROJECT_ROOT,
  ...(values.beside === undefined ? [] : [resolve(values.beside)]),
]) {
  const fresh = await startHost(OUTPUT, root)
  const unread = await measureUnread(fresh)
  stopServer(fresh)
  const server = await startHost(OUTPUT, root)
  const cells = [...(await measurePipelines(server)), ...unread, await measureEnd(server)]
  console.log(`| ${[root === PROJECT_ROOT ? 'ours' : 'beside', ...cells].join(' | ')} |`)
}
