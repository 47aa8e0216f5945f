import { readRecord } from '../../src/catalog/problems.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import { runEach } from '../../src/catalog/in-time.ts'
import { needsReview } from '../../src/catalog/safety/scan.ts'
import { skillRecord } from '../../src/catalog/schema.ts'
import { isInstallable } from '../../src/catalog/skill.ts'
import type { Skill, SkillZip } from '../../src/catalog/skill.ts'
import { makeSkill } from '../../src/catalog/skill-folder.ts'
import { DISCOVERY_PATH } from '../../src/api/discovery.ts'
import { versionPath, versionZipPath } from '../../src/documents/paths.ts'
import { renderTwin } from '../../src/documents/prose/markdown.ts'
import { renderHtml } from '../../src/documents/prose/render.ts'
import { compareWithBefore, writeVersionDocument } from '../../src/documents/skill/version-page.ts'
import type { VersionChange, VersionPageInput } from '../../src/documents/skill/version-page.ts'
import { fillTemplate } from '../../src/documents/template.ts'
import { viewPrinted } from '../../src/documents/printed.ts'
import { packZip } from '../machine/zip.ts'
import type { VersionDifference } from '../versions/diff.ts'
import type { VersionFiles } from '../versions/read.ts'
import {
  measureZip,
  pageName,
  publicName,
  renderIndex,
  sumUpFiles,
  twinName,
} from './skill-files.ts'
import type { PrintSettings } from './skill-files.ts'
import type { OutputDetails } from './state.ts'
import { writeOutputFile } from './target.ts'

export const versionZipName = (slug: string, name: string): string =>
  publicName(versionZipPath(slug, name))

export const versionIndexName = (slug: string, name: string): string =>
  publicName(versionPath(slug, name) + DISCOVERY_PATH)

/** A version to print. An earlier version also gets a zip and an index; the current version uses those of its skill. */
export interface VersionTask extends Pick<VersionPageInput, 'version'> {
  /** The version before it, and whether its text may be shown in a difference. */
  before: (VersionPageInput['before'] & { isShowable: boolean }) | undefined
  /** The skill today. Its record decides which findings are accepted. */
  skill: Skill
  /** The files in git, if this is an earlier version. */
  past: VersionFiles | undefined
  /** The files of the version before it, if that version has a name and its text may be shown. */
  pastBefore: VersionFiles | undefined
  difference: VersionDifference | undefined
}

/** A printed version: why it is withheld, or its author's label, its change, and the zip of an earlier version. */
export type PrintedVersion = Pick<OutputDetails, 'withheld' | 'label' | 'change' | 'zip'>

/** Makes a skill from the files of an earlier version, with today's rules. */
const readPast = ({ slug, accepted = [] }: Skill, { files, record: text }: VersionFiles) => {
  const problems: Problem[] = []
  const record = readRecord('its record', () => text, skillRecord, problems)
  // Ignore what the record accepted then: only today's acceptances count.
  if (record) record.accepted = [...accepted]
  const bytes = new Map(files.map((file) => [file.path, Buffer.from(file.bytes)]))
  const listed = files.map(({ path, bytes: { length: size }, isExecutable }) => ({
    path,
    size,
    isExecutable: isExecutable || undefined,
  }))
  return makeSkill({ slug, folder: '', fingerprints: [], problems, record, files: listed, bytes })
}

/** Explains why today's rules withhold an earlier version; undefined if they do not. */
const explainWithheld = ({ findings }: Skill): string | undefined => {
  const high = findings.find((found) => found.severity === 'high' && needsReview(found))
  return high && `${high.rule} in ${high.file}, line ${high.line}, which no curator has accepted`
}

type MadeVersion =
  | { withheld: string }
  | { skill: Skill; change: VersionChange | undefined; page: string; twin: string }

/** Makes the page of a version. It parses untrusted text, so call it with a time limit. */
const makeVersion = (
  task: VersionTask,
  { template, site, frame }: Pick<PrintSettings, 'template' | 'site' | 'frame'>,
): MadeVersion => {
  const { version, before: shownBefore, skill: current, past, pastBefore, difference } = task
  const { skill, problems } = past ? readPast(current, past) : { skill: current, problems: [] }
  if (!skill) return { withheld: problems[0]!.remedy }
  const withheld = past && explainWithheld(skill)
  if (withheld !== undefined) return { withheld }
  const before = pastBefore && readPast(current, pastBefore).skill
  // The difference would show the text of a withheld version as removed lines.
  const shown = before && explainWithheld(before) !== undefined ? undefined : difference
  const change = shown && compareWithBefore(before, skill, shown)
  const isCurrent = !past
  const input = { skill, version, before: shownBefore, isCurrent, change, difference: shown, site }
  const document = writeVersionDocument(input)
  const page = fillTemplate(template, viewPrinted(document, frame, renderHtml))
  return { skill, change, page, twin: renderTwin(document) }
}

/** Writes the zip and the index of an earlier version. */
const writePast = async (
  { version: { name }, past }: VersionTask,
  skill: Skill,
  folder: string,
): Promise<SkillZip | undefined> => {
  if (!past) return undefined
  const packed = await packZip(past.files)
  const zip = measureZip(packed)
  writeOutputFile(folder, versionZipName(skill.slug, name), packed, 'public/skills')
  if (isInstallable(skill)) {
    const index = renderIndex(skill, zip, sumUpFiles(past.files), versionZipPath(skill.slug, name))
    writeOutputFile(folder, versionIndexName(skill.slug, name), index)
  }
  return zip
}

/** Prints some versions. Each earlier version is first scanned with today's rules. */
export const printVersions = async (
  tasks: readonly VersionTask[],
  settings: Pick<PrintSettings, 'folder' | 'limit' | 'template' | 'site' | 'frame'>,
): Promise<PrintedVersion[]> => {
  const { folder, limit } = settings
  const made = runEach(limit, tasks, (task) => makeVersion(task, settings))
  const print = async (task: VersionTask, at: number): Promise<PrintedVersion> => {
    const done = made[at]!
    if (!('result' in done)) return { withheld: done.fault }
    if ('withheld' in done.result) return done.result
    const { skill, change, page, twin } = done.result
    const path = versionPath(skill.slug, task.version.name)
    writeOutputFile(folder, pageName(path), page)
    writeOutputFile(folder, twinName(path), twin)
    const zip = await writePast(task, skill, folder)
    return { label: skill.needs?.version, change, ...(zip && { zip }) }
  }
  return Promise.all(tasks.map(print))
}
