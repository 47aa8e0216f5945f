import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DISCOVERY_PATH, makeEntry, renderDiscovery } from '../../src/api/discovery.ts'
import {
  FILE_LIMIT,
  loadSkill,
  readSkillFile,
  readSkillMd,
} from '../../src/catalog/skill-folder.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import { printFingerprints, takeFingerprint } from '../../src/catalog/fingerprint.ts'
import type { Fingerprint } from '../../src/catalog/fingerprint.ts'
import { RECORD_FILE, SKILL_MD, isInstallable, pickFacts } from '../../src/catalog/skill.ts'
import type { Skill, SkillZip } from '../../src/catalog/skill.ts'
import type { Comparison } from '../../src/documents/comparison.ts'
import type { SkillPageSite } from '../../src/documents/facts.ts'
import { listFileFindings } from '../../src/documents/findings.ts'
import { renderTwin } from '../../src/documents/markdown.ts'
import {
  downloadPath,
  findingsName,
  skillJsonPath,
  skillPath,
  storedFileName,
  twinPath,
} from '../../src/documents/paths.ts'
import { renderHtml } from '../../src/documents/render.ts'
import { writeSkillDocument } from '../../src/documents/skill-page.ts'
import { pickTraits } from '../../src/documents/stats.ts'
import type { SkillTraits } from '../../src/documents/stats.ts'
import { fillTemplate } from '../../src/documents/template.ts'
import type { Template } from '../../src/documents/template.ts'
import { viewDocument } from '../../src/documents/view.ts'
import { decodeLoosely } from '../../src/catalog/text.ts'
import { openShippedVectors } from '../../src/search/vector-file.ts'
import type { SiteFrame } from '../../src/documents/view.ts'
import { digestFiles, digestText } from './digests.ts'
import { encodeWords } from './nearest-words.ts'
import { encodeVector } from './state.ts'
import type { SkillRow } from './state.ts'
import { writeOutputFile } from './target.ts'
import { packZip } from './zip.ts'
import type { ZipEntry } from './zip.ts'

export const publicName = (address: string): string => `public${decodeURIComponent(address)}`

/** Name of the file of a page: `/` is index.html, everything else its path and `.html`. */
export const pageName = (path: string): string => `public${path === '/' ? '/index' : path}.html`

/** Name of the file of a page's Markdown twin. */
export const twinName = (path: string): string => publicName(twinPath(path))

/** Name of the file of a skill's JSON. */
export const jsonName = (slug: string): string => publicName(skillJsonPath(slug))

const findingsFile = (slug: string): string => `private/${findingsName(slug)}`

const indexName = (slug: string): string => publicName(skillPath(slug) + DISCOVERY_PATH)

export const readIndex = (folder: string, slug: string): string =>
  readFileSync(join(folder, indexName(slug)), 'utf8')

export const zipName = (id: number): string => publicName(downloadPath(id))

/** The files of a skill's zip; SKILL.md comes first, synthesized if missing. */
const listZipFiles = ({
  files,
}: Pick<Skill, 'files'>): Pick<ZipEntry, 'path' | 'isExecutable'>[] =>
  files[0]?.path === SKILL_MD ? files : [{ path: SKILL_MD }, ...files]

/** Names of the files of a skill's page. */
export const listPageFiles = (slug: string): string[] => [
  pageName(skillPath(slug)),
  twinName(skillPath(slug)),
]

const hasFindings = (skill: Skill): boolean => Object.keys(listFileFindings(skill)).length > 0

/** Names of a skill's raw files, its index, and the file for the function. */
export const listRawFiles = (skill: Skill): string[] => [
  ...listZipFiles(skill).map(({ path }) => storedFileName(skill.slug, path)),
  ...(isInstallable(skill) ? [indexName(skill.slug)] : []),
  ...(hasFindings(skill) ? [findingsFile(skill.slug)] : []),
]

/** Placeholder for the site's origin in the registry's own skills, which call the site once installed. */
const REGISTRY_ORIGIN = '{registry-origin}'

const readText = (skill: Skill, origin: string): Uint8Array => {
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
    bytes: path === SKILL_MD ? readText(skill, origin) : readSkillFile(skill, path),
  }))

const digestBytes = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex')

const measureZip = (zip: Uint8Array): SkillZip => ({
  size: zip.length,
  sha256: digestBytes(zip),
})

const renderIndex = (skill: Skill, zip: SkillZip, files: readonly ZipEntry[]): string =>
  renderDiscovery([
    makeEntry(
      skill,
      zip,
      files.map(({ path, bytes }) => ({ path, size: bytes.length, sha256: digestBytes(bytes) })),
    ),
  ])

