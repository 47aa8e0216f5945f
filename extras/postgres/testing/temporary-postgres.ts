import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Client } from 'pg'
import { chooseFreePort } from '../../../testing/free-port.ts'

/** Folders in which Debian and other systems install the server's programs; PATH is searched first. */
const INSTALLED = ['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/usr/local/pgsql/bin']

/** PostgreSQL refuses root, so a test that runs as root takes the id of `nobody`. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

const findPrograms = (): string | undefined => {
  const inPath = (process.env['PATH'] ?? '').split(delimiter)
  const folders = [...inPath, ...globSync(INSTALLED).sort().toReversed()]
  return folders.find((folder) => existsSync(join(folder, 'initdb')))
}

/** Folder of PostgreSQL's programs; undefined if PostgreSQL is not installed. */
export const POSTGRES = findPrograms()

/** If PostgreSQL is not installed, prints which tests are skipped. */
export const announceSkipped = (tests: string): void => {
  if (POSTGRES === undefined)
    process.stderr.write(`PostgreSQL is not installed, so ${tests} are skipped.\n`)
}

/** A server for one test file, which can be stopped and started again. */
export interface TemporaryPostgres {
  url: string
  start: () => Promise<void>
  stop: () => Promise<void>
  remove: () => Promise<void>
}

const waitUntilReady = async (url: string, child: ChildProcess): Promise<void> => {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}`)
    const client = new Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((next) => setTimeout(next, 50))
    }
  }
  throw new Error('postgres did not start')
}

/** A test server needs no crash safety, no Unix sockets, and no address but the loopback. */
const SERVER_OPTIONS = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'unix_socket_directories=',
  'listen_addresses=127.0.0.1',
].flatMap((option) => ['-c', option])

/** Creates a server with its files in a temporary folder, on a free port of the loopback address. */
export const createPostgres = async (): Promise<TemporaryPostgres> => {
  const programs = POSTGRES ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  if (USER) chownSync(folder, USER.uid, USER.gid)
  const options = { ...USER, cwd: folder, stdio: 'ignore' as const }
  const initial = ['-D', folder, '-A', 'trust', '-U', 'registry', '-E', 'UTF8', '--locale=C']
  execFileSync(join(programs, 'initdb'), [...initial, '--no-sync'], options)
  const port = await chooseFreePort()
  const url = `postgres://registry@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined

  const start = async (): Promise<void> => {
    const serverArguments = ['-D', folder, '-p', String(port), ...SERVER_OPTIONS]
    child = spawn(join(programs, 'postgres'), serverArguments, options)
    await waitUntilReady(url, child)
  }
  const stop = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null) return
    const ended = once(child, 'exit')
    // SIGINT is PostgreSQL's fast shutdown: it closes connections instead of waiting for them.
    child.kill('SIGINT')
    await ended
  }
  const remove = async (): Promise<void> => {
    await stop()
    rmSync(folder, { recursive: true })
  }
  process.once('exit', () => child?.kill('SIGQUIT'))
  return { url, start, stop, remove }
}
