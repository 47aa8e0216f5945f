import type { Category } from '../../../src/catalog/categories.ts'
import { renderJson } from '../cli/report.ts'

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
interface ImportedSkill {
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

/** A report for programs: the counts of its lists come last. */
export const renderImportJson = (report: ImportReport): string => {
  const { imported, updated, unchanged, skipped, gone, failed, warnings } = report
  const { written, removed } = report
  const lists = { imported, updated, unchanged, skipped, gone, failed, warnings, written, removed }
  const counts = Object.entries(lists).map(([name, list]) => [name, list.length])
  return renderJson({ ...report, counts: Object.fromEntries(counts) })
}

const SKIP_KINDS: readonly { kind: Skip['kind']; describe: (count: number) => string }[] = [
  { kind: 'bad', describe: (count) => `${count} cannot be read` },
  { kind: 'duplicate', describe: (count) => `${count} duplicate${count === 1 ? '' : 's'}` },
  { kind: 'retired', describe: (count) => `${count} retired` },
]

const renderCounts = (report: ImportReport): string => {
  const { imported, updated, unchanged, skipped, gone } = report
  const kinds = SKIP_KINDS.flatMap(({ kind, describe }) => {
    const count = skipped.filter((skip) => skip.kind === kind).length
    return count > 0 ? [describe(count)] : []
  })
  return [
    `${imported.length} imported`,
    `${updated.length} updated`,
    `${unchanged.length} unchanged`,
    `${skipped.length} skipped${kinds.length > 0 ? ` (${kinds.join(', ')})` : ''}`,
    `${gone.length} gone from the source`,
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
