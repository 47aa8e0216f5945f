import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishFixture, writeFixture } from '../../../testing/fixture.ts'
import { chooseFreePort } from '../../../testing/free-port.ts'
import { makeSampleFolder, removeFolders } from '../../../testing/sample-folders.ts'
import { readServerSettings } from './settings.ts'

const HOST = fileURLToPath(new URL('../node.mjs', import.meta.url))
const LARGE = 40_000_000
let outDir: string
const running: ChildProcess[] = []
beforeAll(() => {
  outDir = makeSampleFolder()
  const large = { 'public/skills/csv-clean/large.bin': new Uint8Array(LARGE) }
  publishFixture(outDir, 'one', { ...writeFixture(), ...large })
})
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  removeFolders()
})

/** `uid` is used only by root. */
const start = (settings: Record<string, string>, uid = 0) => {
  const { PORT: _port, HOST: _host, LOG: _log, SEARCH_URL: _url, ...environment } = process.env
  const child = spawn(process.execPath, [HOST], {
    env: { ...environment, PORT: '0', OUT_DIR: outDir, ...settings },
    ...(process.getuid?.() === 0 ? { uid } : {}),
  })
  running.push(child)
  const printed = { out: '', errors: '' }
  child.stdout.on('data', (data) => (printed.out += String(data)))
  child.stderr.on('data', (data) => (printed.errors += String(data)))
  const exit = once(child, 'exit').then(([code]) => code as number)
  return { child, printed, exit }
}

const until = async (isSo: () => boolean): Promise<void> => {
  for (let attempt = 0; attempt < 400 && !isSo(); attempt += 1) {
    await new Promise((next) => setTimeout(next, 25))
  }
}

