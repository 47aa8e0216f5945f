import childProcess from 'node:child_process'
import fs from 'node:fs'
import type { PathLike } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'

// Records writes below a folder and simulates what a power cut may leave. Until a flush, any name may or may not be on
// disk, independent of others, and a file may be empty, truncated, zeroed or unchanged.

type Folder = Map<string, Inode>

/** A file by its identity, which renames and links keep: a folder, a file or a symbolic link. */
interface Inode {
  folder?: Folder
  target?: string
}

/** A pending write: directory entries (atomic) or the bytes of a file. */
type Effect = { names: Named[] } | { file: Inode; bytes: Buffer }

type Named = [folder: Inode, name: string, to: Inode | undefined]

/** An effect, or a flush of everything or of one file or folder. */
type Event = Effect | { wait: Inode | 'all' }

/** The disk: entries by folder, bytes by file. */
interface Disk {
  names: Map<Inode, Folder>
  bytes: Map<Inode, Buffer>
}

type Random = (bound: number) => number

const openRandom = (seed: number): Random => {
  let drawn = 0
  return (bound) => crc32(`${seed} ${(drawn += 1)}`) % bound
}

const EMPTY = Buffer.alloc(0)
const SECTOR = 4_096

const applyTo = (disk: Disk, effect: Effect): void => {
  if ('file' in effect) return void disk.bytes.set(effect.file, effect.bytes)
  for (const [folder, name, to] of effect.names) {
    const names = disk.names.get(folder) ?? new Map<string, Inode>()
    disk.names.set(folder, names)
    if (to) names.set(name, to)
    else names.delete(name)
  }
}

const isAbout = (effect: Effect, inode: Inode): boolean =>
  'file' in effect ? effect.file === inode : effect.names.some(([folder]) => folder === inode)

const sharesName = (one: Effect, other: Effect): boolean =>
  'names' in one &&
  'names' in other &&
  one.names.some(([folder, name]) => other.names.some((of) => of[0] === folder && of[1] === name))

/** Removes from `pending` the effects that a flush makes durable, with their dependencies. */
const takeDurable = (pending: Effect[], inode: Inode): Effect[] => {
  const durable = new Set<Effect>()
  for (let at = pending.length - 1; at >= 0; at -= 1) {
    const effect = pending[at]!
    if (isAbout(effect, inode) || [...durable].some((later) => sharesName(effect, later)))
      durable.add(effect)
  }
  const taken = pending.filter((effect) => durable.has(effect))
  pending.splice(0, pending.length, ...pending.filter((effect) => !durable.has(effect)))
  return taken
}

/** Bytes that a file may have after a cut, of those it had and those it was given. */
const tear = (before: Buffer, after: Buffer, random: Random): Buffer => {
  const sectors = Buffer.from(after)
  for (let at = 0; at < Math.min(before.length, after.length); at += SECTOR)
    if (random(2) === 0) before.copy(sectors, at, at, at + SECTOR)
  const torn = [EMPTY, before, after, after.subarray(0, after.length >> 1)]
  return [...torn, Buffer.alloc(after.length), sectors][random(6)]!
}

/** How a disk loses what nobody waited for: all of it, all bytes but no name, any part of it, or any but of the newest. */
const MANNERS = ['all', 'bytes', 'any', 'old'] as const

/** Effects that count as the newest. */
const NEWEST = 8

/** Applies the unflushed effects that reached the disk anyway. */
const applySome = (disk: Disk, pending: readonly Effect[], seed: number): void => {
  const [manner, random] = [MANNERS[seed % MANNERS.length], openRandom(seed)]
  if (manner === 'all') return
  const lost = new Set<Inode>()
  for (const [at, effect] of pending.entries()) {
    const isNewest = manner === 'old' && at >= pending.length - NEWEST
    if ('file' in effect) {
      const { file, bytes } = effect
      const before = disk.bytes.get(file) ?? EMPTY
      const left = manner === 'bytes' ? EMPTY : tear(before, bytes, random)
      disk.bytes.set(file, isNewest ? bytes : left)
      continue
    }
    // A folder has one place only, so its moves reach the disk in order.
    const folders = effect.names.flatMap(([, , to]) => (to?.folder ? [to] : []))
    const isKept = isNewest || manner === 'bytes' || random(2) === 0
    if (isKept && !folders.some((one) => lost.has(one))) applyTo(disk, effect)
    else for (const one of folders) lost.add(one)
  }
}

