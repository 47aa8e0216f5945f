import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DISCOVERY_PATH, makeEntry, renderDiscovery } from '../../src/api/discovery.ts'
import { runEach, runInTime } from '../../src/catalog/in-time.ts'
import { TEXT_TIME } from '../../src/catalog/markdown.ts'
import { splitLoosely } from '../../src/catalog/front-matter.ts'
import { FILE_LIMIT, readSkillFile } from '../../src/catalog/folder-files.ts'
import { makeSkill, openSkill, readSkillMd, refuseSlow } from '../../src/catalog/skill-folder.ts'
import type { OpenedSkill } from '../../src/catalog/build-skill.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import { printFingerprints, takeFingerprint } from '../../src/catalog/fingerprint.ts'
import type { Fingerprint, GitBits } from '../../src/catalog/fingerprint.ts'
import {
  RECORD_FILE,
  REGISTRY_ORIGIN,
  SKILL_MD,
  isInstallable,
  pickFacts,
} from '../../src/catalog/skill.ts'
import type { Skill, SkillZip } from '../../src/catalog/skill.ts'
import type { SkillPageSite } from '../../src/documents/skill/facts.ts'
import { readPagedText } from '../../src/documents/on-request/file.ts'
import { listFileFindings } from '../../src/documents/skill/findings.ts'
import { renderTwin } from '../../src/documents/prose/markdown.ts'
import {
  downloadPath,
  pagedFilesName,
  skillJsonPath,
  skillPath,
  storedFileName,
  twinPath,
} from '../../src/documents/paths.ts'
import { writeSkillDocument } from '../../src/documents/skill/skill-page.ts'
import type { SkillPageInput } from '../../src/documents/skill/skill-page.ts'
import { fillTemplate } from '../../src/documents/template.ts'
import type { Template } from '../../src/documents/template.ts'
import { viewDocument } from '../../src/documents/view.ts'
import { decodeLoosely } from '../../src/catalog/text.ts'
import { pickBody } from '../../src/search/body.ts'
import { openShippedVectors } from '../../src/search/vector-file.ts'
import type { SiteFrame } from '../../src/documents/view.ts'
import { encodeSketch } from './copies.ts'
import { digestFiles, digestText } from './digests.ts'
import { encodeWords } from './neighbour-words.ts'
import { encodeVector } from './state.ts'
import type { SkillRow } from './state.ts'
import { writeOutputFile } from './target.ts'
import { digestSums } from '../versions/name.ts'
import { packZip } from '../machine/zip.ts'
import type { ZipEntry } from '../machine/zip.ts'

export const publicName = (address: string): string => `public${decodeURIComponent(address)}`

/** Name of the file of a page: `index.html` for `/`, else the path and `.html`. */
export const pageName = (path: string): string => `public${path === '/' ? '/index' : path}.html`

/** Name of the file of a page's Markdown twin. */
export const twinName = (path: string): string => publicName(twinPath(path))

export const jsonName = (slug: string): string => publicName(skillJsonPath(slug))

const pagedFile = (slug: string): string => `private/${pagedFilesName(slug)}`

const indexName = (slug: string): string => publicName(skillPath(slug) + DISCOVERY_PATH)

export const readIndex = (folder: string, slug: string): string =>
  readFileSync(join(folder, indexName(slug)), 'utf8')

export const zipName = (id: number): string => publicName(downloadPath(id))

/** The files of a skill's zip. SKILL.md comes first; it is synthesized if missing. */
const listZipFiles = ({
  files,
}: Pick<Skill, 'files'>): Pick<ZipEntry, 'path' | 'isExecutable'>[] =>
  files[0]?.path === SKILL_MD ? files : [{ path: SKILL_MD }, ...files]

export const listPageFiles = (slug: string): string[] => [
  pageName(skillPath(slug)),
  twinName(skillPath(slug)),
]

/** Whether pages of its files show more than a lone SKILL.md without findings. */
const hasPagedFiles = (skill: Skill): boolean =>
  skill.files.length > 1 || Object.keys(listFileFindings(skill)).length > 0

/** Names of a skill's raw files, its index, and the list of its files that have a page. */
export const listRawFiles = (skill: Skill): string[] => [
  ...listZipFiles(skill).map(({ path }) => storedFileName(skill.slug, path)),
  ...(isInstallable(skill) ? [indexName(skill.slug)] : []),
  ...(hasPagedFiles(skill) ? [pagedFile(skill.slug)] : []),
]

