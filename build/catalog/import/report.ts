import type { Category } from '../../../src/catalog/categories.ts'

/** A skill of the source that was not imported. */
export interface Skip {
  path: string
  kind: 'bad' | 'duplicate' | 'retired'
  reason: string
  remedy: string
}

/** Something about an imported skill that its author may want to know. */
export interface Warning {
  path: string
  message: string
}

/** What an import did with one skill. */
export interface Outcome {
  path: string
  slug: string
  id: number
  category: Category
}

/** A source that could not be read at all. */
export interface FailedSource {
  source: string
  reason: string
}

/** A record that the source no longer has. */
export interface GoneRecord {
  slug: string
  id: number
  url?: string
}

/** Everything an import did, or would do. */
export interface ImportReport {
  dryRun: boolean
  from: readonly string[]
  into: string
  imported: Outcome[]
  updated: Outcome[]
  unchanged: Outcome[]
  skipped: Skip[]
  gone: GoneRecord[]
  failed: readonly FailedSource[]
  warnings: Warning[]
  /** Files written and removed, paths inside the content folder. */
  written: string[]
  removed: string[]
}

/** Counts a report's lists, as the JSON form shows them first. */
export const countReport = (report: ImportReport) => ({
  imported: report.imported.length,
  updated: report.updated.length,
  unchanged: report.unchanged.length,
  skipped: report.skipped.length,
  gone: report.gone.length,
  failed: report.failed.length,
  warnings: report.warnings.length,
  written: report.written.length,
  removed: report.removed.length,
})

/** How each kind of skip is counted. */
const SKIP_KINDS: readonly { kind: Skip['kind']; describe: (count: number) => string }[] = [
  { kind: 'bad', describe: (count) => `${count} cannot be read` },
  {
    kind: 'duplicate',
    describe: (count) => `${count} ${count === 1 ? 'duplicate' : 'duplicates'}`,
  },
  { kind: 'retired', describe: (count) => `${count} retired` },
]

const renderSkips = ({ skipped }: ImportReport): string => {
  const counted = SKIP_KINDS.map(({ kind, describe }) => ({
    count: skipped.filter((skip) => skip.kind === kind).length,
    describe,
  })).filter(({ count }) => count > 0)
  return counted.length === 0
    ? ''
    : ` (${counted.map(({ count, describe }) => describe(count)).join(', ')})`
}

const renderCounts = (report: ImportReport): string => {
  const counts = countReport(report)
  return [
    `${counts.imported} imported`,
    `${counts.updated} updated`,
    `${counts.unchanged} unchanged`,
    `${counts.skipped} skipped${renderSkips(report)}`,
    `${counts.gone} gone from the source`,
  ].join(', ')
}

const renderGone = ({ slug, id, url }: GoneRecord): string =>
  `gone: skills/${slug} (id ${id}) is not in this source${url ? `; it came from ${url}` : ''}; nothing was removed: "npm run catalog -- retire ${slug}" does that and keeps its id`

/** Renders a report for a person. */
export const renderReport = (report: ImportReport): string => {
  const { dryRun, written, removed } = report
  const [write, remove] = dryRun ? ['would write', 'would remove'] : ['wrote', 'removed']
  return [
    ...(dryRun ? written.map((path) => `${write} ${path}`) : []),
    ...removed.map((path) => `${remove} ${path}`),
    ...report.warnings.map(({ path, message }) => `note: ${path}: ${message}`),
    ...report.skipped.map(({ path, reason, remedy }) => `skipped: ${path}: ${reason}; ${remedy}`),
    ...report.gone.map(renderGone),
    `${renderCounts(report)}; ${write} ${written.length} files in ${report.into}`,
  ].join('\n')
}
