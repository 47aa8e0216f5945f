import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishFixture, writeFixture } from '../testing/fixture.ts'
import { needsRawTarget } from '../testing/contract/clause.ts'
import { CONTRACT, asPrivate } from '../testing/contract/contract.ts'
import { failOn, testContract } from '../testing/contract/tests.ts'
import { makeSampleFolder, removeFolders } from '../testing/sample-folders.ts'
import { createFetch } from './fetch.ts'
import { answerMcpOnDemand } from './mcp/on-demand.ts'
import { openSite } from './site.ts'
import type { ServedSite } from './site.ts'
import { createStore } from './store.ts'
import {
  sendToHandler,
  sendInProcess,
  sendOverHttp,
  startSiteServer,
} from '../testing/contract/requests.ts'

const FILES = writeFixture('one')
const outDir = makeSampleFolder()
publishFixture(outDir, 'one')
afterAll(removeFolders)

describe('in process, from memory', () => {
  let site: ServedSite
  beforeAll(async () => {
    site = await openSite(createStore((name) => FILES[name]))
  })
  testContract(() => sendInProcess(site, failOn))
})

describe('private registry, in process', () => {
  const files = writeFixture('one', true)
  let site: ServedSite
  beforeAll(async () => {
    site = await openSite(createStore((name) => files[name]))
  })
  testContract(() => sendInProcess(site, failOn), asPrivate(CONTRACT))

  test('robots.txt disallows everything', () => {
    expect(files['public/robots.txt']).toMatch(/^User-agent: \*\nDisallow: \/\n\n/)
    expect(FILES['public/robots.txt']).toBe(
      'User-agent: *\nAllow: /\n\nSitemap: https://skills.example/sitemap.xml\n',
    )
  })
})

describe('through Request and Response', () => {
  const clauses = CONTRACT.filter((clause) => !needsRawTarget(clause))
  const handler = createFetch(
    createStore((name) => FILES[name]),
    { report: failOn, mcp: answerMcpOnDemand },
  )
  testContract(() => sendToHandler(handler), clauses)
})

describe('over HTTP', () => {
  let server: Awaited<ReturnType<typeof startSiteServer>>
  beforeAll(async () => {
    server = await startSiteServer(outDir)
  })
  afterAll(() => server.stop())
  testContract(() => sendOverHttp(server.port))
})
