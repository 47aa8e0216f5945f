import { once } from 'node:events'
import { IncomingMessage, ServerResponse, createServer } from 'node:http'
import { Socket, connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createSender } from './send.ts'

test('a stream to a reader who left before it began is closed, and no fault', async () => {
  const request = new IncomingMessage(new Socket())
  const outgoing = new ServerResponse(request)
  outgoing.destroy()
  let isClosed = false
  const body = new ReadableStream<Uint8Array>({ cancel: () => void (isClosed = true) })
  await createSender()({ status: 200, headers: {}, body }, request, outgoing)
  expect(isClosed).toBe(true)
})

test.for([
  ['bytes', () => new Uint8Array(40_000_000)],
  [
    'a stream',
    () =>
      new ReadableStream<Uint8Array<ArrayBuffer>>({
        pull: (to) => to.enqueue(new Uint8Array(100_000)),
      }),
  ],
] as const)('%s of which a reader takes nothing are cut, and no fault', async ([, makeBody]) => {
  const send = createSender({ kept: 0, patience: 200 })
  const ends: Promise<unknown>[] = []
  const server = createServer((request, outgoing) => {
    const closed = once(outgoing, 'close')
    const sent = send({ status: 200, headers: {}, body: makeBody() }, request, outgoing)
    ends.push(Promise.all([sent, closed]).then(() => outgoing.writableFinished))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(server, 'request')
  expect(await ends[0]).toBe(false)
  reader.destroy()
  server.close()
})
