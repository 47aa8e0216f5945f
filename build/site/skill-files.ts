import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { DISCOVERY_PATH, makeEntry, renderDiscovery } from '../../src/api/discovery.ts'
import { loadSkill, readSkillFile, readSkillMd } from '../../src/catalog/skill-folder.ts'
import { isUntraced } from '../../src/catalog/load.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import { printFingerprints, takeFingerprint } from '../../src/catalog/fingerprint.ts'
import { RECORD_FILE, SKILL_MD, isInstallable, pickFacts } from '../../src/catalog/skill.ts'
import type { Skill, SkillFacts, SkillZip } from '../../src/catalog/skill.ts'
import { BREAKS_SPECIFICATION } from '../../src/catalog/specification.ts'
import { decodeLoosely } from '../../src/catalog/text.ts'
import type { Comparison } from '../../src/documents/comparison.ts'
import type { SkillPageSite } from '../../src/documents/facts.ts'
import { listFileFindings } from '../../src/documents/findings.ts'
import { renderTwin } from '../../src/documents/markdown.ts'
import {
  downloadPath,
  findingsName,
  skillJsonPath,
  skillPath,
  twinPath,
} from '../../src/documents/paths.ts'
import { renderHtml } from '../../src/documents/render.ts'
import { renderSkillJson } from '../../src/documents/skill-json.ts'
import { writeSkillDocument } from '../../src/documents/skill-page.ts'
import { pickTraits } from '../../src/documents/stats.ts'
import type { SkillTraits } from '../../src/documents/stats.ts'
import { fillTemplate } from '../../src/documents/template.ts'
import type { Template } from '../../src/documents/template.ts'
import { viewDocument } from '../../src/documents/view.ts'
import { digestFiles, digestText } from './digests.ts'
import { encodeWords } from './nearest-words.ts'
import { analyzeFacts } from './search-index.ts'
import type { SkillRow } from './state.ts'
import { Tree } from './tree.ts'
import type { Written } from './tree.ts'
import { packZip } from './zip.ts'
import type { ZipEntry } from './zip.ts'

/** A file of the output: its name below the generation's folder, and how to make its bytes. */
export interface Output {
  name: string
  make: () => Uint8Array | string
}

export const publicName = (address: string): string => `public${decodeURIComponent(address)}`

/** Name of the file of a page: `/` is index.html, everything else its path and `.html`. */
export const pageName = (path: string): string => `public${path === '/' ? '/index' : path}.html`

/** Name of the file of a page's Markdown twin. */
export const twinName = (path: string): string => publicName(twinPath(path))

const jsonName = (slug: string): string => publicName(skillJsonPath(slug))

const fileName = (slug: string, path: string): string => `public${skillPath(slug)}/${path}`

const findingsFile = (slug: string): string => `private/${findingsName(slug)}`

export const indexName = (slug: string): string => publicName(skillPath(slug) + DISCOVERY_PATH)

export const readIndex = (folder: string, slug: string): string =>
  readFileSync(join(folder, indexName(slug)), 'utf8')

const zipName = (id: number): string => publicName(downloadPath(id))

/** Names of all output files of a skill; `files` are the paths in its zip. */
export const listSkillNames = ({ slug, id, files, facts, hasFindings }: SkillRow): string[] =>
  files.length === 0
    ? []
    : [
        pageName(skillPath(slug)),
        twinName(skillPath(slug)),
        jsonName(slug),
        ...files.map((path) => fileName(slug, path)),
        zipName(id),
        ...(isInstallable(facts) ? [indexName(slug)] : []),
        ...(hasFindings ? [findingsFile(slug)] : []),
      ]

