import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ORIGIN } from '../fixture.ts'
import { askOverHttp } from '../contract/ask.ts'
import type { ContractClause } from '../contract/clause.ts'
import { CONTRACT } from '../contract/contract.ts'
import { titleOf } from '../contract/judge.ts'
import { holdTo, renderHeld } from '../contract/table.ts'

/** What packaging may cost. */
const BARS = { imageMegabytes: 140, residentMegabytes: 90, stopMilliseconds: 1_000 }

const MEGABYTE = 1e6

const readResident = (pid: number): number =>
  (Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024) /
  MEGABYTE

const isMcp = (clause: ContractClause): boolean => titleOf(clause).includes('/mcp')

/**
 * Builds the image of a written `container` without a daemon, and holds what runs of it, as user 1000 and below its
 * root alone, to the contract. Needs root.
 */
export const tryImage = async (written: string, folder: string, port: number): Promise<string> => {
  const storage = ['--storage-driver', 'vfs', '--root', join(folder, 'store')]
  const buildah = (...args: string[]): string =>
    execFileSync('buildah', [...storage, '--runroot', join(folder, 'run'), ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  buildah('build', '--isolation', 'chroot', '-t', 'registry', written)
  const [image] = JSON.parse(
    buildah('inspect', '--type', 'image', 'registry').replace(/^\[?/, '[').replace(/\]?$/, ']'),
  ) as [{ OCIv1: { config: { Env: string[]; Cmd: string[]; User: string } } }]
  const { Env: env, Cmd: command, User: user } = image.OCIv1.config
  const size = Number(
    /([\d.]+) MB/.exec(buildah('images', '--format', '{{.Size}}', 'registry'))?.[1],
  )
  const root = buildah('mount', buildah('from', 'registry'))
  const given = Object.fromEntries(env.map((one) => one.split('=') as [string, string]))
  const child = spawn('/usr/sbin/chroot', [`--userspec=${user}`, root, ...command], {
    env: { ...given, HOST: '127.0.0.1', PORT: String(port), LOG: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await once(child.stdout, 'data')
    const hold = (clauses: typeof CONTRACT) =>
      holdTo(clauses, askOverHttp(port), { origin: ORIGIN, isParsed: false })
    const held = await hold(CONTRACT.filter((clause) => !isMcp(clause)))
    const resident = readResident(child.pid ?? 0)
    held.push(...(await hold(CONTRACT.filter(isMcp))))
    const lost = held.filter(({ breaches }) => breaches.length > 0)
    if (lost.length > 0) console.log(`buildah\n${renderHeld(lost)}\n`)
    const start = performance.now()
    child.kill('SIGTERM')
    await once(child, 'exit')
    const stop = performance.now() - start
    const { imageMegabytes, residentMegabytes, stopMilliseconds } = BARS
    return [
      `${held.length - lost.length} of ${held.length} clauses kept`,
      `image ${size} MB (${imageMegabytes} wanted)`,
      `${Math.round(resident)} MB resident after the contract without /mcp (${residentMegabytes} wanted)`,
      `${Math.round(stop)} ms from SIGTERM to the exit (${stopMilliseconds} wanted)`,
    ].join(', ')
  } finally {
    child.kill('SIGKILL')
    buildah('rm', '--all')
    rmSync(folder, { recursive: true, force: true })
  }
}
