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

/** Limits of a list: its bytes, its lines, the bytes of a line, bad rows, and how many of these are named. */
const LIST_LIMITS = {
  bytes: 128 * 1024 ** 2,
  lines: 200_000,
  line: 64 * 1024,
  bad: 1_000,
  named: 100,
} as const

/** Most bytes and milliseconds of one run; the next one takes what is left. */
const RUN_LIMITS = { bytes: 20 * 1024 ** 3, time: 60 * 60_000 }

const FETCHED_AT_ONCE = 4

/** Milliseconds in which a zip has to come, as a whole and with all attempts. */
const ZIP_TIME = 60_000

/** Names a bot, so that the counters of a registry do not take a mirror for readers. */
const USER_AGENT = 'skill-registry-mirror/1 (a bot that mirrors the skills of a registry)'

/** An ETag that fits into the state. */
const ETAG = /^(?:W\/)?"[!#-~]{1,90}"$/

/** Whether an address names this machine itself, as when a registry is tried out. */
const isLocal = (address: string): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(address).hostname)

/** Splits a list into lines, without making a text of all of it. */
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

/** A text for a skill whose own the registry does not have; it is read for its front matter alone. */
const standIn = ({ name, description }: RegistryRow): ZipEntry[] => {
  const fields = [`name: ${JSON.stringify(name)}`, `description: ${JSON.stringify(description)}`]
  return [{ path: SKILL_MD, bytes: Buffer.from(['---', ...fields, '---', ''].join('\n')) }]
}

/** The skills of a catalog and its pending ones: own skills, which stay, and mirrored ones. */
const readCatalog = (content: string, origin: string) => {
  const stored = [content, pendingIn(content)].flatMap((place) => {
    const bits = readSkillBits(place)
    return readRecords(place).records.map(({ slug, record: { source } }) => ({
      slug,
      folder: join(place, 'skills', slug),
      bits: bits.ofSkill(slug),
      url: source.kind === 'own' ? '' : source.url,
      isOwn: place === content && (source.kind === 'own' || source.via !== origin),
    }))
  })
  const own = stored.filter(({ isOwn }) => isOwn)
  return {
    slugs: new Set(own.map(({ slug }) => slug)),
    places: new Set(own.map(({ url }) => url && locationKey(url))),
    folders: Map.groupBy(stored, ({ url }) => url),
  }
}

/** Another registry: its list and its zips. Methods throw CommandError. */
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

  /** Asks for the list, unless it is still the known one. Gives its ETag, or its digest where it has none. */
  async ask(known = ''): Promise<string> {
    const fields = ETAG.test(known) ? { 'If-None-Match': known } : undefined
    const { status, head, etag = '' } = await this.#get(PATHS.dump, LIST_LIMITS.bytes, { fields })
    if (status === 304) return known
    this.#list = head
    return ETAG.test(etag) ? etag : hash('sha256', head)
  }

  /**
   * The rows by slug, in the order of the list; invalid ones are skipped, and the first of them named. With a failure, if
   * the list is so bad that it was not read to its end.
   */
  #readList(list: Buffer): {
    rows: Map<string, RegistryRow>
    skips: Origin['skips']
    failure?: string
  } {
    const rows = new Map<string, RegistryRow>()
    const skips: Origin['skips'] = []
    const remedy = `tell who runs ${this.#origin}`
    const stop = (limit: string) => {
      const place = this.#origin + PATHS.dump
      const failure = `${place}: it has more than ${limit}, so none of it is taken; ${remedy}`
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
      const reason = typeof row === 'string' ? row : `${row.slug} comes twice`
      if (bad <= LIST_LIMITS.named)
        skips.push({ path: `row ${lines}`, kind: 'bad', reason, remedy })
    }
    const more = bad - LIST_LIMITS.named
    if (more > 0) skips.push({ path: 'later rows', kind: 'bad', reason: `${more} more`, remedy })
    if (rows.size === 0) this.#fail(PATHS.dump, 'it has no skill that can be mirrored')
    return { rows, skips }
  }

  #urlOf({ source, slug }: RegistryRow): string {
    return source ?? this.#origin + skillPath(slug)
  }

  /** Fetches a zip, and opens it if size and digest are right. */
  async #fetch({ id, size, digest }: RegistryRow): Promise<ZipEntry[]> {
    const { head } = await this.#get(downloadPath(id), size, { time: this.#zipTime })
    const seen = digestOf(head)
    if (seen === digest && head.length === size) return readZip(head)
    const difference = `expected ${digest} of ${size} bytes, seen ${seen} of ${head.length}`
    return this.#fail(downloadPath(id), difference)
  }

  /** Writes the skills that are wanted into a new folder. Fetches only zips that the catalog does not have. */
  async stage(into: string, folder: string, leaveOut?: LeaveOut) {
    if (!this.#list) await this.ask()
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
    const whyNot = (row: RegistryRow): ReturnType<LeaveOut> => {
      const unwanted = leaveOut?.(row.slug)
      if (unwanted) return unwanted
      if (slugs.has(row.slug))
        return { kind: 'shadowed', reason: "the catalog's own skill of this name stays" }
      return places.has(locationKey(this.#urlOf(row)))
        ? { kind: 'left out', reason: 'the catalog has it from elsewhere' }
        : undefined
    }
    const wanted = [...rows.values()].filter((row) => {
      const refusal = whyNot(row)
      const remedy = 'change include and exclude, or what the catalog has'
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
        if (bytesLeft < 0 || Date.now() > end) throw new CommandError('left for the next run')
        const known = row.hasText ? readKnown(row) : standIn(row)
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
        // Files of a zip may exclude each other.
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
      // One whose zip was refused, or that is left out by now, is not gone.
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
 * Parses the origin of another registry: https, or http on this machine and for a private registry. Undefined for any
 * other address. Throws UsageError.
 */
export const parseRegistry = (argument: string, options: OriginOptions): Registry | undefined => {
  const url = URL.parse(argument)
  const { source, isOwn, author, isPrivate } = options
  if (url?.href !== `${url?.origin}/` || !/^https?:$/.test(url.protocol)) return undefined
  if (url.protocol === 'http:' && !isPrivate && !isLocal(url.href)) return undefined
  if (source === undefined && !isOwn && author === undefined)
    return new Registry(url.origin, options)
  throw new UsageError(`--source, --own and --author are refused: ${url.origin} says them itself.`)
}