/** The result of reading a skill's folder. */
interface SkillReading {
  /** Absent if there are problems. */
  row?: SkillRow
  problems: Problem[]
}

/**
 * Digests the slug and the listed files of a skill's folder, also those that are not shown. The name of an executable
 * has a mark that no slug begins with.
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

/** A skill to print, with the other skills on its page. */
export interface PrintTask {
  skill: Skill
  comparison: Comparison
  original?: Pick<Skill, 'slug' | 'name'> | undefined
  /** Those that its text names. */
  mentioned: readonly Pick<Skill, 'slug' | 'name'>[]
  /** Its zip if its files are there; then only its page is printed. */
  zip?: SkillZip | undefined
}

/** What is the same for all skills. */
export interface PrintSettings {
  folder: string
  template: Template
  site: SkillPageSite
  frame: SiteFrame
  /** Time at which the build began to read skills. */
  began: number
}

/** A printed skill. */
interface PrintedSkill {
  zip: SkillZip
  traits: SkillTraits
  /** Whether a file changed after the build began, so the output may not match what was read. */
  isUncertain: boolean
  /** Why its SKILL.md is shown as code, if reading it took too long now. */
  unread?: string | undefined
  /** Warnings to curators about its page. */
  warnings: readonly Problem[]
}

/** Milliseconds by which the clock of a file system may be late. */
const COARSE = 10

const isChangedSince = ({ folder, files }: Skill, began: number): boolean =>
  ['', RECORD_FILE, ...files.map(({ path }) => path)].some(
    (path) => (takeFingerprint(folder, path)?.changed ?? Infinity) > began - COARSE,
  )

/** Reads skills and prints their outputs. */
export class SkillPrinter {
  readonly #content: string
  #settings: PrintSettings | undefined

  constructor(content: string) {
    this.#content = content
  }

  read(slug: string): SkillReading {
    const known = new Map<string, Buffer>()
    const read = (folder: string, path: string): Buffer => {
      const bytes = known.get(path) ?? readSkillFile({ folder }, path)
      known.set(path, bytes)
      return bytes
    }
    const { skill, fingerprints, problems } = loadSkill(this.#content, slug, {}, read)
    if (!skill) return { problems }
    const facts = pickFacts(skill)
    // A synthesized SKILL.md adds nothing to the facts.
    const hasText = skill.files[0]?.path === SKILL_MD
    const row = {
      slug,
      fingerprint: printFingerprints(fingerprints, Date.now()),
      digest: digestFolder(slug, fingerprints, (path) => read(skill.folder, path)),
      skill,
      factsDigest: digestText(JSON.stringify(facts)),
      words: encodeWords(skill, hasText ? decodeLoosely(read(skill.folder, SKILL_MD)) : ''),
      vector: encodeVector(openShippedVectors().ofSkill(skill)),
    }
    return { row, problems }
  }

  prepare(settings: PrintSettings): void {
    this.#settings = settings
  }

  async print(task: PrintTask): Promise<PrintedSkill> {
    if (!this.#settings) throw new Error('prepare() must be called before printing')
    const { folder, template, site, frame, began } = this.#settings
    const { skill, comparison, original, mentioned, zip: lastZip } = task
    const { slug, id } = skill
    const files = readZipFiles(skill, site.origin)
    const packed = lastZip ? undefined : await packZip(files)
    const zip = packed ? measureZip(packed) : lastZip!
    const [skillMd, ...others] = files
    const document = writeSkillDocument({
      skill,
      skillMd: skillMd!.bytes,
      others,
      zip,
      comparison,
      site,
      original,
      mentioned,
    })
    const { unread, warnings = [], parts = [] } = document
    const view = viewDocument(document, frame, renderHtml)
    const place = (name: string, bytes: Uint8Array | string): void =>
      writeOutputFile(folder, name, bytes, `public${document.path}`)
    place(pageName(document.path), fillTemplate(template, view))
    place(twinName(document.path), renderTwin(document))
    if (packed) {
      for (const { path, bytes } of files)
        writeOutputFile(folder, storedFileName(slug, path), bytes)
      place(zipName(id), packed)
      if (isInstallable(skill)) place(indexName(slug), renderIndex(skill, zip, files))
      const findings = listFileFindings(skill)
      if (hasFindings(skill)) place(findingsFile(slug), `${JSON.stringify(findings)}\n`)
    }
    const isUncertain = isChangedSince(skill, began)
    return { zip, traits: pickTraits(skill, parts), isUncertain, unread, warnings }
  }
}
