import { hash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listSkillFiles, readSkillFile } from '../../../src/catalog/folder-files.ts'
import { locationKey } from '../../../src/catalog/address.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import { PATHS, downloadPath, skillPath } from '../../../src/documents/paths.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import type { ZipEntry } from '../../machine/zip.ts'
import { mapAtOnce } from '../cli/at-once.ts'
import { CommandError, UsageError, systemCode } from '../cli/command.ts'
import { pendingIn, readRecords } from '../store/records.ts'
import { Client } from '../web/client.ts'
import { NoAnswerError, createGuard, isPublic, isPublicOrOwn } from '../web/guard.ts'
import { digestEntries, readFetched, writeFetched } from './fetched.ts'
import type { FoundSkill } from './find.ts'
import { CHOSEN_LIMIT, explainMany } from './skill-md.ts'
import type { LeaveOut } from './skill-md.ts'
import { registryRow, parseRow } from './origin.ts'
import type { RegistryRow, Origin, OriginOptions } from './origin.ts'
import { readZip } from './unzip.ts'

/** Limits of a list: total bytes, lines, bytes per line, bad rows, and bad rows that are reported one by one. */
const LIST_LIMITS = {
  bytes: 128 * 1024 ** 2,
  lines: 200_000,
  line: 64 * 1024,
  bad: 1_000,
  named: 100,
} as const

/** Bytes and milliseconds per run; the next run fetches the rest. */
const RUN_LIMITS = { bytes: 20 * 1024 ** 3, time: 60 * 60_000 }

const FETCHED_AT_ONCE = 4

/** Milliseconds to fetch one zip, retries included. */
const ZIP_TIME = 60_000

/** Identifies a bot, so that the registry does not count downloads by mirrors. */
const USER_AGENT = 'skill-registry-mirror/1 (a bot that mirrors the skills of a registry)'

/** An ETag short and plain enough to store in the state. */
const ETAG = /^(?:W\/)?"[!#-~]{1,90}"$/

/** Whether an address is on this machine, as when a registry is tried out locally. */
const isLocal = (address: string): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(address).hostname)

/** Splits a list into lines without decoding all of it into one string. */
function* splitLines(list: Buffer): Generator<Buffer> {
  for (let start = 0; start < list.length;) {
    const found = list.indexOf('\n', start)
    const end = found < 0 ? list.length : found
    yield list.subarray(start, end)
    start = end + 1
  }
}

const readRow = (line: Buffer): RegistryRow | string =>
  line.length > LIST_LIMITS.line
    ? `the row has ${line.length} bytes; at most ${LIST_LIMITS.line} are read`
    : parseRow(line.toString('utf8'), registryRow)

const digestOf = (bytes: Uint8Array): string => `sha256:${hash('sha256', bytes)}`

/** Creates a placeholder SKILL.md for a skill without text in its registry; only its front matter is read. */
const makePlaceholder = ({ name, description }: RegistryRow): ZipEntry[] => {
  const fields = [`name: ${JSON.stringify(name)}`, `description: ${JSON.stringify(description)}`]
  return [{ path: SKILL_MD, bytes: Buffer.from(['---', ...fields, '---', ''].join('\n')) }]
}

/** Reads the skills of a catalog, pending ones included. Skills from elsewhere take precedence over mirrored ones. */
const readCatalog = (content: string, origin: string) => {
  const stored = [content, pendingIn(content)].flatMap((place) => {
    const bits = readSkillBits(place)
    return readRecords(place).records.map(({ slug, record: { source } }) => ({
      slug,
      folder: join(place, 'skills', slug),
      bits: bits.ofSkill(slug),
      url: source.kind === 'own' ? '' : source.url,
      isFromElsewhere: place === content && (source.kind === 'own' || source.via !== origin),
    }))
  })
  const others = stored.filter(({ isFromElsewhere }) => isFromElsewhere)
  return {
    slugs: new Set(others.map(({ slug }) => slug)),
    places: new Set(others.map(({ url }) => url && locationKey(url))),
    folders: Map.groupBy(stored, ({ url }) => url),
  }
}

/** A client for another registry's list and zips. Methods throw CommandError. */
export class Registry {
  readonly #origin: string
  readonly #client: Client
  readonly #fields: Readonly<Record<string, string>>
  readonly #zipTime: number
  #list: Buffer | undefined

  /** Throws UsageError. */
  constructor(origin: string, { isPrivate, tokenFrom }: OriginOptions, zipTime = ZIP_TIME) {
    const token = tokenFrom && process.env[tokenFrom]
    if (tokenFrom && !token)
      throw new UsageError(`tokenFrom: the environment has no ${tokenFrom}; set it to the token.`)
    this.#origin = origin
    this.#zipTime = zipTime
    const isAllowed = isLocal(origin) ? isPublicOrOwn : isPublic
    this.#client = new Client(createGuard(isPrivate ? () => true : isAllowed), USER_AGENT)
    this.#fields = token ? { Authorization: `Bearer ${token}` } : {}
  }

