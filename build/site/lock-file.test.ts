import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { on, once } from 'node:events'
import {
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { takeLockFile } from './lock-file.ts'
import { markProcess } from './processes.ts'

const LOCKS = 300

let folder = ''
const children: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'skill-registry-lock-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true })
})

const start = (command: string, ...args: string[]): ChildProcess & { pid: number } => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  return child as typeof child & { pid: number }
}

const take = (): string => {
  const path = join(folder, 'lock')
  takeLockFile(path, `${path}.new`, (holder) => new Error(`held by ${holder}`))
  expect(readdirSync(folder)).toEqual(['lock'])
  return readFileSync(path, 'utf8')
}

/** Whether this system tells when a process started. */
const isStartTold = existsSync('/proc/self/stat')

describe('a lock', () => {
  test.each<[string, () => string]>([
    ['an id that no process has', () => '999999999'],
    ['our own id, given again', () => String(process.pid)],
    ['nothing', () => ''],
    ['no number', () => '-1'],
    ['our own id, of another start', () => `${process.pid}-1`],
  ])('of %s -> ours', (_, holder) => {
    writeFileSync(join(folder, 'lock'), `${holder()}\n`)
    expect(take()).toBe(`${markProcess()}\n`)
  })

  test('whose maker was killed before it removed the other name -> ours', () => {
    const lock = join(folder, 'lock')
    writeFileSync(lock, '999999999\n')
    linkSync(lock, `${lock}.new`)
    expect(take()).toBe(`${markProcess()}\n`)
  })

  test('of a process that runs, by its id alone or with its start -> refused, and left', () => {
    const ours = isStartTold ? [markProcess()] : []
    for (const holder of [String(process.ppid), markProcess(process.ppid), ...ours]) {
      writeFileSync(join(folder, 'lock'), `${holder}\n`)
      expect(take, holder).toThrow(`held by ${holder.split('-')[0]}`)
      expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(`${holder}\n`)
    }
  })

  test('whose id another process was given since -> ours where the system tells of starts', () => {
    writeFileSync(join(folder, 'lock'), `${process.ppid}-1\n`)
    if (isStartTold) expect(take()).toBe(`${markProcess()}\n`)
    else expect(take).toThrow('held by')
  })

  test('of one that ended and is still listed -> ours where the system tells of it', async () => {
    // The shell becomes a program that never asks after the child it has.
    const parent = start('sh', '-c', 'sleep 0 & echo $!; exec sleep 60')
    const [text] = (await once(parent.stdout ?? parent, 'data')) as [Buffer]
    writeFileSync(join(folder, 'lock'), `${Number(text.toString())}\n`)
    await new Promise((resolve) => setTimeout(resolve, 200))
    if (isStartTold) expect(take()).toBe(`${markProcess()}\n`)
    else expect(take).toThrow('held by')
  })

  test('that a killed process was about to take over -> ours', () => {
    for (const name of ['lock', 'lock.takeover', 'lock.takeover.takeover'])
      writeFileSync(join(folder, name), '999999999\n')
    expect(take()).toBe(`${markProcess()}\n`)
  })
})

test(`${LOCKS} dead locks that four processes meet at once -> each has one holder`, async () => {
  const names = Array.from({ length: LOCKS }, (_, at) => `lock-${String(at).padStart(4, '0')}`)
  for (const name of names) writeFileSync(join(folder, name), '999999999\n')
  const program = fileURLToPath(new URL('testing/take-locks.ts', import.meta.url))
  const takers = Array.from({ length: 4 }, () => start(process.execPath, program, folder)).map(
    ({ stdout }) => on(createInterface({ input: stdout ?? process.stdin }), 'line'),
  )
  const read = async (lines: (typeof takers)[number]): Promise<string> =>
    ((await lines.next()).value as [string])[0]
  for (const taker of takers) expect(await read(taker)).toBe('ready')
  writeFileSync(join(folder, 'go'), '')
  const taken = (await Promise.all(takers.map(read))).flatMap(
    (line) => JSON.parse(line) as string[],
  )
  expect(taken.sort()).toEqual(names)
  expect(readdirSync(folder).sort()).toEqual(['go', ...names])
})
