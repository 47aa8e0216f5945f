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
import { writeVersionDocument } from '../../src/documents/skill/version-page.ts'
import type { VersionPageInput } from '../../src/documents/skill/version-page.ts'
import { fillTemplate } from '../../src/documents/template.ts'
import { viewDocument } from '../../src/documents/view.ts'
import { packZip } from '../machine/zip.ts'
import { compareVersionFiles, countChanged } from '../versions/diff.ts'
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

export const listVersionFiles = (skill: Skill, name: string): string[] => {
  const path = versionPath(skill.slug, name)
  const index = isInstallable(skill) ? [publicName(path + DISCOVERY_PATH)] : []
  return [pageName(path), twinName(path), versionZipName(skill.slug, name), ...index]
}

export interface VersionTask extends Pick<VersionPageInput, 'version' | 'before'> {
  /** The skill today. Its record decides which findings are accepted. */
  skill: Skill
  /** For the current version: the zip of the skill, which the build gives a second name. */
  zip: SkillZip | undefined
  /** The files in git. */
  past: VersionFiles
  /** The files of the version before it, if they may be shown. */
  pastBefore: VersionFiles | undefined
}

/** A printed version: its author's label and its zip, or why it is withheld. */
export type PrintedVersion = Pick<OutputDetails, 'withheld' | 'label' | 'lines' | 'zip'>

/** Makes a skill from the files of an earlier version, with today's rules. Returns the reason if they withhold it. */
const readPast = (
  { slug, accepted = [] }: Skill,
  { files, record: text }: VersionFiles,
): { skill: Skill } | { withheld: string } => {
  const problems: Problem[] = []
  const record = readRecord('its record', () => text, skillRecord, problems)
  // Ignore what the record accepted then: only today's acceptances count.
  if (record) record.accepted = [...accepted]
  const bytes = new Map(files.map((file) => [file.path, Buffer.from(file.bytes)]))
  const listed = files.map(({ path, bytes: { length: size }, isExecutable }) => ({
    path,
    size,
    isExecutable,
  }))
  const opened = { slug, folder: '', fingerprints: [], problems, record, files: listed, bytes }
  const { skill } = makeSkill(opened)
  if (!skill) return { withheld: `${problems[0]!.message}; ${problems[0]!.remedy}` }
  const high = skill.findings.find((found) => found.severity === 'high' && needsReview(found))
  return high
    ? { withheld: `${high.rule} in ${high.file}, line ${high.line}, which no curator has accepted` }
    : { skill }
}

/** Makes the page of a version. It parses untrusted text, so call it with a time limit. */
const makeVersion = (
  { skill: today, version, before, zip, past, pastBefore }: VersionTask,
  { template, site, frame }: Pick<PrintSettings, 'template' | 'site' | 'frame'>,
) => {
  const made = zip ? { skill: today } : readPast(today, past)
  if ('withheld' in made) return made
  const { skill } = made
  // A difference would show the text of a withheld version as removed lines.
  const isShown = pastBefore && 'skill' in readPast(today, pastBefore)
  const { added = [], changed = [], removed = [] } = version.changes ?? {}
  const paths = [...added, ...changed, ...removed].sort()
  const difference = isShown ? compareVersionFiles(paths, pastBefore.files, past.files) : undefined
  const isCurrent = zip !== undefined
  const document = writeVersionDocument({
    skill,
    version,
    isCurrent,
    before,
    difference,
    site,
  })
  const page = fillTemplate(template, viewDocument(document, frame))
  return { skill, page, twin: renderTwin(document), lines: difference && countChanged(difference) }
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
    const { skill, page, twin, lines } = done.result
    const { name } = task.version
    const { files } = task.past
    const packed = task.zip ? undefined : await packZip(files)
    const zip = packed ? measureZip(packed) : task.zip!
    const index = renderIndex(skill, zip, sumUpFiles(files), versionZipPath(skill.slug, name))
    const contents = [page, twin, packed, index]
    for (const [place, file] of listVersionFiles(skill, name).entries())
      if (contents[place] !== undefined)
        writeOutputFile(folder, file, contents[place], 'public/skills')
    return { label: skill.needs?.version, lines, zip }
  }
  return Promise.all(tasks.map(print))
}