const startReady = async (settings: Record<string, string> = {}, uid?: number) => {
  const started = start(settings, uid)
  await until(() => started.printed.out.includes('\n'))
  const url =
    /Serving \S+ on (http:[^\s"]+)/.exec(started.printed.out)?.[1] ?? started.printed.errors
  return { ...started, url, port: Number(new URL(url).port) }
}

const counted = (labels: string): string => `http_request_duration_seconds_count{${labels}}`

describe('node functions/hosts/node.mjs', () => {
  test('an older Node -> the message names the needed and the found version', async () => {
    const older = `Object.defineProperty(process, 'versions', { value: { node: '20.20.2' } })`
    const preload = `--import=data:text/javascript,${encodeURIComponent(older)}`
    const { printed, exit } = start({ NODE_OPTIONS: preload })
    expect(await exit).toBe(1)
    expect(printed.errors).toMatch(
      /^Node 24 or later is needed; this is 20\.20\.2\. Run "npm install"/,
    )
    expect(printed.out).toBe('')
  })

  describe('a server', () => {
    let metricsPort: number
    let server: Awaited<ReturnType<typeof startReady>>
    beforeAll(async () => {
      metricsPort = await chooseFreePort()
      server = await startReady({ METRICS_PORT: String(metricsPort) })
    })

    test('has the metrics for Prometheus at METRICS_PORT, and not on the site', async () => {
      const { url, printed } = server
      await until(() => printed.out.includes('Metrics on'))
      for (const path of ['/skills', '/skills', '/nope', '/api/v1/skills?sort=x', '/healthz']) {
        await (await fetch(url + path)).text()
      }
      const answer = await fetch(`http://localhost:${metricsPort}/metrics`)
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4')
      const text = await answer.text()
      const lines = text.trimEnd().split('\n')
      expect(lines).toContain(`${counted('kind="page",status="200"')} 2`)
      expect(lines).toContain(`${counted('kind="refused",status="400"')} 1`)
      expect(lines).toContain(`${counted('kind="probe",status="200"')} 1`)
      expect(lines).toContain('registry_build_info{generation="one"} 1')
      expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m)
      expect(text).toMatch(/^http_connections [1-9]/m)
      expect((await fetch(`http://localhost:${metricsPort}/skills`)).status).toBe(404)
      expect((await fetch(`${url}/metrics`)).status).toBe(404)
    })

    test('prints its address, and logs a line of JSON for each request', async () => {
      const { url, port, printed } = server
      const headers = { Accept: 'text/markdown', 'User-Agent': 'a'.repeat(999) }
      await fetch(`${url}/skills`, { headers })
      await until(() => printed.out.includes('markdown'))
      const lines = printed.out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object)
      const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)
      expect(lines[0]).toEqual({ time, message: `Serving ${outDir} on http://localhost:${port}` })
      const expected = {
        method: 'GET',
        path: '/skills',
        status: 200,
        form: 'markdown',
        agent: 'a'.repeat(200),
        remote: expect.stringMatching(/1$/),
        time,
      }
      expect(lines).toContainEqual(expect.objectContaining(expected))
    })

    test('at its port, another one -> one line with the remedy, and exit code 1', async () => {
      const { exit, printed } = start({ PORT: String(server.port) })
      expect(await exit).toBe(1)
      expect(printed.errors).toMatch(
        new RegExp(`^Port ${server.port} on 127\\.0\\.0\\.1 is in use; .*PORT.*\\n$`),
      )
    })

    test('goes on when its standard output is closed; SIGTERM -> exit code 0, although a client does not read its answer', async () => {
      const { url, port, child, exit } = server
      child.stdout.destroy()
      for (let request = 0; request < 3; request += 1)
        expect((await fetch(`${url}/llms.txt`)).status).toBe(200)
      const socket = connect(port, '127.0.0.1')
      socket.write('GET /skills/csv-clean/large.bin HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(socket, 'readable')
      child.kill('SIGTERM')
      expect(await exit).toBe(0)
      socket.destroy()
    })
  })

  test.for([
    [{ HOST: '192.0.2.1' }, 'HOST="192.0.2.1"'],
    [{ SEARCH_URL: 'mysql://u:secret@h/d' }, 'SEARCH_URL is not an address of PostgreSQL'],
  ] as [Record<string, string>, string][])(
    '%j -> one line with the remedy, and exit code 1',
    async ([settings, named]) => {
      const { exit, printed } = start(settings)
      expect(await exit).toBe(1)
      expect(printed.errors.trim().split('\n')).toHaveLength(1)
      expect(printed.errors).toContain(named)
      expect(printed.errors).not.toContain('secret')
    },
  )

  test.for([
    [{ PORT: 'http' }, 'PORT="http"'],
    [{ PORT: '65536' }, 'PORT="65536"'],
    [{ METRICS_PORT: 'x' }, 'METRICS_PORT="x"'],
    [{ LOG: 'no' }, 'LOG="no"'],
    [{ MCP: 'false' }, 'MCP="false"'],
  ] as [Record<string, string>, string][])('%j is refused', ([settings, named]) => {
    expect(() => readServerSettings(settings)).toThrow(named)
  })

  test('if the database of SEARCH_URL is down, everything except the search is served', async () => {
    const { url, printed, child, exit } = await startReady({
      SEARCH_URL: 'postgres://u:secret@127.0.0.1:1/none',
    })
    expect((await fetch(`${url}/skills`)).status).toBe(200)
    for (const path of ['/api/v1/skills?q=csv', '/skills?q=csv', '/readyz']) {
      const answer = await fetch(url + path)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10'])
    }
    child.kill('SIGTERM')
    expect(await exit).toBe(0)
    expect(printed.out).toContain('ECONNREFUSED')
    expect(printed.out).not.toMatch(/\\n +at /)
    expect(printed.out).not.toContain('secret')
  })

  test('without a build, it prints the remedy; a build that another user may not read -> it names the path, and answers when it may', async () => {
    const folder = makeSampleFolder()
    chmodSync(folder, 0o755)
    // Root may read everything.
    const { url, printed } = await startReady({ OUT_DIR: folder, LOG: 'off' }, 65_534)
    expect(printed.out).toMatch(/^Serving \S+ on http:\S+\n$/)
    expect(printed.errors).toBe(
      `There is no finished build in ${folder} yet: run "npm run build".\n`,
    )
    publishFixture(folder, 'one')
    chmodSync(folder, 0)
    const fault = `permission denied: ${join(folder, 'current')}; let the server's user read`
    const denied = await startReady({ OUT_DIR: folder, LOG: 'off' }, 65_534)
    for (const server of [url, denied.url]) {
      const ready = await fetch(`${server}/readyz`)
      expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining(fault)])
    }
    expect(denied.printed.errors).toContain(fault)
    chmodSync(folder, 0o755)
    chmodSync(join(folder, 'current/private/site.json'), 0)
    expect(await (await fetch(`${url}/readyz`)).text()).toContain('/private/site.json')
    chmodSync(join(folder, 'current/private/site.json'), 0o644)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect(printed.out).toMatch(/^Serving \S+ on http:\S+\n$/)
  })
})
