import { ORIGINS } from './stats.ts'
import type { CatalogStats } from './stats.ts'

const renderTable = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  )
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  '),
  )
}

const renderCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

/** Renders the counts of a catalog for a person. */
export const renderStats = ({ skills, parts, difficulties, categories }: CatalogStats): string =>
  [
    `${skills} ${skills === 1 ? 'skill' : 'skills'}`,
    '',
    ...renderTable([
      [
        'part',
        'found',
        'share',
        ...ORIGINS.map((origin) => (origin === 'none' ? 'not stated' : origin)),
      ],
      ...parts.map(({ part, found, share, origins }) => [
        part,
        String(found),
        `${(share * 100).toFixed(1)} %`,
        ...ORIGINS.map((origin) => String(origins[origin])),
      ]),
    ]),
    '',
    `Difficulty: ${renderCounts(difficulties)}`,
    `Category: ${renderCounts(categories)}`,
  ].join('\n')
