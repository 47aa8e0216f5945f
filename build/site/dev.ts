import { fork, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createServer, request as sendRequest } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { watch } from 'chokidar'
import { DISK_REMEDIES } from '../../src/catalog/disk-errors.ts'
import { html } from '../../src/documents/prose/markup.ts'
import { PROJECT_ROOT, readSettings } from './settings.ts'

// `npm run dev`: builds what changed and serves it with the Node host. Each build and each host is a new process, which
// loads changed code. This server is a proxy between the host and the browser. It adds a script that reloads pages.

const port = Number(process.env['PORT'] || 4321)
const { contentFolder, outputFolder, siteUrl } = readSettings({
  OUT_DIR: resolve('node_modules/.cache/registry-dev'),
  SITE_URL: `http://localhost:${port}`,
  ...process.env,
})
const environment = { ...process.env, OUT_DIR: outputFolder, SITE_URL: siteUrl, PORT: '0' }

const BUILD = new URL('./main.mjs', import.meta.url)
const HOST = fileURLToPath(new URL('../../functions/hosts/node.mjs', import.meta.url))
const PAGE_SCRIPT = new URL('./dev-page.js', import.meta.url)

const SCRIPT = { path: '/@dev.js', tag: '<script type="module" src="/@dev.js"></script>' }
const NEWS_PATH = '/@dev/news'
const CODE = ['src', 'build/machine', 'build/site', 'functions', 'extras']
  .map((path) => join(PROJECT_ROOT, path))
  // An installed package has fewer folders.
  .filter((folder) => existsSync(folder))

/** Milliseconds to wait after the last change of a file before building. */
const DELAY = 60

/** The state sent to browsers: the time of the build to show, and the problems of a later, failed build. */
const news = { build: 0, problems: [] as string[] }
const browsers = new Set<ServerResponse>()

const sendNews = (browser: ServerResponse): boolean =>
  browser.write(`data: ${JSON.stringify(news)}\n\n`)

let builder: ChildProcess | undefined

/** Builds; returns the problems if it failed. */
const build = async (): Promise<string[]> => {
  const child = (builder = fork(BUILD, ['--drafts', '--trial'], { env: environment }))
  let problems: string[] = []
  child.on('message', (message) => (problems = message as string[]))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0 || problems.length > 0 ? problems : [`The build ended with code ${code}.`]
}

interface Host {
  child: ChildProcess
  port: number
  ended: Promise<unknown>
}
let host: Host | undefined

/** Replaces the host with a new process; returns the problems if it did not start. */
const restartHost = async (): Promise<string[]> => {
  const last = host
  host = undefined
  last?.child.kill()
  await last?.ended
  const child = spawn(process.execPath, [HOST], {
    env: { ...environment, HOST: 'localhost', LOG: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => {
    const problems = [`The server ended with code ${code}; it starts again when a file changes.`]
    if (host?.child === child) {
      host = undefined
      news.problems = problems
      browsers.forEach(sendNews)
    }
    return problems
  })
  const started = once(createInterface(child.stdout), 'line') as Promise<[string]>
  const line = await Promise.race([started, ended])
  if (child.exitCode !== null || child.signalCode !== null) return ended
  host = { child, port: Number(/\d+$/.exec(line[0]!)?.[0]), ended }
  return []
}

let isBuilding = false
let isChanged = false
let isCodeChanged = false

const update = async (): Promise<void> => {
  isChanged = true
  if (isBuilding) return
  isBuilding = true
  while (isChanged) {
    isChanged = false
    news.problems = await build()
    if (news.problems.length === 0 && (isCodeChanged || !host)) {
      isCodeChanged = false
      news.problems = await restartHost()
    }
    if (news.problems.length === 0) news.build = Date.now()
    browsers.forEach(sendNews)
  }
  isBuilding = false
}

const showProblems = (response: ServerResponse): void => {
  const words = news.problems.length > 0 ? news.problems.join('\n') : 'The site is being built.'
  response.writeHead(503, { 'Content-Type': 'text/html; charset=utf-8' })
  response.end(
    `<!doctype html><title>No site yet</title>${html`<pre>${words}</pre>`.html}${SCRIPT.tag}`,
  )
}

const forward = (request: IncomingMessage, response: ServerResponse): void => {
  const { method, url: path, headers } = request
  const forwarded = sendRequest({
    port: host!.port,
    method,
    path,
    headers: { ...headers, 'accept-encoding': '' },
  })
  forwarded.on('error', () => (response.headersSent ? response.destroy() : showProblems(response)))
  forwarded.on('response', (answer) => {
    const isPage = answer.headers['content-type']?.startsWith('text/html') && method === 'GET'
    if (isPage) delete answer.headers['content-length']
    response.writeHead(answer.statusCode!, answer.headers)
    answer.on('error', () => response.destroy())
    answer.on('end', () => response.end(isPage ? SCRIPT.tag : ''))
    answer.pipe(response, { end: false })
  })
  request.pipe(forwarded)
}

const server = createServer((request, response) => {
  if (request.url === SCRIPT.path) {
    response.setHeader('Content-Type', 'text/javascript')
    response.end(readFileSync(PAGE_SCRIPT))
  } else if (request.url === NEWS_PATH) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
    browsers.add(response.on('close', () => browsers.delete(response)))
    sendNews(response)
  } else if (host) forward(request, response)
  else showProblems(response)
})

let pause: ReturnType<typeof setTimeout> | undefined
const updateSoon = (): void => {
  clearTimeout(pause)
  pause = setTimeout(() => void update(), DELAY)
}

/** Remedies when watching fails, by error code. */
const WATCH_REMEDIES: Readonly<Record<string, string>> = {
  ...DISK_REMEDIES,
  ENOSPC: 'raise fs.inotify.max_user_watches (sysctl), or run `npm run build` and `npm run serve`',
  // Also if the user has too many watchers: inotify_init(2) does not tell the two apart.
  EMFILE:
    'raise fs.inotify.max_user_instances (sysctl) or the number of open files (ulimit -n), or run `npm run build` and `npm run serve`',
}

/** Watches files and folders, but does not follow links inside them: an author's link could point to the whole disk. */
const watchFolders = async (folders: readonly string[], onChange: () => void): Promise<void> => {
  const places = folders.map((path) => (existsSync(path) ? realpathSync(path) : path))
  const watcher = watch(places, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: /[/\\]\.git(?:[/\\]|$)/,
  })
  watcher.on('all', onChange)
  watcher.on('error', (error) => {
    const { code = '', message } = error as NodeJS.ErrnoException
    console.error(
      `Files cannot be watched: ${WATCH_REMEDIES[code] ?? 'see the error'} (${message})`,
    )
    process.exit(1)
  })
  await once(watcher, 'ready')
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    builder?.kill()
    host?.child.kill()
    process.exit()
  })
server.on('error', ({ message }) => {
  console.error(`${message}; set PORT to a port that is free.`)
  process.exit(1)
})
server.listen(port, 'localhost')
await once(server, 'listening')
await watchFolders([contentFolder], updateSoon)
await watchFolders(CODE, () => {
  isCodeChanged = true
  updateSoon()
})
console.log(`Serving ${contentFolder} on ${siteUrl}`)
// Serve the last build until there is a newer one.
if (existsSync(join(outputFolder, 'current'))) await restartHost()
await update()