  #fail(path: string, reason: string): never {
    const remedy = `try again later, or tell the operator of ${this.#origin}`
    throw new CommandError(`${this.#origin}${path}: ${reason}; ${remedy}`)
  }

  async #get(
    path: string,
    limit: number,
    { fields, time }: { fields?: Readonly<Record<string, string>> | undefined; time?: number } = {},
  ) {
    try {
      const url = new URL(path, this.#origin)
      const sent = { ...this.#fields, ...fields }
      const answer = await this.#client.get(url, limit + 1, sent, time)
      if (![200, 304].includes(answer.status)) this.#fail(path, `it answers ${answer.status}`)
      if (answer.head.length > limit) this.#fail(path, `it has more than ${limit} bytes`)
      return answer
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error
      if (error.isFinal) throw new CommandError(`${this.#origin}${path}: ${error.message}`)
      return this.#fail(path, error.message)
    }
  }

  /** Requests the list, unless it is unchanged since `known`. Returns its ETag, or its digest if it has no ETag. */
  async requestList(known = ''): Promise<string> {
    const fields = ETAG.test(known) ? { 'If-None-Match': known } : undefined
    const { status, head, etag = '' } = await this.#get(PATHS.dump, LIST_LIMITS.bytes, { fields })
    if (status === 304) return known
    this.#list = head
    return ETAG.test(etag) ? etag : hash('sha256', head)
  }

  /**
   * Reads the rows by slug, in the order of the list. Invalid rows are skipped; the first ones are named. Returns a
   * `failure` and no rows if the list has too many lines or bad rows.
   */
  #readList(list: Buffer): {
    rows: Map<string, RegistryRow>
    skips: Origin['skips']
    failure?: string
  } {
    const rows = new Map<string, RegistryRow>()
    const skips: Origin['skips'] = []
    const remedy = `tell the operator of ${this.#origin}`
    const stop = (limit: string) => {
      const place = this.#origin + PATHS.dump
      const failure = `${place}: it has more than ${limit}, so it was not imported; ${remedy}`
      return { rows: new Map<string, RegistryRow>(), skips, failure }
    }
    let [lines, bad] = [0, 0]
    for (const line of splitLines(list)) {
      lines += 1
      if (lines > LIST_LIMITS.lines) return stop(`${LIST_LIMITS.lines} lines`)
      if (line.length === 0) continue
      const row = readRow(line)
      if (typeof row !== 'string' && !rows.has(row.slug)) {
        rows.set(row.slug, row)
        continue
      }
      bad += 1
      if (bad > LIST_LIMITS.bad) return stop(`${LIST_LIMITS.bad} bad rows`)
      const reason = typeof row === 'string' ? row : `${row.slug} appears twice`
      if (bad <= LIST_LIMITS.named)
        skips.push({ path: `row ${lines}`, kind: 'bad', reason, remedy })
    }
    const more = bad - LIST_LIMITS.named
    if (more > 0) skips.push({ path: 'later rows', kind: 'bad', reason: `${more} more`, remedy })
    if (rows.size === 0) this.#fail(PATHS.dump, 'it contains no skill that can be mirrored')
    return { rows, skips }
  }

  #urlOf({ source, slug }: RegistryRow): string {
    return source ?? this.#origin + skillPath(slug)
  }

  /** Fetches a zip, checks its size and digest, and unpacks it. */
  async #fetch({ id, size, digest }: RegistryRow): Promise<ZipEntry[]> {
    const { head } = await this.#get(downloadPath(id), size, { time: this.#zipTime })
    const seen = digestOf(head)
    if (seen === digest && head.length === size) return readZip(head)
    const difference = `expected ${digest} with ${size} bytes, got ${seen} with ${head.length} bytes`
    return this.#fail(downloadPath(id), difference)
  }

  /** Writes the wanted skills into a new folder. Fetches only the zips that the catalog does not have. */
  async stage(into: string, folder: string, leaveOut?: LeaveOut) {
    if (!this.#list) await this.requestList()
    const { rows, skips, failure } = this.#readList(this.#list ?? Buffer.alloc(0))
    mkdirSync(folder)
    if (failure !== undefined) {
      const origin: Origin = { trace: () => undefined, covers: () => false, skips, expected: [] }
      return { origin, skills: { found: [], skips: [] }, failed: [failure] }
    }
    const failed: string[] = []
    const { slugs, places, folders } = readCatalog(into, this.#origin)
    const listed = new Set([...rows.values()].map(({ id }) => String(id)))
    const before = Object.entries(readFetched(into, this.#origin))
    const fetched = Object.fromEntries(before.filter(([id]) => listed.has(id)))
    const end = Date.now() + RUN_LIMITS.time
    let bytesLeft = RUN_LIMITS.bytes
    const findRefusal = (row: RegistryRow): ReturnType<LeaveOut> => {
      const unwanted = leaveOut?.(row.slug)
      if (unwanted) return unwanted
      if (slugs.has(row.slug))
        return { kind: 'shadowed', reason: 'the catalog has its own skill with this name' }
      return places.has(locationKey(this.#urlOf(row)))
        ? { kind: 'left out', reason: 'the catalog has it from another source' }
        : undefined
    }
    const wanted = [...rows.values()].filter((row) => {
      const refusal = findRefusal(row)
      const remedy = 'to mirror it, change include and exclude, or retire the other skill'
      if (refusal) skips.push({ path: row.slug, ...refusal, remedy })
      return !refusal
    })
    if (wanted.length > CHOSEN_LIMIT) this.#fail(PATHS.dump, explainMany(wanted.length))
    const readKnown = (row: RegistryRow): ZipEntry[] | undefined => {
      const last = fetched[row.id]
      if (last?.zip !== row.digest) return undefined
      return (folders.get(this.#urlOf(row)) ?? [])
        .map((skill) =>
          listSkillFiles(skill.folder, '', skill).files.map(({ path, isExecutable }) => ({
            path,
            isExecutable,
            bytes: readSkillFile(skill, path),
          })),
        )
        .find((files) => digestEntries(files) === last.files)
    }
    const fetchZip = async (row: RegistryRow): Promise<ZipEntry[]> => {
      const files = await this.#fetch(row)
      fetched[row.id] = { zip: row.digest, files: digestEntries(files) }
      return files
    }
    const stageSkill = async (row: RegistryRow): Promise<FoundSkill[]> => {
      const place = join(folder, row.slug)
      try {
        if (bytesLeft < 0 || Date.now() > end) throw new CommandError('postponed to the next run')
        const known = row.hasText ? readKnown(row) : makePlaceholder(row)
        const bits = new Map<string, boolean>()
        for (const { path, bytes, isExecutable = false } of known ?? (await fetchZip(row))) {
          bytesLeft -= bytes.length
          mkdirSync(dirname(join(place, path)), { recursive: true })
          writeFileSync(join(place, path), bytes, { flag: 'wx' })
          bits.set(path, isExecutable)
        }
        const file = `${row.slug}/${SKILL_MD}`
        const found = { path: row.slug, folder: place, fileName: SKILL_MD, file, bits }
        return [{ ...found, inner: [], oddParents: [] }]
      } catch (error) {
        // Paths in a zip may conflict, such as a file `a` and a file `a/b`.
        if (!(error instanceof CommandError) && systemCode(error) === undefined) throw error
        failed.push(`${row.slug}: ${(error as Error).message}`)
        return []
      }
    }
    const staged = await mapAtOnce(wanted, FETCHED_AT_ONCE, stageSkill)
    const remember = (content: string): void => writeFetched(content, this.#origin, fetched)
    const origin = { ...this.#createOrigin(rows, skips), remember }
    return { origin, skills: { found: staged.flat(), skips: [] }, failed }
  }

  #createOrigin(rows: ReadonlyMap<string, RegistryRow>, skips: Origin['skips']): Origin {
    const via = this.#origin
    const listed = new Set([...rows.values()].map((row) => locationKey(this.#urlOf(row))))
    return {
      trace: (path) => {
        const row = rows.get(path)
        return row && { author: row.author, url: this.#urlOf(row), via, row, inRegistry: row }
      },
      // A skill does not count as gone if its zip was refused, or if it is now left out.
      covers: ({ slug, record: { source } }) =>
        source.kind === 'upstream' &&
        source.via === via &&
        !rows.has(slug) &&
        !listed.has(locationKey(source.url)),
      skips,
      expected: [],
    }
  }
}

/**
 * Parses the origin of another registry: https, or http on this machine or in a private registry. Returns undefined for
 * any other address. Throws UsageError.
 */
export const parseRegistry = (argument: string, options: OriginOptions): Registry | undefined => {
  const url = URL.parse(argument)
  const { source, isOwn, author, isPrivate } = options
  if (url?.href !== `${url?.origin}/` || !/^https?:$/.test(url.protocol)) return undefined
  if (url.protocol === 'http:' && !isPrivate && !isLocal(url.href)) return undefined
  if (source === undefined && !isOwn && author === undefined)
    return new Registry(url.origin, options)
  throw new UsageError(
    `--source, --own and --author are refused: ${url.origin} states the origins itself.`,
  )
}