/** Paths of a skill's files in its zip; SKILL.md comes first, synthesized if missing. */
const listPaths = ({ files }: Pick<Skill, 'files'>): string[] => [
  SKILL_MD,
  ...files.map(({ path }) => path).filter((path) => path !== SKILL_MD),
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
  listPaths(skill).map((path) => ({
    path,
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

/** The file with a skill's findings, if there are any. */
const listFindingsOutputs = (skill: Skill): Output[] => {
  const findings = listFileFindings(skill)
  return Object.keys(findings).length > 0
    ? [{ name: findingsFile(skill.slug), make: () => `${JSON.stringify(findings)}\n` }]
    : []
}

const packSkill = (skill: Skill, origin: string): Uint8Array =>
  packZip(readZipFiles(skill, origin), skill.updated)

/** A skill's raw files, each read when needed, its zip and index, and the files for the function. */
export const listSkillOutputs = (skill: Skill, origin: string): Output[] => [
  ...listPaths(skill).map((path) => ({
    name: fileName(skill.slug, path),
    make: () => readZipFiles(skill, origin).find((file) => file.path === path)?.bytes ?? '',
  })),
  { name: zipName(skill.id), make: () => packSkill(skill, origin) },
  ...(isInstallable(skill)
    ? [
        {
          name: indexName(skill.slug),
          make: () => renderIndex(skill, describeZip(skill, origin), readZipFiles(skill, origin)),
        },
      ]
    : []),
  ...listFindingsOutputs(skill),
]

/** Describes the zip of a skill outside a build. */
export const describeZip = (skill: Skill, origin: string): SkillZip =>
  measureZip(packSkill(skill, origin))

/** The result of reading a skill's folder. */
export interface SkillReading {
  slug: string
  fingerprint: string
  filesDigest: string
  factsDigest: string
  /** Without counters; undefined if there are problems. */
  facts?: SkillFacts
  files: string[]
  hasFindings: boolean
  mentions: string
  words?: string
  /** The bytes of `encodeAnalysis`. */
  analysis?: Uint8Array
  problems: Problem[]
}

/** The words a skill is compared by; a synthesized SKILL.md adds nothing to the facts. */
export const encodeSkillWords = (
  skill: Skill,
  read: (path: string) => Uint8Array = (path) => readSkillFile(skill, path),
): string =>
  encodeWords(skill, skill.files[0]?.path === SKILL_MD ? decodeLoosely(read(SKILL_MD)) : '')

/** A skill to print, with the other skills on its page. */
export interface PrintTask {
  slug: string
  views: number
  installs: number
  comparison: Comparison
  original?: Pick<Skill, 'slug' | 'name'> | undefined
  /** Those that its text names. */
  mentioned: readonly Pick<Skill, 'slug' | 'name'>[]
  /** Its zip if its files did not change; then only pages and metadata are printed. */
  zip?: SkillZip | undefined
}

/** Settings common to the outputs of all skills. */
export interface PrintSettings {
  folder: string
  isEmpty: boolean
  template: Template
  site: SkillPageSite
  siteName: string
  began: number
}

/** A printed skill; describes its zip if it was packed. */
interface PrintedSkill extends Written {
  slug: string
  zip?: SkillZip
  traits: SkillTraits
  /** Whether a file changed after the build began, so the output may not match what was read. */
  isUncertain: boolean
  /** Warnings to curators about its page. */
  warnings: readonly Problem[]
}

/** Milliseconds by which the clock of a file system may be late. */
const COARSE = 10

/** Reads skills and prints their outputs. Keeps what it read, except texts, until a skill is printed. */
export class SkillPrinter {
  readonly #content: string
  /** Serialized, since fields are slices of the text and one slice makes V8 retain all of it. */
  readonly #kept = new Map<string, Buffer>()
  #settings: PrintSettings | undefined
  #tree: Tree | undefined

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
    const fingerprint = printFingerprints(fingerprints, Date.now())
    if (!skill) {
      const nothing = {
        filesDigest: '',
        factsDigest: '',
        files: [],
        hasFindings: false,
        mentions: '',
      }
      return { slug, fingerprint, ...nothing, problems }
    }
    // The SKILL.md of a gone skill is not among its files, but may have been read for its name.
    const paths = new Set([RECORD_FILE, ...skill.files.map(({ path }) => path), ...known.keys()])
    const isShown = !isUntraced(skill)
    if (isShown) this.#kept.set(slug, serialize(skill))
    const facts = pickFacts(skill)
    return {
      slug,
      fingerprint,
      filesDigest: digestFiles([...paths].map((path) => [path, read(skill.folder, path)])),
      factsDigest: digestText(JSON.stringify(facts)),
      facts,
      files: isShown ? listPaths(skill) : [],
      hasFindings: isShown && listFindingsOutputs(skill).length > 0,
      mentions: (skill.needs?.skills ?? []).join(' '),
      words: encodeSkillWords(skill, (path) => read(skill.folder, path)),
      analysis: analyzeFacts(facts),
      problems,
    }
  }

  prepare(settings: PrintSettings): void {
    this.#settings = settings
    this.#tree = new Tree(settings.folder, settings.isEmpty)
  }

  print(task: PrintTask): PrintedSkill {
    const [settings, tree] = [this.#settings, this.#tree]
    if (!settings || !tree) throw new Error('prepare() must be called before printing')
    const { slug, views, installs, comparison, original, mentioned, zip: lastZip } = task
    const skill = { ...this.#takeSkill(slug), views, installs }
    const { site, began } = settings
    const files = readZipFiles(skill, site.origin)
    const isUncertain = ['', RECORD_FILE, ...skill.files.map(({ path }) => path)].some(
      (path) => (takeFingerprint(skill.folder, path)?.changed ?? Infinity) > began - COARSE,
    )
    const packed = lastZip ? undefined : packZip(files, skill.updated)
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
    const { parts = [] } = document
    const breach = { file: `skills/${slug}/${SKILL_MD}`, field: '', remedy: BREAKS_SPECIFICATION }
    const warnings = [
      ...(document.warnings ?? []),
      ...(skill.breaksSpecification === true ? [breach] : []),
    ]
    const traits = pickTraits(skill, parts)
    const view = viewDocument(document, site.origin, settings.siteName, renderHtml)
    const home = `public${document.path}`
    tree.place(pageName(document.path), fillTemplate(settings.template, view), home)
    tree.place(twinName(document.path), renderTwin(document), home)
    const json = { skill, origin: site.origin, zip, mentioned: mentioned.map((one) => one.slug) }
    tree.place(jsonName(slug), renderSkillJson(json), home)
    if (isInstallable(skill)) tree.place(indexName(slug), renderIndex(skill, zip, files), home)
    if (!packed) return { slug, traits, ...tree.takeWritten(), isUncertain, warnings }
    for (const { path, bytes } of files) tree.place(fileName(slug, path), bytes)
    tree.place(zipName(skill.id), packed, home)
    for (const { name, make } of listFindingsOutputs(skill)) tree.place(name, make(), home)
    return { slug, traits, zip, ...tree.takeWritten(), isUncertain, warnings }
  }

  #takeSkill(slug: string): Skill {
    const kept = this.#kept.get(slug)
    const skill = kept ? (deserialize(kept) as Skill) : loadSkill(this.#content, slug, {}).skill
    this.#kept.delete(slug)
    if (!skill) throw new Error(`skills/${slug} changed during the build; build again`)
    return skill
  }
}
