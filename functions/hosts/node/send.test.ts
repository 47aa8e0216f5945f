import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { sendAnswer } from './send.ts'

test('a stream to a reader who left before it began is closed, and no fault', async () => {
  const request = new IncomingMessage(new Socket())
  const outgoing = new ServerResponse(request)
  outgoing.destroy()
  let isClosed = false
  const body = new ReadableStream<Uint8Array>({ cancel: () => void (isClosed = true) })
  await sendAnswer({ status: 200, headers: {}, body }, request, outgoing)
  expect(isClosed).toBe(true)
})
