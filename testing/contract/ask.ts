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
import type { Answered, Asked } from './clause.ts'
import type { Report } from '../../functions/answers.ts'
import { serve } from '../../functions/respond.ts'
import { readBody } from '../../functions/store.ts'
import type { SearchBackend } from '../../src/search/index.ts'
import type { ServedSite } from '../../functions/site.ts'

/** Sends a test's request to the site under test. */
export type AskSite = (asked: Asked) => Promise<Answered>

/** Answers in process, as any host would. */
export const askInProcess =
  (site: ServedSite, report: Report): AskSite =>
  async (asked) => {
    const { Accept, 'If-None-Match': ifNoneMatch, Range, 'If-Range': ifRange } = asked.headers
    const parts = { ...splitLine(asked), accept: Accept, ifNoneMatch, range: Range, ifRange }
    const { status, headers, body } = await serve(
      parts,
      { origin: site.origin, current: async () => site, mcp: answerMcpOnDemand },
      report,
    )
    return { status, headers: new Headers(headers), body: Buffer.from(await readBody(body)) }
  }

/** Requests an origin with the raw target, which `fetch` would normalize. */
export const askOrigin = (origin: string): AskSite => {
  const { protocol, hostname, port } = new URL(origin)
  const request = protocol === 'https:' ? requestOverTls : requestOverHttp
  return (asked) =>
    new Promise((resolve, reject) => {
      const { method, target: path } = splitLine(asked)
      const options = {
        host: hostname.replace(/[[\]]/g, ''),
        port,
        method,
        path,
        headers: asked.headers,
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

export const askOverHttp = (port: number): AskSite => askOrigin(`http://127.0.0.1:${port}`)

export const askHandler =
  (answer: (request: Request) => Promise<Response>): AskSite =>
  async (asked) => {
    const { method, target } = splitLine(asked)
    const asking = new Request(new URL(target, ORIGIN), { method, headers: asked.headers })
    const { status, headers, body } = await answer(asking)
    return { status, headers, body: Buffer.from(await readBody(body)) }
  }

/** Starts the host of Node on a free port; it logs failures alone. */
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

/** The bytes received on a connection until it closes or times out. */
interface RawReply {
  text: string
  isClosed: boolean
}

/** Sends bytes as they are, in the chunks given, and collects the reply; for tests. */
export const sendRaw = (
  port: number,
  chunks: readonly string[],
  { patience = 500 } = {},
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
    })()
  })
