import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONTRACT } from './contract.ts'
import type { Answered, Clause } from './clause.ts'
import { ORIGIN, publishFixture, writeFixture } from './fixture.ts'
import { openDiskStore } from './hosts/disk-store.ts'
import { openMemoryStore } from './memory-store.ts'
import { openSite } from './site.ts'
import type { Site } from './site.ts'
import { askInProcess, askOverHttp, startServer } from './transports.ts'
import type { Ask } from './transports.ts'

const outDir = mkdtempSync(join(tmpdir(), 'contract-'))
publishFixture(outDir, 'one')
afterAll(() => rmSync(outDir, { recursive: true }))

const titleOf = ({ line, headers, gives }: Clause): string => {
  const fields = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`)
  const shown = line.length > 90 ? `${line.slice(0, 90)}…` : line
  return `${shown}${fields.join('')} -> ${gives}`
}

/** What an envelope has to be: the code, and every part filled. */
const envelopeOf = (code: string): object => ({
  error: {
    code,
    message: expect.stringMatching(/./),
    hint: expect.stringMatching(/./),
    docs: `${ORIGIN}/openapi.json`,
  },
})

const bodyOf = ({ gives, body: wanted }: Clause, body: Buffer): unknown => {
  if (gives.includes(' ')) return JSON.parse(body.toString())
  if (wanted instanceof RegExp) return body.toString()
  return wanted === undefined ? undefined : body.toString('latin1')
}

const wantedBody = ({ gives, body }: Clause): unknown => {
  const [, code] = gives.split(' ')
  if (code !== undefined) return envelopeOf(code)
  if (body instanceof RegExp) return expect.stringMatching(body)
  return body === undefined ? undefined : Buffer.from(body as string).toString('latin1')
}

/** The parts of an answer that a clause speaks of. */
const observe = (clause: Clause, { status, headers, body }: Answered): object => ({
  status: String(status),
  ...Object.fromEntries(Object.keys(clause.has).map((name) => [name, headers.get(name)])),
  nosniff: headers.get('x-content-type-options'),
  body: bodyOf(clause, body),
})

const expected = (clause: Clause): object => ({
  status: clause.gives.split(' ')[0],
  ...Object.fromEntries(
    Object.entries(clause.has).map(([name, value]) => [
      name,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]),
  ),
  nosniff: clause.gives === '204' ? null : 'nosniff',
  body: wantedBody(clause),
})

const hold = (ask: () => Ask): void => {
  const titled = CONTRACT.map((clause) => [titleOf(clause), clause] as const)
  test.for(titled)('%s', async ([, clause]) => {
    expect(observe(clause, await ask()(clause))).toEqual(expected(clause))
  })
}

const failOn = (cause: unknown): void => {
  throw cause as Error
}

describe('in process, from memory', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite(openMemoryStore(writeFixture('one')))
  })
  hold(() => askInProcess(site, failOn))
})

describe('in process, from disk', () => {
  let site: Site
  beforeAll(async () => {
    site = await openSite(openDiskStore(join(outDir, 'current')))
  })
  hold(() => askInProcess(site, failOn))
})

describe('over HTTP', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  beforeAll(async () => {
    server = await startServer(outDir)
  })
  afterAll(() => server.stop())
  hold(() => askOverHttp(server.port))
})
