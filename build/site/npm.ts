import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import JSZip from 'jszip'
import { loadSiteContent } from '../../src/catalog/load.ts'
import { ContentError } from '../../src/catalog/problems.ts'
import { countOf } from '../../src/catalog/text.ts'
import { npxOf } from '../../src/documents/install-line.ts'
import { PATHS, downloadPath, skillPath } from '../../src/documents/paths.ts'
import { codeFence, joinBlocks, link, md, table } from '../../src/documents/prose/md.ts'
import { listFilesBelow } from '../machine/folders.ts'
import { callGit, trustedRights } from '../machine/git.ts'
import { SettingsError } from './settings.ts'

/** The npm package of a registry: its name and version, and the facts for its README. */
export interface NpmPackage {
  name: string
  version: string
  title: string
  description: string
  isPrivate: boolean
}

const REMEDY = 'or set a version: --npm-version 1.2.3'

const readGitText = (folder: string, ...args: string[]): string => {
  const { stdout, fault } = callGit(args, { ...trustedRights(), folder })
  if (fault !== undefined)
    throw new SettingsError(
      `--npm: the version comes from git, which ${fault}; commit the content, ${REMEDY}`,
    )
  return String(stdout).trim()
}

const DAY = 24 * 60 * 60

/**
 * Makes a version from git, such as `2026.1126.2`: the day (UTC) of the newest commit on the main line that changed a
 * folder, and the number of that commit on that day. Throws SettingsError if git cannot determine it.
 */
export const dateVersion = (folder: string): string => {
  if (readGitText(folder, 'rev-parse', '--is-shallow-repository') === 'true')
    throw new SettingsError(
      `--npm: this clone is shallow, so the commits of a day cannot be counted; run git fetch --unshallow, ${REMEDY}`,
    )
  const changes = readGitText(
    folder,
    'status',
    '--porcelain',
    '--untracked-files=normal',
    '--',
    '.',
  )
  if (changes !== '')
    throw new SettingsError(
      `--npm: ${folder} has uncommitted changes, but the version comes from a commit; commit them, ${REMEDY}`,
    )
  const list = ['rev-list', '--first-parent', '--timestamp', '--max-count=1']
  const newest = readGitText(folder, ...list, 'HEAD', '--', '.')
  const seconds = Number(newest.split(' ')[0])
  const midnight = seconds - (seconds % DAY)
  const count = ['rev-list', '--first-parent', '--count', `--max-age=${midnight}`]
  const number = readGitText(folder, ...count, 'HEAD', '--', '.')
  const day = new Date(seconds * 1_000)
  const date = String(day.getUTCDate()).padStart(2, '0')
  return `${day.getUTCFullYear()}.${day.getUTCMonth() + 1}${date}.${number}`
}

/** Semantic versions, without build metadata, which npm drops. */
const VERSION = /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-[0-9A-Za-z.-]+)?$/

/** Determines the name and version of the package, before a build. Throws SettingsError and ContentError. */
export const planPackage = (contentFolder: string, version?: string): NpmPackage => {
  const { site, problems } = loadSiteContent(contentFolder)
  if (problems.length > 0) throw new ContentError(problems)
  const { npm: name, name: title, description, private: isPrivate = false } = site
  if (name === undefined)
    throw new SettingsError(
      '--npm: site.json does not name the package; add "npm", such as "npm": "@acme/skills"',
    )
  if (version !== undefined && !VERSION.test(version))
    throw new SettingsError(`--npm-version ${version}: must be a version such as 1.2.3`)
  return { name, version: version ?? dateVersion(contentFolder), title, description, isPrivate }
}

/** The fields of a line of the dump that the package needs. */
interface DumpRow {
  id: number
  slug: string
  author: string
  licence: string | null
  hasText: boolean
}

const renderManifest = ({ name, version, description }: NpmPackage, origin: string): string =>
  `${JSON.stringify(
    {
      name,
      version,
      description,
      homepage: origin,
      license: 'SEE LICENSE IN README.md',
      files: ['skills'],
    },
    null,
    2,
  )}\n`

