import { globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { BENCH_MODULES } from './installed.ts'

const ROOT = join(import.meta.dirname, '..')
/** Below node_modules, so that packages are found as they are from the sources; one for each run. */
const PLAIN = join(ROOT, `node_modules/.cache/bench-${process.pid}`)

const toPlain = (source: string): string =>
  stripTypeScriptTypes(source).replaceAll(/(?<=(?:from |import\()'\.[^']*)\.ts(?=')/g, '.js')

/**
 * Writes the sources as plain JavaScript, which is what a bundled host runs: stripping types costs a Node
 * process some 40 MB. Returns the folder.
 */
export const writePlainSources = (): string => {
  process.on('exit', () => rmSync(PLAIN, { recursive: true, force: true }))
  const files = globSync(['{src,testing}/**/*.ts', 'bench/*.ts', 'bench/engines/*.ts'], {
    cwd: ROOT,
  })
  for (const file of files.filter((name) => !name.endsWith('.test.ts'))) {
    const target = join(PLAIN, file.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, toPlain(readFileSync(join(ROOT, file), 'utf8')))
  }
  writeFileSync(join(PLAIN, 'package.json'), '{ "type": "module" }\n')
  symlinkSync(BENCH_MODULES, join(PLAIN, 'bench/node_modules'))
  return PLAIN
}
