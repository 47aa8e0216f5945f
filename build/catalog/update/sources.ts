import { findNearest } from '../../../src/catalog/nearest-name.ts'
import { ContentError, refuseField } from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { sourceRecords } from '../../../src/catalog/schema.ts'
import type { SourceRow } from '../../../src/catalog/schema.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { UsageError, refuse } from '../cli/command.ts'
import { isOutside, listFoldersUp } from '../import/find.ts'
import { parseGitAddress, remoteKey } from '../import/git-address.ts'
import type { FolderNames, LeaveOut } from '../import/skill-md.ts'
import { SOURCES_FILE, readBeside } from '../store/records.ts'

/** Reports rows that follow the same as an earlier row. */
export const findRepeated = (rows: readonly SourceRow[]): Problem[] => {
  const firsts = new Map<string, SourceRow>()
  return rows.flatMap((row, at) => {
    const first = firsts.get(followedKey(row))
    if (!first) firsts.set(followedKey(row), row)
    const remedy = `an earlier row follows the same, ${showValue(first?.address, 200)}; keep one of the two`
    return first ? [refuseField(SOURCES_FILE, `${at}.address`, row.address, remedy)] : []
  })
}

/** Throws ContentError. */
export const readSources = (content: string): SourceRow[] => {
  const rows = readBeside(content, SOURCES_FILE, sourceRecords) ?? []
  const problems = findRepeated(rows)
  if (problems.length > 0) throw new ContentError(problems)
  return rows
}

const DAY = 24 * 60 * 60 * 1_000

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10)

/** The address of a row with its ref, which names the row in `sources.lock`. */
export const nameOf = ({ address, ref }: SourceRow): string =>
  ref === undefined ? address : `${address.replace(/\/+$/, '')}/tree/${ref}`

/** The address of a row with its ref, in the form that `import` accepts. */
export const addressOf = (row: SourceRow): string => {
  const { address, ref } = row
  if (ref === undefined || !address.includes('/tree/')) return nameOf(row)
  return refuse(`${showValue(address, 200)} names a ref itself; leave "ref" out of its row.`)
}

/** Identifies what a row follows, however its address is spelt. */
export const followedKey = (row: SourceRow): string => {
  try {
    const address = parseGitAddress(addressOf(row), true)
    return `${remoteKey(address)}\n${address.tree ?? ''}`
  } catch (error) {
    // Reported when the row is read.
    if (error instanceof UsageError) return row.address
    throw error
  }
}

const isAsked = (row: SourceRow, address: string): boolean =>
  row.address === address || followedKey(row) === followedKey({ address })

/** Selects rows by address, or all rows if no address is given. Throws UsageError. */
export const chooseRows = (
  rows: readonly SourceRow[],
  requested: readonly string[],
): SourceRow[] => {
  for (const address of requested.filter((one) => !rows.some((row) => isAsked(row, one)))) {
    const addresses = rows.map((row) => row.address)
    const nearest = findNearest(address, addresses)
    const advice = nearest === undefined ? 'add it first' : `did you mean ${nearest}?`
    refuse(`${SOURCES_FILE} has no ${showValue(address, 200)}; ${advice}`)
  }
  return rows.filter(
    (row) => requested.length === 0 || requested.some((address) => isAsked(row, address)),
  )
}

const GLOB_PATTERNS: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
}

/**
 * Compiles a folder pattern: `*` and `?` match within one name, `**` matches any folders. Unlike Node's `matchesGlob`,
 * it also matches hidden folders such as `.claude`.
 */
export const compileGlob = (glob: string): RegExp => {
  const plain = glob.replace(/\/+$/, '').replace(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${plain.replace(/\*\*\/|\*\*|[*?]/g, (part) => GLOB_PATTERNS[part] ?? '')}$`)
}

/** Folders of unpublished skills. A skill's own folder can have such a name. */
const UNFINISHED = new Set(['deprecated', 'in-progress', 'personal'])

/** The folder names that appear in `include`. */
export const listIncluded = ({ include }: SourceRow): ReadonlySet<string> =>
  new Set(include?.flatMap((glob) => glob.toLowerCase().split('/')))

const findUnfinished = (path: string, wanted: ReadonlySet<string>): string | undefined =>
  path
    .split('/')
    .slice(0, -1)
    .find((name) => UNFINISHED.has(name) && !wanted.has(name))

/** Returns a function that chooses the category of a new skill by its folder. */
export const createCategoryChooser = ({
  category = {},
}: SourceRow): ((folder: FolderNames) => string | undefined) => {
  if (typeof category === 'string') return () => category
  const rows = Object.entries(category).map(([glob, name]) => ({ glob: compileGlob(glob), name }))
  return ({ names, through }) => {
    const folders = listInside([...names, ...through]).flatMap(listFoldersUp)
    return rows.find(({ glob }) => folders.some((folder) => glob.test(folder)))?.name
  }
}

/** The names of a folder that are in the followed folder. */
const listInside = (names: readonly string[]): string[] => names.filter((name) => !isOutside(name))

/** Whether a pattern matches one of some folders or a folder above it. The root counts only for itself. */
const isIn = (paths: readonly string[], globs: readonly RegExp[]): boolean =>
  paths
    .flatMap((path) => listFoldersUp(path).filter((above) => above !== '' || path === ''))
    .some((above) => globs.some((glob) => glob.test(above)))

/**
 * Returns a function that says why a row leaves out a skill. Folders named in `include` are not left out. Links count as
 * names of their targets, but a skill is not excluded because its folder is also below a linked one, such as
 * `.claude/skills`.
 */
export const createLeaveOut = (row: SourceRow): LeaveOut => {
  const { include, exclude = [] } = row
  const [included, excluded] = [include?.map(compileGlob), exclude.map(compileGlob)]
  const wanted = listIncluded(row)
  return (folder) => {
    const names = listInside(folder.names)
    const isExcluded = isIn(names, excluded)
    if (!isExcluded && included && !isIn([...names, ...listInside(folder.through)], included))
      return { rule: 'not-included' }
    if (isExcluded) return { rule: 'excluded' }
    const detail = findUnfinished(names[0]!, wanted)
    return detail === undefined ? undefined : { rule: 'unfinished', detail }
  }
}
