import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const ROOT = fileURLToPath(new URL('../', import.meta.url))

const run = (
  file: string,
  environment: NodeJS.ProcessEnv,
  options: readonly string[] = [],
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...options], { cwd: ROOT, env: environment })
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()))
    child.on('close', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`${file} ended with ${code}:\n${text}`))
    })
  })

/** Waits until a server prints its address; fails if it ends. */
export const waitForAddress = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /http:\/\/[^\s"]+/.exec(text)?.[0]
      if (address !== undefined) resolve(address)
    })
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)))
  })

/** Runs a command of the curator in a content folder. Throws its error output. */
export const runCatalog = (content: string, args: readonly string[]): void => {
  const command = ['build/catalog/main.ts', ...args, '--content', content]
  const { status, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** Returns a port that is free at the moment. */
export const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Copies some of the shipped skills into a content folder, with other values in `site.json`. */
export const copySkills = (slugs: readonly string[], record: object = {}): string => {
  const content = mkdtempSync(join(tmpdir(), 'skill-registry-content-'))
  for (const slug of slugs)
    cpSync(join(ROOT, 'content/skills', slug), join(content, 'skills', slug), { recursive: true })
  const shipped = JSON.parse(readFileSync(join(ROOT, 'content/site.json'), 'utf8')) as object
  writeFileSync(join(content, 'site.json'), JSON.stringify({ ...shipped, starter: [], ...record }))
  return content
}

/** A site that runs like an operator's. */
export interface RunningSite {
  /** Origin of the server, and of every absolute address of the build. */
  origin: string
  outputFolder: string
  /** Builds again, also with other options. The server then serves the newer site. */
  rebuild: (options?: readonly string[]) => Promise<void>
  /** With `LOG: 'on'`: the requests since the last call, as `GET /skills 200`, in the order in which they ended. */
  takeRequests: () => Promise<string[]>
  stop: () => Promise<void>
}

/** The log of a server: a line of JSON for each request. */
class RequestLines {
  readonly #lines: AsyncIterator<string>

  constructor(log: Readable) {
    this.#lines = createInterface(log)[Symbol.asyncIterator]()
  }

  /** Waits until a request for `path` is logged; fails if the server ends. Returns the requests before it. */
  async takeUpTo(path: string): Promise<string[]> {
    const taken: string[] = []
    for (;;) {
      const { value: line, done } = await this.#lines.next()
      if (done === true) throw new Error(`the server ended without a request for ${path}`)
      if (line.includes(JSON.stringify(path))) return taken
      const { method, path: target, status } = JSON.parse(line) as Record<string, string>
      if (method !== undefined) taken.push(`${method} ${target} ${status}`)
    }
  }
}

/** Builds the shipped catalog for an address of this machine, and serves it in another process. */
export const startSite = async (
  changes: NodeJS.ProcessEnv = {},
  options: readonly string[] = [],
): Promise<RunningSite> => {
  const outputFolder = mkdtempSync(join(tmpdir(), 'skill-registry-e2e-'))
  const port = await findFreePort()
  const environment = {
    ...process.env,
    PORT: String(port),
    SITE_URL: `http://localhost:${port}`,
    OUT_DIR: outputFolder,
    LOG: 'off',
    ...changes,
  }
  await run('build/site/main.mjs', environment, options)
  const server = spawn(process.execPath, ['functions/hosts/node.mjs'], {
    cwd: ROOT,
    env: environment,
  })
  const lines = new RequestLines(server.stdout)
  const origin = await waitForAddress(server)
  let marks = 0
  return {
    origin,
    outputFolder,
    rebuild: (others) => run('build/site/main.mjs', environment, others),
    takeRequests: async () => {
      marks += 1
      const mark = `/robots.txt?mark=${marks}`
      await (await fetch(origin + mark)).arrayBuffer()
      return lines.takeUpTo(mark)
    },
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve))
      server.kill('SIGTERM')
      await ended
      rmSync(outputFolder, { recursive: true, force: true })
    },
  }
}
