import { hash } from 'node:crypto'

export interface RecordedRequest {
  method: string
  path: string
  accept?: string
}

/** A request and its answer. `words` is the digest of an HTML page without its markup. */
export interface RecordedAnswer extends RecordedRequest {
  status: number
  headers: Record<string, string>
  bytes: number
  sha256: string
  words?: string
  title?: string
}

/** Header fields that differ each time, or follow from the body. */
const PASSING = /^(?:date|connection|keep-alive|transfer-encoding|content-length|x-request-id)$/

/** Styles and scripts have a digest in their names, so each of them would change every page. */
const dropDigests = (text: string): string =>
  text.replace(/(\/_astro\/[\w.-]+)\.[\w-]{6,8}(?=\.\w)/g, '$1')

export const nameOf = ({ method, path, accept }: RecordedRequest): string =>
  dropDigests(`${method} ${path}${accept === undefined ? '' : ` as ${accept}`}`)

const describeBody = (
  type: string,
  body: Buffer,
): Pick<RecordedAnswer, 'sha256' | 'words' | 'title'> => {
  if (!/text|json|xml|script/.test(type)) return { sha256: hash('sha256', body) }
  const text = dropDigests(body.toString())
  const sha256 = hash('sha256', text)
  const [, title] = /(?:<title>|^# )([^<\n]*)/m.exec(text) ?? []
  const row = title === undefined ? { sha256 } : { sha256, title }
  if (!type.startsWith('text/html')) return row
  return { ...row, words: hash('sha256', text.replace(/(?:<[^>]*>|\s)+/g, ' ')) }
}

export const makeRow = (
  asked: RecordedRequest,
  status: number,
  fields: object,
  body: Buffer,
): RecordedAnswer => {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(fields))
    if (!PASSING.test(name))
      headers[name] = name === 'etag' ? String(value).replace(/".*"/, '"…"') : String(value)
  const described = describeBody(headers['content-type'] ?? '', body)
  return { ...asked, status, headers, bytes: body.length, ...described }
}

const FOLDED: [from: RegExp, to: string][] = [
  [
    /(^\/(?:skills|files|b|authors|categories)\/)(?!page\/)[^/@]+?(?=[/@]|\.(?:md|json)(?:\/|$)|$)/,
    '$1{}',
  ],
  [/(^\/skills\/\{\}\/)(?!SKILL\.md|\.well-known).+/, '$1{file}'],
  [/(^\/files\/\{\}\/).+(?=\/view)/, '$1{file}'],
  [/(@|\/download\/|\/page\/)[^/.]+/, '$1{}'],
]

/** Replaces what the addresses of a kind differ by. */
export const foldPath = (path: string): string =>
  FOLDED.reduce((text, [from, to]) => text.replace(from, to), path)

/** What differs between two answers: the kind, and the values. */
const compareRows = (
  a: RecordedAnswer | undefined,
  b: RecordedAnswer | undefined,
): [kind: string, values: string][] => {
  if (!a || !b) return [[`only in the ${a ? 'first' : 'second'}`, String((a ?? b)?.status)]]
  if (a.status !== b.status) return [['status', `${a.status} -> ${b.status}`]]
  const names = Object.keys({ ...a.headers, ...b.headers })
  const pairs = names.map((name) => [name, a.headers[name], b.headers[name]])
  pairs.push(['title', a.title, b.title])
  const found = pairs.filter(([, one, other]) => one !== other)
  const differences = found.map(([kind, one, other]): [string, string] => [
    String(kind),
    `${one} -> ${other}`,
  ])
  const kind = a.words !== undefined && a.words === b.words ? 'markup, not words' : 'body'
  if (a.sha256 !== b.sha256) differences.push([kind, `${a.bytes} -> ${b.bytes} bytes`])
  return differences
}

/** Groups what differs by kind of address, the largest group first, each with an example. */
export const compareRecords = (
  first: readonly RecordedAnswer[],
  second: readonly RecordedAnswer[],
): string[] => {
  const a = new Map(first.map((row) => [nameOf(row), row]))
  const b = new Map(second.map((row) => [nameOf(row), row]))
  const groups = new Map<string, string[]>()
  for (const [name, row] of new Map([...a, ...b]))
    for (const [kind, values] of compareRows(a.get(name), b.get(name))) {
      const key = `${nameOf({ ...row, path: foldPath(row.path) })}: ${kind}`
      groups.set(key, [...(groups.get(key) ?? []), `${row.path} ${values}`])
    }
  return [...groups]
    .sort(([, x], [, y]) => y.length - x.length)
    .map(([key, examples]) => `${examples.length} x ${key}\n    ${examples[0]}`)
}