const readBuiltSkillMd = (skill: Skill, origin: string): Uint8Array => {
  const bytes = readSkillMd(skill)
  const text = Buffer.from(bytes)
  return skill.source.kind === 'own' && text.includes(REGISTRY_ORIGIN)
    ? Buffer.from(text.toString('utf8').replaceAll(REGISTRY_ORIGIN, origin))
    : bytes
}

/** Reads the files of a skill's zip, SKILL.md first. */
export const readZipFiles = (skill: Skill, origin: string): ZipEntry[] =>
  listZipFiles(skill).map(({ path, isExecutable }) => ({
    path,
    isExecutable,
    bytes: path === SKILL_MD ? readBuiltSkillMd(skill, origin) : readSkillFile(skill, path),
  }))

const digestBytes = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex')

export const measureZip = (zip: Uint8Array): SkillZip => ({
  size: zip.length,
  sha256: digestBytes(zip),
})

/** The files of a zip with their digests. */
export const sumUpFiles = (files: readonly ZipEntry[]) =>
  files.map(({ path, bytes, isExecutable }) => ({
    path,
    size: bytes.length,
    sha256: digestBytes(bytes),
    isExecutable,
  }))

/** Renders the index of a skill, or of a version whose zip has another address. */
export const renderIndex = (
  skill: Skill,
  zip: SkillZip,
  files: ReturnType<typeof sumUpFiles>,
  url = downloadPath(skill.id),
): string => {
  const listed = files.map(({ path, size, sha256 }) => ({ path, size, sha256 }))
  return renderDiscovery([{ ...makeEntry(skill, zip, listed), url }])
}

interface SkillReading {
  /** Absent if there are problems. */
  row?: SkillRow
  problems: Problem[]
}

/**
 * Digests the slug and all listed files of a skill's folder, including files that are not shown. The name of an
 * executable file starts with `*`, which no slug does.
 */
export const digestFolder = (
  slug: string,
  fingerprints: readonly Fingerprint[],
  read: (path: string) => Uint8Array,
): string =>
  digestFiles(
    fingerprints
      .filter(({ size }) => size >= 0 && size <= FILE_LIMIT)
      .map(({ path, isExecutable }) => [`${isExecutable ? '*' : ''}${slug}/${path}`, read(path)]),
  )

const readRow = (opened: OpenedSkill): SkillReading => {
  const { skill, problems } = makeSkill(opened)
  if (!skill) return { problems }
  const { slug, fingerprints, bytes } = opened
  // A synthesized SKILL.md adds nothing to the facts.
  const hasText = skill.files[0]?.path === SKILL_MD
  const text = hasText ? decodeLoosely(bytes.get(SKILL_MD)!) : ''
  const { body } = splitLoosely(text)
  const row = {
    slug,
    fingerprint: printFingerprints(fingerprints, Date.now()),
    digest: digestFolder(slug, fingerprints, (path) => bytes.get(path)!),
    skill,
    factsDigest: digestText(JSON.stringify(pickFacts(skill))),
    words: encodeWords(skill, text),
    vector: encodeVector(openShippedVectors().ofSkill(skill)),
    sketch: encodeSketch(skill, body),
    body: pickBody(body),
  }
  return { row, problems }
}

/** The folder from which skills are read, and the time limit for each, in milliseconds. */
export interface ReadSettings {
  contentFolder: string
  limit: number
}

export interface FolderTask {
  slug: string
  bits: GitBits | undefined
}

/** Reads some skills. A skill that takes too long is reported as a problem. */
export const readRows = (
  tasks: readonly FolderTask[],
  { contentFolder, limit }: ReadSettings,
): SkillReading[] => {
  // Load the vectors now: the time-limited call below must not read files.
  openShippedVectors()
  const opened = tasks.map(({ slug, bits }) => openSkill(contentFolder, slug, bits))
  return runEach(limit, opened, readRow).map((done, at) =>
    'result' in done ? done.result : { problems: [refuseSlow(tasks[at]!.slug, done.fault)] },
  )
}

/** A skill to print, with what its page shows. If its files exist, it has their zip, and only the page is printed. */
export type PrintTask = Omit<SkillPageInput, 'skillMd' | 'others' | 'site' | 'call'>