const layOut = (disk: Disk, folder: Inode, path: string, placed = new Map<Inode, string>()) => {
  fs.mkdirSync(path, { recursive: true })
  for (const [name, inode] of disk.names.get(folder) ?? []) {
    const place = join(path, name)
    const other = placed.get(inode)
    if (inode.folder) layOut(disk, inode, place, placed)
    else if (inode.target !== undefined) fs.symlinkSync(inode.target, place)
    else if (other !== undefined) fs.linkSync(other, place)
    else fs.writeFileSync(place, disk.bytes.get(inode) ?? EMPTY)
    placed.set(inode, place)
  }
}

/** What was written below a folder, in order. */
export interface Recording {
  /** How many calls there were until now. */
  readonly length: number
  /** Whether a replay of all calls reproduces the folder. */
  isComplete: () => boolean
  /** Lays out what a power cut after `length` calls may leave, one way for each seed. */
  cut: (length: number, seed: number, to: string) => void
  stop: () => void
}

/**
 * Records the calls of this thread to node:fs below a folder; what is there already counts as on the disk. SQLite
 * does not use node:fs, so its files in the folders `watched` are compared before each call.
 */
export const recordWrites = (root: string, watched: readonly string[] = []): Recording => {
  const real = { ...fs }
  const undo: (() => void)[] = []
  const events: Event[] = []
  const top: Inode = { folder: new Map() }
  const bytesOf = new Map<Inode, Buffer>()
  /** The system's numbers of files that another process may have put in the place of others. */
  const numberOf = new Map<Inode, number>()
  const byNumber = new Map<number, Inode>()
  const opened = new Map<number, string>()
  let depth = 0

  const isInside = (path: unknown): path is string =>
    typeof path === 'string' && (path === root || path.startsWith(`${root}/`))

  const find = (path: string): Inode | undefined =>
    path === root ? top : find(dirname(path))?.folder?.get(basename(path))

  const name = (...names: Named[]): void => {
    for (const [folder, of, to] of names) {
      if (to) folder.folder!.set(of, to)
      else folder.folder!.delete(of)
    }
    events.push({ names })
  }

  const forget = (path: string): void => {
    for (const child of find(path)?.folder?.keys() ?? []) forget(join(path, child))
    name([find(dirname(path))!, basename(path), undefined])
  }

  const remember = (path: string, stats: fs.Stats): Inode => {
    const known = find(path)
    if (known) return known
    const inode: Inode = (stats.isFile() && byNumber.get(stats.ino)) || {}
    if (stats.isDirectory()) inode.folder = new Map()
    else if (stats.isSymbolicLink()) inode.target = real.readlinkSync(path)
    name([compare(dirname(path), false)!, basename(path), inode])
    return inode
  }

  /** Records how a path differs from what is known of it. */
  const compare = (path: string, isDeep = true): Inode | undefined => {
    if (path === root && !isDeep) return top
    const stats = real.lstatSync(path, { throwIfNoEntry: false })
    const before = find(path)
    const isOther = (numberOf.get(before!) ?? stats?.ino) !== stats?.ino
    if (before && (isOther || stats?.isDirectory() !== (before.folder !== undefined))) forget(path)
    if (!stats) return undefined
    const inode = path === root ? top : remember(path, stats)
    if (inode.folder && isDeep) {
      const there = real.readdirSync(path)
      for (const child of new Set([...inode.folder.keys(), ...there])) compare(join(path, child))
    }
    if (!stats.isFile()) return inode
    numberOf.set(inode, stats.ino)
    byNumber.set(stats.ino, inode)
    const bytes = real.readFileSync(path)
    if (bytesOf.get(inode)?.equals(bytes) !== true) events.push({ file: inode, bytes })
    bytesOf.set(inode, bytes)
    return inode
  }

  const replace = <Args extends unknown[], Result>(
    of: object,
    called: string,
    by: (call: (...args: Args) => Result, args: Args) => Result,
  ): void => {
    const original = Reflect.get(of, called) as (...args: Args) => Result
    const around = (...args: Args): Result => {
      // Node's own functions may call each other.
      if (depth > 0) return original(...args)
      depth += 1
      try {
        return by(original, args)
      } finally {
        depth -= 1
      }
    }
    Object.assign(of, { [called]: around })
    undo.push(() => void Object.assign(of, { [called]: original }))
  }

  const compareWatched = (): void => {
    for (const folder of watched) if (real.existsSync(folder)) compare(folder)
  }

  const wait = (path: string | undefined): void => {
    const inode = path === undefined ? undefined : find(path)
    if (inode) events.push({ wait: inode })
  }

  const recordAt = (called: string, place: number): void =>
    replace(fs, called, (call: (...args: unknown[]) => unknown, args) => {
      const path = args[place]
      if (!isInside(path)) return call(...args)
      compareWatched()
      const result = call(...args)
      compare(path, called === 'cpSync' || called === 'rmSync')
      const options = args[place + 1 + Number(called === 'writeFileSync')] as { flush?: boolean }
      if (options?.flush === true) wait(path)
      return result
    })
  for (const called of ['writeFileSync', 'mkdirSync', 'unlinkSync', 'rmdirSync', 'rmSync'])
    recordAt(called, 0)
  recordAt('truncateSync', 0)
  for (const called of ['copyFileSync', 'cpSync', 'symlinkSync']) recordAt(called, 1)

  replace(fs, 'renameSync', (call: typeof fs.renameSync, [from, to]) => {
    if (!isInside(from) && !isInside(to)) return call(from, to)
    compareWatched()
    call(from, to)
    if (!isInside(from) || !isInside(to)) throw new Error(`${String(from)} is moved across ${root}`)
    const inode = find(from)!
    name(
      [find(dirname(from))!, basename(from), undefined],
      [find(dirname(to))!, basename(to), inode],
    )
  })
  replace(fs, 'linkSync', (call: typeof fs.linkSync, [from, to]) => {
    call(from, to)
    if (isInside(to)) name([find(dirname(to))!, basename(to), find(String(from))!])
  })
  replace(fs, 'openSync', (call: typeof fs.openSync, args) => {
    const descriptor = call(...args)
    if (isInside(args[0])) opened.set(descriptor, args[0])
    return descriptor
  })
  replace(fs, 'closeSync', (call: typeof fs.closeSync, [descriptor]) => {
    opened.delete(descriptor)
    call(descriptor)
  })
  replace(fs, 'fsyncSync', (_: typeof fs.fsyncSync, [descriptor]) => wait(opened.get(descriptor)))
  // Hides tmpfs, for which the code under test would skip flushes.
  replace(fs, 'statfsSync', (call: (path: PathLike) => fs.StatsFs, [path]) => {
    const stats = call(path)
    return isInside(path) ? { ...stats, type: 0 } : stats
  })
  replace(childProcess, 'spawnSync', (call: (...args: unknown[]) => unknown, args) => {
    const [program, [, path]] = args as [string, string[]]
    if (program !== 'sync' || !isInside(path)) return call(...args)
    compareWatched()
    return events.push({ wait: 'all' })
  })
  compare(root)
  events.push({ wait: 'all' })
  syncBuiltinESMExports()

  const replay = (length: number, finish: (disk: Disk, pending: Effect[]) => void): Disk => {
    const disk: Disk = { names: new Map(), bytes: new Map() }
    const pending: Effect[] = []
    for (const event of events.slice(0, length)) {
      if (!('wait' in event)) pending.push(event)
      else {
        const { wait: of } = event
        const durable = of === 'all' ? pending.splice(0) : takeDurable(pending, of)
        for (const effect of durable) applyTo(disk, effect)
      }
    }
    finish(disk, pending)
    return disk
  }

  return {
    get length() {
      return events.length
    },
    isComplete: () => {
      const { length } = events
      compare(root)
      return events.length === length
    },
    cut: (length, seed, to) => {
      const disk = replay(length, (on, pending) => applySome(on, pending, seed))
      layOut(disk, top, to)
    },
    stop: () => {
      compareWatched()
      for (const back of undo.splice(0)) back()
      syncBuiltinESMExports()
    },
  }
}
