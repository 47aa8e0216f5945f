import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ProcessCost } from './process-cost.ts'

/** What one build cost and made. */
export interface Measured extends Omit<ProcessCost, 'output'> {
  files: number
  /** Bytes of a skill's page, on average. */
  pageBytes?: number
  /** Pages of skills that equal ours byte for byte. */
  same?: number
}

/** Measurements of each round, by generator and change. */
export type Table = Map<string, Measured[]>

const COLUMNS = [
  'skills',
  'build',
  'CPU s, least (all)',
  'CPU ms a skill',
  'wall s, least',
  'peak MiB',
  'files',
  'bytes a page',
  'pages equal to ours',
]

const printRow = (cells: readonly (string | number)[]): void =>
  console.log(`| ${cells.join(' | ')} |`)

/** Adds a measurement to its row, and reports it on standard error. */
export const note = (table: Table, row: string, measured: Measured): void => {
  console.error(`${row}: ${measured.cpu.toFixed(1)} CPU s, ${measured.wall.toFixed(1)} s`)
  table.set(row, [...(table.get(row) ?? []), measured])
}

const least = (all: readonly Measured[], read: (one: Measured) => number): number =>
  all.reduce((min, one) => Math.min(min, read(one)), Infinity)

export const printTable = (rows: number, table: Table): void => {
  printRow(COLUMNS)
  printRow(COLUMNS.map(() => '---'))
  for (const [name, all] of table) {
    const cpu = least(all, (one) => one.cpu)
    printRow([
      rows,
      name,
      `${cpu.toFixed(1)} (${all.map((one) => one.cpu.toFixed(1)).join(', ')})`,
      ((cpu / rows) * 1_000).toFixed(2),
      least(all, (one) => one.wall).toFixed(1),
      Math.max(...all.map(({ memory }) => memory)),
      all.at(-1)?.files ?? 0,
      all.at(-1)?.pageBytes ?? '',
      all.at(-1)?.same ?? '',
    ])
  }
}

export const countFiles = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length

/** The file of each skill's page, by slug: `slug.html` or `slug/index.html`. */
export const findPages = (site: string): Map<string, string> =>
  new Map(
    readdirSync(join(site, 'skills'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.html') && !name.startsWith('page/'))
      .map((name) => [name.replace(/(?:\/index)?\.html$/, ''), join(site, 'skills', name)]),
  )

export const meanBytes = (pages: ReadonlyMap<string, string>): number => {
  const sum = [...pages.values()].reduce((bytes, path) => bytes + statSync(path).size, 0)
  return Math.round(sum / Math.max(1, pages.size))
}

/** Counts the pages that are equal byte for byte. */
export const countSame = (
  ours: ReadonlyMap<string, string>,
  theirs: ReadonlyMap<string, string>,
): number =>
  [...ours].filter(([slug, path]) => {
    const other = theirs.get(slug)
    return other !== undefined && readFileSync(path).equals(readFileSync(other))
  }).length