const renderReadme = (
  { name, title, description, isPrivate }: NpmPackage,
  rows: readonly DumpRow[],
  origin: string,
): string => {
  const skills = rows.map(({ slug, author, licence }) => [
    link(slug, origin + skillPath(slug)),
    author,
    licence ?? 'not stated',
  ])
  const request = JSON.stringify({ skills: [`npm:${name}`] }, null, 2)
  return `${joinBlocks([
    md`# ${title}`,
    md`${description}`,
    md`Agent skills from ${link(title, origin)}. In your project, run:`,
    codeFence(`npm install -D ${name}\n${npxOf({ isPrivate })} experimental_sync`, 'sh'),
    md`The second command installs the skills for your assistants, if package.json lists them:`,
    codeFence(request, 'json'),
    table(['Skill', 'Author', 'Licence'], skills),
  ])}\n`
}

/** Files by which npm would leave out other files. npm leaves out these files too. */
const IGNORES = /(?:^|\/)\.(?:npm|git)ignore$/

/** Unpacks the files of a skill with their modes in the zip, regardless of the umask. Returns the paths left out. */
const unpack = async (zip: Uint8Array, folder: string): Promise<string[]> => {
  const { files } = await JSZip.loadAsync(zip)
  for (const [path, file] of Object.entries(files)) {
    if (IGNORES.test(path)) continue
    const place = join(folder, path)
    mkdirSync(dirname(place), { recursive: true })
    writeFileSync(place, await file.async('nodebuffer'))
    chmodSync(place, Number(file.unixPermissions) & 0o777)
  }
  return Object.keys(files).filter((path) => IGNORES.test(path))
}

/** Asks npm which files of a package it would leave out. Throws SettingsError. */
const listLeftOut = (folder: string): string[] => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { stdout, status } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0)
    throw new SettingsError(
      `--npm: npm cannot pack ${folder}; run npm pack in that folder to see why`,
    )
  const [packed] = Object.values(
    JSON.parse(stdout) as Record<string, { files: { path: string }[] }>,
  )
  const included = new Set(packed!.files.map(({ path }) => path))
  return listFilesBelow(folder).filter((path) => !included.has(path))
}

/** Maximum number of files that a line of the report names. */
const FILES_NAMED = 20

const describeLeftOut = (paths: readonly string[]): string => {
  const more = paths.length > FILES_NAMED ? ` and ${paths.length - FILES_NAMED} more` : ''
  return `npm leaves out ${countOf(paths.length, 'file')}: ${paths.slice(0, FILES_NAMED).join(', ')}${more}`
}

/** Writes the package from a finished build, with all skills whose text may be passed on. Returns a report's lines. */
export const writePackage = async (
  site: string,
  folder: string,
  plan: NpmPackage,
): Promise<string[]> => {
  const read = (name: string) => readFileSync(join(site, name))
  const { origin } = JSON.parse(read('private/site.json').toString()) as { origin: string }
  const lines = read(`public${PATHS.dump}`).toString().split('\n').slice(0, -1)
  const listed = lines.map((line) => JSON.parse(line) as DumpRow)
  const skills = listed.filter(({ hasText }) => hasText)
  rmSync(folder, { recursive: true, force: true })
  const ignores: string[] = []
  for (const { id, slug } of skills) {
    const paths = await unpack(read(`public${downloadPath(id)}`), join(folder, 'skills', slug))
    ignores.push(...paths.map((path) => `skills/${slug}/${path}`))
  }
  mkdirSync(folder, { recursive: true })
  const texts = {
    'package.json': renderManifest(plan, origin),
    'README.md': renderReadme(plan, skills, origin),
  }
  for (const [name, text] of Object.entries(texts)) {
    writeFileSync(join(folder, name), text)
    chmodSync(join(folder, name), 0o644)
  }
  const leftOut = [...ignores, ...listLeftOut(folder)].sort()
  const without = listed.length - skills.length
  return [
    ...(without > 0
      ? [`Not in the package: ${countOf(without, 'skill')} whose text may not be passed on`]
      : []),
    ...(leftOut.length > 0 ? [describeLeftOut(leftOut)] : []),
    `Wrote ${folder}: ${plan.name} ${plan.version}, ${countOf(skills.length, 'skill')}`,
  ]
}
