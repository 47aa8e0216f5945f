/** Kinds of published files, by path. The first matching pattern decides. */
const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['zips', /^api\/skills\/download\/|\.zip$/],
  ['indexes for clients', /\.well-known\/|marketplace\.json$/],
  ['styles and scripts', /^_astro\//],
  ['feeds', /feed\.atom$/],
  ['skills, HTML', /^skills\/[^/]+\.html$/],
  ['skills, Markdown', /^skills\/[^/]+\.md$/],
  ['skills, JSON', /^skills\/[^/]+\.json$/],
  ['files of skills', /^skills\/(?!page\/)[^/]+\//],
  ['lists, HTML', /^(?:skills|categories|authors)(?:\/.*)?\.html$/],
  ['lists, Markdown', /^(?:skills|categories|authors)(?:\/.*)?\.md$/],
  ['other pages, HTML', /\.html$/],
  ['other pages, Markdown', /\.md$/],
]

/** The bytes of each published file, by its path in `public/`. The paths of styles and scripts have no digest. */
export type PublishedFiles = ReadonlyMap<string, Buffer>

export interface Difference {
  path: string
  state: 'changed' | 'added' | 'removed'
  /** The first differing line, before and after; only for a changed text. */
  lines?: readonly [before: string, after: string]
}

const DIGEST = /(_astro\/[\w.@-]+?)\.[\w-]{8}\.(\w+)/g

/** Drops the digests from names such as `_astro/Page.B2x0w1aa.css`: a changed digest would change every page. */
export const dropDigests = (text: string): string => text.replaceAll(DIGEST, '$1.$2')

const isText = (bytes: Buffer): boolean => !bytes.includes(0)

const compareLines = (before: Buffer, after: Buffer): readonly [string, string] | undefined => {
  const old = dropDigests(before.toString()).split('\n')
  const now = dropDigests(after.toString()).split('\n')
  const longer = old.length > now.length ? old : now
  const at = longer.findIndex((_, index) => old[index] !== now[index])
  return at < 0 ? undefined : [old[at] ?? '', now[at] ?? '']
}

const compareFile = (path: string, before?: Buffer, after?: Buffer): Difference | undefined => {
  if (!before) return { path, state: 'added' }
  if (!after) return { path, state: 'removed' }
  if (before.equals(after)) return undefined
  if (!isText(before) || !isText(after)) return { path, state: 'changed' }
  const lines = compareLines(before, after)
  return lines && { path, state: 'changed', lines }
}

/** Lists the differences between two published sites by kind of file, sorted by path. */
export const compareSites = (
  before: PublishedFiles,
  after: PublishedFiles,
): Map<string, Difference[]> => {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort()
  const differences = paths.flatMap(
    (path) => compareFile(path, before.get(path), after.get(path)) ?? [],
  )
  return Map.groupBy(
    differences,
    ({ path }) => KINDS.find(([, pattern]) => pattern.test(path))?.[0] ?? 'other files',
  )
}

/** Maximum number of files of a kind that the report names. */
const MOST_NAMED = 5
const WIDTH = 160

/** Cuts two lines to the text around their first difference. */
const cutLines = ([before, after]: readonly [string, string]): string[] => {
  let at = 0
  while (at < before.length && before[at] === after[at]) at += 1
  const from = Math.max(0, at - WIDTH / 2)
  return [`    - ${before.slice(from, from + WIDTH)}`, `    + ${after.slice(from, from + WIDTH)}`]
}

const renderKind = (kind: string, files: readonly Difference[]): string[] => {
  const report = [`${kind}: ${files.length}`]
  for (const { path, state, lines } of files.slice(0, MOST_NAMED)) {
    report.push(`  ${state} ${path}`)
    if (lines) report.push(...cutLines(lines))
  }
  if (files.length > MOST_NAMED) report.push(`  … ${files.length - MOST_NAMED} more`)
  return report
}

/** Renders a line for each kind, followed by its first files with their first differing line. */
export const renderComparison = (
  differences: ReadonlyMap<string, readonly Difference[]>,
): string => {
  const lines = [...differences].flatMap(([kind, files]) => renderKind(kind, files))
  return `${lines.join('\n') || 'No published file differs.'}\n`
}
