import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { TestRunner, onTestFinished } from 'vitest'
import type { Problem } from '../src/catalog/problems.ts'
import { writeFiles } from '../src/catalog/testing/content.ts'
import type { ContentFiles } from '../src/catalog/testing/content.ts'
import { createProgress } from '../build/machine/progress.ts'
import { CommandError } from '../build/catalog/cli/command.ts'
import { explainLostBits } from '../build/catalog/import/notices.ts'
import { importSource } from '../build/catalog/import/run.ts'
import { SourceReport } from '../build/catalog/update/update.ts'
import type { ImportSettings, Version } from '../build/catalog/import/run.ts'
import { parseSourceAddress } from '../build/catalog/import/sources.ts'
import type { OriginOptions } from '../build/catalog/import/origin.ts'

/** The files of a test's folder, by path. */
export type SampleFiles = Readonly<ContentFiles>

const made: string[] = []

/** Notes a folder. It is removed at the end of the test that makes it, or else by `removeFolders`. */
const note = (folder: string): void => {
  made.push(folder)
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  if (TestRunner.getCurrentTest()) onTestFinished(remove)
}

/** Makes a temporary folder with these files. */
export const makeSampleFolder = (files: SampleFiles = {}): string => {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-test-'))
  note(folder)
  addFiles(folder, files)
  return folder
}

/** Writes files into a folder that a test made. */
export const addFiles = (folder: string, files: SampleFiles): void => writeFiles(folder, files)

/** Makes links by their paths in a folder; each target is relative to its link. */
export const addLinks = (folder: string, links: Readonly<Record<string, string>>): void => {
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(target, join(folder, path))
  }
}

/** Removes every folder that was made. */
export const removeFolders = (): void => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
}

/** What `makeOnce` has made, with the folders of each and a tar file of them. */
const kept = new Map<string, { what: unknown; folders: string[]; files: Buffer }[]>()

const tar = (option: string, args: readonly string[], input?: Buffer): Buffer =>
  execFileSync('tar', [option, '-', '-C', '/', ...args], { input, maxBuffer: 2 ** 28 })

/** Makes what lies in sample folders once. The next test with the same key gets it again, at the same place. */
export const makeOnce = async <What>(key: string, make: () => Promise<What>): Promise<What> => {
  const known = kept.get(key) ?? []
  const free = known.find(({ folders }) => !folders.some((folder) => existsSync(folder)))
  if (free) {
    free.folders.forEach(note)
    tar('-xf', [], free.files)
    return free.what as What
  }
  const before = made.length
  const what = await make()
  const folders = made.slice(before)
  const files = tar(
    '-cf',
    folders.map((folder) => folder.slice(1)),
  )
  kept.set(key, [...known, { what, folders, files }])
  return what
}

/** Reads every file below a folder, by path. In `latin1`, a byte is a character. Unlike a glob, lists names that start with a dot. */
export const readTree = (
  folder: string,
  encoding: BufferEncoding = 'latin1',
): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, encoding)]),
  )

/** Reads every file below a folder as text, by path. */
export const readSampleTree = (folder: string): Record<string, string> =>
  Object.fromEntries(readTree(folder, 'utf8'))

/** Reads the record of a skill in a content folder; empty without one. */
export const recordIn = (content: string, slug: string) =>
  JSON.parse(readSampleTree(content)[`skills/${slug}/skill.json`] ?? '{}')

export const sampleSkillMd = (name: string, description = 'Sorts words.', body = 'Sort.'): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`

/** The SKILL.md of a skill in a repository; `name` may be a path. */
export const skillFiles = (name: string, body?: string): SampleFiles => ({
  [`skills/${name}/SKILL.md`]: sampleSkillMd(name, `Does ${name}.`, body),
})

/** Returns a path for a content folder, which does not exist before the first import. */
export const makeContent = (): string => join(makeSampleFolder(), 'content')

/** Imports sources without any output, as the registry's own unless `settings` say otherwise. */
export const runImport = async (
  from: string,
  into: string,
  settings: Partial<Parameters<typeof importSource>[1] & OriginOptions> = {},
) => {
  const options = { isOwn: true, ...settings }
  const address = parseSourceAddress(from, options)
  const progress = createProgress({ write: () => true })
  const today = settings.today ?? '2026-05-05'
  const defaults = { into, options, now: '2026-05-05T12:00:00Z', today, seen: today, progress }
  const [imported, updated]: (Version & { path: string })[][] = [[], []]
  const [written, removed, refusals]: string[][] = [[], [], []]
  const lost: Problem[] = []
  const review: ImportSettings['review'] = (version, write) => {
    const { slug, change, live, record } = version
    const place = `skills/${slug}`
    const files = [...change.written, ...(isDeepStrictEqual(live, record) ? [] : ['skill.json'])]
    ;(live ? updated : imported)!.push({ ...version, path: version.candidate.path })
    if (version.open !== undefined) refusals!.push(version.open)
    written!.push(...files.map((path) => `${place}/${path}`))
    removed!.push(...change.removed.map((path) => `${place}/${path}`))
    lost.push(...explainLostBits(place, write()))
  }
  const report = new SourceReport(from)
  const call = { ...defaults, review, ...settings }
  const nothing: Awaited<ReturnType<typeof importSource>> = { unchanged: [], missing: [] }
  const { unchanged, missing: gone } = await importSource(address, call, report).catch(
    (error: unknown) => {
      if (!(error instanceof CommandError)) throw error
      report.failed.push(error.message)
      return nothing
    },
  )
  const { leftOut: skipped, notices } = report
  const warnings = [...notices, ...lost]
  return {
    ...report,
    unchanged,
    gone,
    skipped,
    warnings,
    imported: imported!,
    updated: updated!,
    written: written!,
    removed: removed!,
    refusals: refusals!,
  }
}

/** Imports sources as `runImport` does, into a new content folder, which is returned as well. */
export const importNew = async (
  ...[from, settings]: [string, Parameters<typeof runImport>[2]?]
) => {
  const content = makeContent()
  return { content, ...(await runImport(from, content, settings)) }
}
