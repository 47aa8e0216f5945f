import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { publishFixture, writeFixture } from '../testing/fixture.ts'
import { failOn, holdContract } from '../testing/hold-contract.ts'
import { openDiskStore } from './hosts/node/disk-store.ts'
import { openSite } from './site.ts'
import type { Site } from './site.ts'
import { createStore } from './store.ts'
import { askInProcess, askOverHttp, startServer } from '../testing/transports.ts'

const FILES = writeFixture('one')
const outDir = mkdtempSync(join(tmpdir(), 'contract-'))
publishFixture(outDir, 'one')
afterAll(() => rmSync(outDir, { recursive: true }))

describe('in process, from memory', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite(createStore((name) => FILES[name]))
  })
  holdContract(() => askInProcess(site, failOn))
})

describe('in process, from disk', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite(openDiskStore(join(outDir, 'current')))
  })
  holdContract(() => askInProcess(site, failOn))
})

describe('over HTTP', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  beforeAll(async () => {
    server = await startServer(outDir)
  })
  afterAll(() => server.stop())
  holdContract(() => askOverHttp(server.port))
})
