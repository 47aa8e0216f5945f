import { connect } from 'node:net'

/** What a server sent on one connection until it, or the time given, ended. */
export interface RawReply {
  text: string
  isClosed: boolean
}

/** Sends bytes as they are, in the chunks given, and collects the reply; for tests. */
export const sendRaw = (
  port: number,
  chunks: readonly string[],
  { patience = 500, half = false } = {},
): Promise<RawReply> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    const finish = (isClosed: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, isClosed })
    }
    const timer = setTimeout(() => finish(false), patience)
    socket.on('data', (data) => (text += data.toString('latin1')))
    socket.on('error', () => finish(true))
    socket.on('end', () => finish(true))
    void (async () => {
      for (const chunk of chunks) {
        socket.write(Buffer.from(chunk, 'latin1'))
        await new Promise((next) => setTimeout(next, 15))
      }
      if (half) socket.end()
    })()
  })
