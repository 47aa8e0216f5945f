import { request as requestOverHttp } from 'node:http'
import { request as requestOverTls } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { openGenerations } from '../../functions/hosts/node/generations.ts'
import { answerMcpOnDemand } from '../../functions/mcp/on-demand.ts'
import { createLog } from '../../functions/hosts/node/log.ts'
import { createSiteServer } from '../../functions/hosts/node/server.ts'
import { ORIGIN } from '../fixture.ts'
import { splitLine } from './clause.ts'
import type { TestAnswer, TestRequest } from './clause.ts'
import type { Report } from '../../functions/answers.ts'
import { serve } from '../../functions/respond.ts'
import { readBody } from '../../functions/store.ts'
import type { SearchBackend } from '../../src/search/read/open.ts'
import type { ServedSite } from '../../functions/site.ts'

/** Sends a request to the tested site. */
export type SendRequest = (testRequest: TestRequest) => Promise<TestAnswer>

/** Sends requests to the function in this process. */
export const sendInProcess =
  (site: ServedSite, report: Report): SendRequest =>
  async (testRequest) => {
    const { Accept, 'If-None-Match': ifNoneMatch, Range, 'If-Range': ifRange } = testRequest.headers
    const parts = { ...splitLine(testRequest), accept: Accept, ifNoneMatch, range: Range, ifRange }
    const { status, headers, body } = await serve(
      parts,
      { origin: site.origin, current: async () => site, mcp: answerMcpOnDemand },
      report,
    )
    return { status, headers: new Headers(headers), body: Buffer.from(await readBody(body)) }
  }

/** Sends requests to an origin, with the raw target that `fetch` would normalize. */
export const sendToOrigin = (origin: string): SendRequest => {
  const { protocol, hostname, port } = new URL(origin)
  const request = protocol === 'https:' ? requestOverTls : requestOverHttp
  return (testRequest) =>
    new Promise((resolve, reject) => {
      const { method, target: path } = splitLine(testRequest)
      const options = {
        host: hostname.replace(/[[\]]/g, ''),
        port,
        method,
        path,
        headers: testRequest.headers,
        agent: false,
      }
      request(options, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: new Headers(incoming.headers as Record<string, string>),
            body: Buffer.concat(chunks),
          }),
        )
      })
        .on('error', reject)
        .end()
    })
}

export const sendOverHttp = (port: number): SendRequest => sendToOrigin(`http://127.0.0.1:${port}`)

export const sendToHandler =
  (answer: (request: Request) => Promise<Response>): SendRequest =>
  async (testRequest) => {
    const { method, target } = splitLine(testRequest)
    const request = new Request(new URL(target, ORIGIN), { method, headers: testRequest.headers })
    const { status, headers, body } = await answer(request)
    return { status, headers, body: Buffer.from(await readBody(body)) }
  }

/** Starts the Node host on a free port. It logs only failures. */
export const startSiteServer = async (outDir: string, search?: SearchBackend) => {
  const source = openGenerations(outDir, search, answerMcpOnDemand)
  await source.current()
  const log = createLog((line) => process.stderr.write(line), true)
  const server = createSiteServer(source, log)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { port, stop }
}

/** Sends raw bytes in the given chunks, and collects the reply until the connection is closed. */
export const sendRaw = (port: number, chunks: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    socket.on('data', (data) => (text += data.toString('latin1')))
    // A reset connection also counts as closed.
    socket.on('error', () => undefined)
    socket.on('end', () => socket.destroy())
    socket.on('close', () => resolve(text))
    void (async () => {
      for (const chunk of chunks) {
        socket.write(Buffer.from(chunk, 'latin1'))
        await new Promise((next) => setTimeout(next, 15))
      }
    })()
  })
