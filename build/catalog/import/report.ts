import type { Category } from '../../../src/catalog/categories.ts'

/** Why something was not imported, and what to do so that it is. */
export interface SkipReason {
  reason: string
  remedy: string
}

export interface Skip extends SkipReason {
  path: string
  kind: 'bad' | 'duplicate' | 'retired'
}

/** Something about an imported skill that its author may want to know. */
export interface Warning {
  path: string
  message: string
}

/** Where a skill of a source lies in the catalog. */
export interface ImportedSkill {
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

/** A skill of the catalog that its source no longer has. */
export interface MissingSkill {
  slug: string
  id: number
  url?: string
}

/** Everything an import did, or with --dry-run would do. */
export interface ImportReport {
  dryRun: boolean
  from: readonly string[]
  into: string
  imported: ImportedSkill[]
  updated: ImportedSkill[]
  unchanged: ImportedSkill[]
  skipped: Skip[]
  gone: MissingSkill[]
  failed: readonly FailedSource[]
  warnings: Warning[]
  /** Files written and removed, paths inside the content folder. */
  written: string[]
  removed: string[]
}

/** The lengths of a report's lists, which its JSON form shows last. */
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

const SKIP_KINDS: readonly { kind: Skip['kind']; describe: (count: number) => string }[] = [
  { kind: 'bad', describe: (count) => `${count} cannot be read` },
  { kind: 'duplicate', describe: (count) => `${count} duplicate${count === 1 ? '' : 's'}` },
  { kind: 'retired', describe: (count) => `${count} retired` },
]

const renderCounts = (report: ImportReport): string => {
  const counts = countReport(report)
  const kinds = SKIP_KINDS.flatMap(({ kind, describe }) => {
    const count = report.skipped.filter((skip) => skip.kind === kind).length
    return count > 0 ? [describe(count)] : []
  })
  return [
    `${counts.imported} imported`,
    `${counts.updated} updated`,
    `${counts.unchanged} unchanged`,
    `${counts.skipped} skipped${kinds.length > 0 ? ` (${kinds.join(', ')})` : ''}`,
    `${counts.gone} gone from the source`,
  ].join(', ')
}

const renderMissing = ({ slug, id, url }: MissingSkill): string =>
  `gone: skills/${slug} (id ${id}) is not in this source${url ? `; it came from ${url}` : ''}; nothing was removed: "npm run catalog -- retire ${slug}" does that and keeps its id`

export const renderReport = (report: ImportReport): string => {
  const { dryRun, written, removed } = report
  const [write, remove] = dryRun ? ['would write', 'would remove'] : ['wrote', 'removed']
  return [
    ...(dryRun ? written.map((path) => `${write} ${path}`) : []),
    ...removed.map((path) => `${remove} ${path}`),
    ...report.warnings.map(({ path, message }) => `note: ${path}: ${message}`),
    ...report.skipped.map(({ path, reason, remedy }) => `skipped: ${path}: ${reason}; ${remedy}`),
    ...report.gone.map(renderMissing),
    `${renderCounts(report)}; ${write} ${written.length} files in ${report.into}`,
  ].join('\n')
}
