import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { ApiError } from '../../src/api/errors.ts'
import { describeCause } from '../../functions/hosts/node/log.ts'
import { openDatabase } from './pool.ts'

// The first messages of a server that accepts every user and is ready (PostgreSQL, "Message Formats").
const READY = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])

const closers: (() => void)[] = []
afterEach(() => closers.splice(0).forEach((close) => close()))

const listen = async (onData: (socket: Socket, count: number) => void): Promise<string> => {
  const server = createServer((socket) => {
    let count = 0
    socket.on('error', () => socket.destroy())
    socket.on('data', () => onData(socket, (count += 1)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => server.close())
  return `postgres://reader@127.0.0.1:${(server.address() as AddressInfo).port}/skills`
}

test.for<[string, (socket: Socket, count: number) => void]>([
  ['before the first message', (socket) => socket.destroy()],
  [
    'in the middle of a query',
    (socket, count) => (count === 1 ? socket.write(READY) : socket.destroy()),
  ],
])('a database that is killed %s -> 503, and one line in the log', async ([, onData]) => {
  const database = openDatabase(await listen(onData), 'skills')
  const failure = await database.read((ask) => ask('SELECT 1', [])).catch((error: unknown) => error)
  await database.close()
  expect(failure).toBeInstanceOf(ApiError)
  expect(failure).toMatchObject({ code: 'UNAVAILABLE', status: 503 })
  expect(describeCause((failure as ApiError).cause)).toMatch(
    /^The database of SEARCH_URL: Connection.*$/,
  )
})
