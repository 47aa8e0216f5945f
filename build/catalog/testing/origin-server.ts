import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buildSite } from '../../site/build.ts'
import { createProgress } from '../../machine/progress.ts'
import { startSiteServer } from '../../../testing/contract/requests.ts'

/** Builds the site of a content folder and returns the folder to serve. */
export const buildFor = async (content: string, out: string): Promise<string> => {
  const settings = { contentFolder: content, outputFolder: out, siteUrl: 'https://origin.example' }
  await buildSite(settings, createProgress({ write: () => true }))
  return join(out, 'current/public')
}

interface Asked {
  path: string
  status: number
  authorization: string | undefined
}

/** Serves a registry whose responses a test can alter. */
export const startOrigin = async (out: string) => {
  const site = await startSiteServer(out)
  const asked: Asked[] = []
  const state: { alter: (path: string, bytes: Buffer) => Buffer | Response } = {
    alter: (_, bytes) => bytes,
  }
  const server = createServer(async ({ url = '', headers }, outgoing) => {
    const condition = headers['if-none-match']
    const answer = await fetch(`http://127.0.0.1:${site.port}${url}`, {
      headers: { 'Accept-Encoding': 'identity', ...(condition && { 'If-None-Match': condition }) },
    })
    const altered = state.alter(url, Buffer.from(await answer.arrayBuffer()))
    const { status, headers: fields } = altered instanceof Response ? altered : answer
    asked.push({ path: url, status, authorization: headers.authorization })
    const kept = ['etag', 'location'].flatMap((name): [string, string][] => {
      const value = fields.get(name)
      return value === null ? [] : [[name, value]]
    })
    outgoing.writeHead(status, Object.fromEntries(kept))
    outgoing.end(altered instanceof Response ? undefined : altered)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Returns the requests since the last call. */
    takeAsked: (): Asked[] => asked.splice(0),
    /** Alters responses from now on. */
    alter: (how: typeof state.alter = (_, bytes) => bytes): void => void (state.alter = how),
    stop: async (): Promise<void> => {
      server.close()
      server.closeAllConnections()
      await site.stop()
    },
  }
}
