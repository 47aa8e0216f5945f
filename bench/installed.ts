import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Packages of the programs that are measured beside ours; they are in bench/package.json alone. */
export const BENCH_MODULES = join(import.meta.dirname, 'node_modules')

/** Why a package of bench/package.json cannot be used, in one sentence; undefined where it can. */
export const findMissing = (name: string): string | undefined =>
  existsSync(join(BENCH_MODULES, name))
    ? undefined
    : `${name} is not installed (run npm ci --prefix bench)`
