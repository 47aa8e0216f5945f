import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const CODE = '*.{ts,mjs,js,astro,css}'
const EXCLUDED = ['**/node_modules/**', '**/*.d.ts']

const isTest = (file: string): boolean =>
  file.endsWith('.test.ts') || /(?:^|\/)testing\//.test(file)

const sumLines = (root: string, files: readonly string[]): string =>
  files
    .reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0)
    .toLocaleString('en')

/** Reports the lines of the product, of the tests beside it, and of the folders for tests and benchmarks. */
export const reportLines = (root: string): string => {
  const find = (rooms: string): string[] =>
    globSync(`${rooms}/**/${CODE}`, { cwd: root, exclude: EXCLUDED })
  const rooms = find('{src,build,functions,extras}')
  const product = rooms.filter((file) => !isTest(file))
  const tests = rooms.filter((file) => isTest(file))
  return [
    `Lines: product ${sumLines(root, product)} in ${product.length} files`,
    `tests beside it ${sumLines(root, tests)}`,
    `testing, e2e and bench ${sumLines(root, find('{testing,e2e,bench}'))}`,
  ].join(', ')
}
