// Preloaded before a build: sets the clock years ahead, and reverses the order of folder listings.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const AHEAD = 5_000 * 24 * 60 * 60 * 1_000

const { readdirSync } = fs
const listBackwards = (...args: Parameters<typeof readdirSync>): unknown[] =>
  readdirSync(...args).toReversed()
Object.assign(fs, { readdirSync: listBackwards })
syncBuiltinESMExports()

const Now = Date
const readClock = (): number => Now.now() + AHEAD
globalThis.Date = new Proxy(Now, {
  construct: (_, args, target) =>
    Reflect.construct(Now, args.length === 0 ? [readClock()] : args, target) as Date,
  get: (_, name) => (name === 'now' ? readClock : (Reflect.get(Now, name) as unknown)),
})