/** Settings that are the same for all skills. */
export interface PrintSettings {
  folder: string
  template: Template
  site: SkillPageSite
  frame: SiteFrame
  /** Time at which the build started to read skills. */
  began: number
  /** Time limit for a skill, in milliseconds. */
  limit: number
}

interface PrintedSkill {
  zip: SkillZip
  /** The digest that names its version, if its files were printed and versions are promised. */
  digest: string | undefined
  /** Whether a file changed after the build started, so that the output may not match the row. */
  isUncertain: boolean
  /** Why its SKILL.md is shown as code, if this build took too long to parse it. */
  unread?: string | undefined
  /** Warnings for curators about its page. */
  warnings: readonly Problem[]
}

/** Milliseconds by which the timestamps of a file system can lag behind. */
const COARSE = 10

const isChangedSince = ({ folder, files }: Skill, began: number): boolean =>
  ['', RECORD_FILE, ...files.map(({ path }) => path)].some(
    (path) => (takeFingerprint(folder, path)?.changed ?? Infinity) > began - COARSE,
  )

interface OpenedTask extends PrintTask {
  files: readonly ZipEntry[]
  /** The zip to write, if its files do not exist yet. */
  packed: Uint8Array | undefined
  zip: SkillZip
}

const openTask = async (task: PrintTask, origin: string): Promise<OpenedTask> => {
  const files = readZipFiles(task.skill, origin)
  const packed = task.zip ? undefined : await packZip(files)
  return { ...task, files, packed, zip: packed ? measureZip(packed) : task.zip! }
}

const callPlainly: typeof runInTime = (_, run) => ({ result: run() })

/** Makes the page of a skill, and the facts that are only known once it is printed. */
const makePage = (
  { files: [skillMd, ...others], ...task }: OpenedTask,
  { template, site, frame }: PrintSettings,
  isAlone: boolean,
) => {
  // In a call of its own, further calls bound its text.
  const call = isAlone ? runInTime : callPlainly
  const document = writeSkillDocument({ ...task, skillMd: skillMd!.bytes, others, site, call })
  const { unread, warnings = [] } = document
  return {
    page: fillTemplate(template, viewDocument(document, frame)),
    twin: renderTwin(document),
    unread,
    warnings,
  }
}

type Page = ReturnType<typeof makePage>

/** Lists the files that have a page, with their findings. */
const listPaged = (skill: Skill, files: readonly ZipEntry[]) => {
  const findings = listFileFindings(skill)
  return files.flatMap(({ path, bytes }) =>
    readPagedText(bytes) === undefined ? [] : [[path, findings[path] ?? []]],
  )
}

const writeFiles = (
  { skill, files, packed, zip }: OpenedTask,
  { page, twin, ...details }: Page,
  { folder, began, site }: PrintSettings,
): PrintedSkill => {
  const { slug, id } = skill
  const path = skillPath(slug)
  const place = (name: string, bytes: Uint8Array | string): void =>
    writeOutputFile(folder, name, bytes, `public${path}`)
  place(pageName(path), page)
  place(twinName(path), twin)
  const summed = packed ? sumUpFiles(files) : []
  if (packed) {
    for (const file of files) writeOutputFile(folder, storedFileName(slug, file.path), file.bytes)
    place(zipName(id), packed)
    if (isInstallable(skill)) place(indexName(slug), renderIndex(skill, zip, summed))
    if (hasPagedFiles(skill)) place(pagedFile(slug), `${JSON.stringify(listPaged(skill, files))}\n`)
  }
  const digest = packed && site.hasVersions ? digestSums(summed) : undefined
  return { zip, digest, isUncertain: isChangedSince(skill, began), ...details }
}

/** Prints some skills. A skill whose page takes too long is reported as a problem. */
export const printRows = async (
  tasks: readonly PrintTask[],
  settings: PrintSettings,
): Promise<(PrintedSkill | Problem)[]> => {
  const opened = await Promise.all(tasks.map((task) => openTask(task, settings.site.origin)))
  const together = Math.min(TEXT_TIME, settings.limit)
  const make = (task: OpenedTask, isAlone: boolean) => makePage(task, settings, isAlone)
  const pages = runEach(settings.limit, opened, make, together)
  return opened.map((task, at) => {
    const page = pages[at]!
    return 'result' in page
      ? writeFiles(task, page.result, settings)
      : refuseSlow(task.skill.slug, page.fault)
  })
}
