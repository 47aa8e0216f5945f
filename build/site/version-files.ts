import { readRecord } from '../../src/catalog/problems.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import { runEach } from '../../src/catalog/in-time.ts'
import { needsReview } from '../../src/catalog/safety/scan.ts'
import { skillRecord } from '../../src/catalog/schema.ts'
import type { Acceptance } from '../../src/catalog/schema.ts'
import { isInstallable } from '../../src/catalog/skill.ts'
import type { Skill, SkillZip } from '../../src/catalog/skill.ts'
import { makeSkill } from '../../src/catalog/skill-folder.ts'
import { DISCOVERY_PATH } from '../../src/api/discovery.ts'
import { versionPath, versionZipPath } from '../../src/documents/paths.ts'
import { packZip } from '../machine/zip.ts'
import type { ZipEntry } from '../machine/zip.ts'
import { measureZip, publicName, renderIndex, sumUpFiles } from './skill-files.ts'
import { writeOutputFile } from './target.ts'

export const versionZipName = (slug: string, name: string): string =>
  publicName(versionZipPath(slug, name))

export const versionIndexName = (slug: string, name: string): string =>
  publicName(versionPath(slug, name) + DISCOVERY_PATH)

/** An earlier version to print, with the bytes that git has of it. */
export interface VersionTask {
  slug: string
  name: string
  files: readonly ZipEntry[]
  /** The text of its own record. */
  record: string
  /** What the record of the skill accepts today. */
  accepted: readonly Acceptance[]
}

/** An earlier version that was printed, or why it is not served. */
export type PrintedVersion =
  | { zip: SkillZip; label: string | undefined; files: string[] }
  | { withheld: string }

/** Makes the skill that a version was, as today's rules see it. */
const readVersion = ({ slug, files, record: text, accepted }: VersionTask) => {
  const problems: Problem[] = []
  const record = readRecord('its record', () => text, skillRecord, problems)
  if (record) record.accepted = [...(record.accepted ?? []), ...accepted]
  const bytes = new Map(files.map((file) => [file.path, Buffer.from(file.bytes)]))
  const listed = files.map(({ path, bytes: { length: size }, isExecutable }) => ({
    path,
    size,
    isExecutable: isExecutable || undefined,
  }))
  return makeSkill({ slug, folder: '', fingerprints: [], problems, record, files: listed, bytes })
}

/** Why today's rules keep an earlier version back. */
const findReason = ({ findings }: Skill): string | undefined => {
  const high = findings.find((one) => one.severity === 'high' && needsReview(one))
  return high && `${high.rule} in ${high.file}, line ${high.line}, which no curator has accepted`
}

/** Prints some earlier versions, each scanned with the rules of today first. */
export const printVersions = async (
  tasks: readonly VersionTask[],
  { folder, limit }: { folder: string; limit: number },
): Promise<PrintedVersion[]> => {
  const read = runEach(limit, tasks, readVersion)
  const print = async (task: VersionTask, at: number): Promise<PrintedVersion> => {
    const done = read[at]!
    if (!('result' in done)) return { withheld: done.fault }
    const { skill, problems } = done.result
    if (!skill) return { withheld: problems[0]!.remedy }
    const withheld = findReason(skill)
    if (withheld !== undefined) return { withheld }
    const { slug, name, files } = task
    const packed = await packZip(files)
    const zip = measureZip(packed)
    const names = [versionZipName(slug, name)]
    writeOutputFile(folder, names[0]!, packed, 'public/skills')
    if (isInstallable(skill)) {
      const index = renderIndex(skill, zip, sumUpFiles(files), versionZipPath(slug, name))
      names.push(versionIndexName(slug, name))
      writeOutputFile(folder, names[1]!, index)
    }
    return { zip, label: skill.needs?.version, files: names }
  }
  return Promise.all(tasks.map(print))
}
