import { INSTALLED_NAME, SKILL_MD, hasText, isInstallable } from '../../catalog/skill.ts'
import { readAddress } from '../../catalog/address.ts'
import type { Skill, SkillZip } from '../../catalog/skill.ts'
import { foldLine, truncateAtWord } from '../../catalog/text.ts'
import { installLine } from '../install-line.ts'
import { CLIENTS, FIRST_CLIENT, SHARED_DIRECTORY } from './clients.ts'
import type { ListedClient } from './clients.ts'
import type { InstallWay } from '../document.ts'
import { showSize } from './facts.ts'
import { isPlugin, marketplacePath } from '../feeds/marketplace.ts'
import { codeFence, codeSpan, joinBlocks, joinWords, link, list, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'
import {
  PATHS,
  downloadPath,
  skillFilePath,
  skillPath,
  versionPath,
  versionZipPath,
} from '../paths.ts'

type InstalledSkill = Pick<Skill, 'slug' | 'id' | 'name' | 'source' | 'tokens'>

const CLAUDE_DIRECTORY = FIRST_CLIENT.project

/** The settings of a site that the commands depend on. */
export interface InstallSite {
  origin: string
  /** Whether a login may stand in front. */
  isPrivate?: boolean | undefined
}

/** `curl`, of a private registry with the login that `~/.netrc` has, if any. */
export const curlOf = ({ isPrivate }: Pick<InstallSite, 'isPrivate'>): string =>
  isPrivate ? 'curl -n' : 'curl'

const commandInto = (directory: string, slug: string, site: InstallSite, path: string): string => {
  const folder = `${directory}/${slug}`
  const zip = `${folder}.zip`
  return `${curlOf(site)} -fsSL --create-dirs -o ${zip} "${site.origin}${path}" && unzip -o ${zip} -d ${folder} && rm ${zip}`
}

/** The install command of a skill whose text is here: one line, any POSIX shell. */
export const installCommand = (
  { slug, id }: Pick<Skill, 'slug' | 'id'>,
  site: InstallSite,
): string => commandInto(CLAUDE_DIRECTORY, slug, site, downloadPath(id))

/** Names that clients read neither as an option nor as a pattern, without hidden or confusing characters. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u

/** Words of a shell that stand for themselves. */
const PLAIN_WORD = /^[\w:/.@%+=,-]+$/

const quoteForShell = (word: string): string =>
  PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/**
 * Installs a skill with Node: from here where its text is here, else from its source; undefined where no client can.
 */
const npxCommand = (skill: InstalledSkill, origin: string): string | undefined => {
  const { slug, name, source } = skill
  if (hasText(skill))
    return isInstallable(skill) ? `npx skills add ${origin}${skillPath(slug)}` : undefined
  if (source.kind === 'own' || source.status === 'gone') return undefined
  if (!PLAIN_NAME.test(name)) return `npx skills add ${quoteForShell(source.url)}`
  const repository = readAddress(source.url).repository ?? source.url
  return `npx skills add ${quoteForShell(repository)} --skill ${quoteForShell(name)}`
}

const addFor = (npx: string, { agent }: Pick<ListedClient, 'agent'>): string =>
  `${npx} -a ${agent} -y`

const PLACES = ['project', 'home'] as const

/** The ways to install, the contract's first, each with its commands; clients with the same directory share one. */
export const listInstallWays = (skill: InstalledSkill, site: InstallSite): InstallWay[] => {
  const ways: InstallWay[] = []
  if (hasText(skill)) {
    const commands = PLACES.flatMap((place) => {
      const directoryOf = ({ home, project }: ListedClient) =>
        place === 'home' ? `~/${home}` : project
      return [...Map.groupBy(CLIENTS, directoryOf)].map(([directory, clients]) => ({
        clients: clients.map(({ id }) => id),
        place,
        command: commandInto(directory, skill.slug, site, downloadPath(skill.id)),
      }))
    })
    ways.push({ name: 'Any shell', suits: 'nothing to install first', commands })
  }
  const npx = npxCommand(skill, site.origin)
  if (npx !== undefined) {
    const commands = PLACES.flatMap((place) =>
      CLIENTS.map((client) => ({
        clients: [client.id],
        place,
        command: addFor(npx, client) + (place === 'home' ? ' -g' : ''),
      })),
    )
    const login = site.isPrivate ? ', but sends no login' : ''
    const suits = hasText(skill) ? `which also updates and removes it${login}` : 'from its source'
    ways.push({ name: 'With Node 22.20 or later', suits, commands })
  }
  return ways
}

/** One command of each kind: with curl and unzip, and with Node. */
interface InstallCommands {
  shell?: string | undefined
  npx?: string | undefined
}

/** The commands for the client that is chosen at first. */
export const findInstallCommands = (skill: InstalledSkill, site: InstallSite): InstallCommands => {
  const npx = npxCommand(skill, site.origin)
  return {
    shell: hasText(skill) ? installCommand(skill, site) : undefined,
    npx: npx && addFor(npx, FIRST_CLIENT),
  }
}

const pinLine = (slug: string, name: string, origin: string, { agent }: ListedClient): string =>
  installLine(origin + versionPath(slug, name), agent)

/** The same for one version, now and later. */
export const findPinnedCommands = (
  skill: InstalledSkill,
  name: string,
  site: InstallSite,
): InstallCommands => ({
  shell: commandInto(CLAUDE_DIRECTORY, skill.slug, site, versionZipPath(skill.slug, name)),
  npx: isInstallable(skill) ? pinLine(skill.slug, name, site.origin, FIRST_CLIENT) : undefined,
})

/** Why clients cannot install a skill by the address of its page, and what to do instead. */
const explainNoNpx = (skill: Skill): Markdown => {
  if (hasText(skill))
    return md`Its name has ${skill.slug.length} characters, and installers refuse names above ${INSTALLED_NAME}: the command above works, but no client can install or update it by the address of this page.`
  return skill.source.kind === 'own' || skill.source.status === 'gone'
    ? md`Its text is not here and its source is gone, so it cannot be installed.`
    : md`Its text is not here, so the line above installs it from its source, with Node.`
}

/** Most programs that a command names. */
const PROGRAMS_LIMIT = 10

/** For a skill with programs: the executable bits that `npx skills add` loses, and how to set them again. */
const explainBits = ({ files }: Skill, folder: string): Markdown[] => {
  const programs = files.filter(({ isExecutable, path }) => isExecutable && path !== SKILL_MD)
  if (programs.length === 0) return []
  const shown = programs
    .slice(0, PROGRAMS_LIMIT)
    .map(({ path }) => quoteForShell(`${folder}/${path}`))
  const command = codeSpan(`chmod +x ${shown.join(' ')}`)
  const more = programs.length > PROGRAMS_LIMIT ? ' and the same for its other programs' : ''
  return [
    md`After ${codeSpan('npx skills add')}, which takes no executable bit from a zip: ${command}${more}. Unzip keeps it.`,
  ]
}

/** The line of each client that installs this version for good: an update leaves it alone. */
const writePins = ({ slug }: Skill, origin: string, name: string): Markdown => {
  const lines = CLIENTS.map(
    (client) => md`${client.name}: ${codeSpan(pinLine(slug, name, origin, client))}`,
  )
  return md`${link('This version', versionPath(slug, name))}, for good: ${joinWords(lines, '; ')}. An update leaves it alone.`
}

/** Further commands for the zip and for npx, and those after an install. */
const writeMore = (
  skill: Skill,
  origin: string,
  zip: SkillZip | undefined,
  version: string | undefined,
): Markdown => {
  const { slug } = skill
  const folder = `${CLAUDE_DIRECTORY}/${slug}`
  const isNpx = isInstallable(skill)
  const again = codeSpan(`rm -r ${folder}`)
  const npx = (verb: string): Markdown =>
    isNpx ? md`${codeSpan(`npx skills ${verb} ${slug}`)} (Node 22.20 or later), or ` : md``
  const plugins = `claude plugin marketplace add ${origin}${marketplacePath(skill.category)}`
  const unpack = codeSpan(`mkdir ${folder} && tar -xf ${folder}.zip -C ${folder}`)
  return list([
    md`Without unzip, on macOS and Windows: ${unpack} if the command above failed.`,
    ...(zip
      ? [
          md`Check the downloaded zip: ${codeSpan(`echo "${zip.sha256} *${slug}.zip" | sha256sum -c`)} (shasum -a 256 -c on macOS).`,
        ]
      : []),
    ...(isNpx ? explainBits(skill, folder) : []),
    ...(isNpx && version !== undefined ? [writePins(skill, origin, version)] : []),
    md`Update: ${npx('update')}${again} and the command again; otherwise files removed upstream remain.`,
    md`Remove: ${isNpx ? md`${codeSpan(`npx skills remove ${slug}`)}, or ` : md``}${again}.`,
    ...(isNpx && isPlugin(skill, origin)
      ? [md`Claude Code can also add skills of this category as plugins: ${codeSpan(plugins)}.`]
      : []),
  ])
}

const linkZip = (skill: Skill, zip: SkillZip | undefined): Markdown => {
  const [address, text] = [downloadPath(skill.id), skillFilePath(skill.slug, SKILL_MD)]
  const size = zip === undefined ? '' : `, ${showSize(zip.size)}`
  if (hasText(skill))
    return md`${link('Read the SKILL.md', text)} first. ${link('Download the zip', address)}${size}.`
  return md`${link('The zip', address)} has only ${link('a SKILL.md', text)} of this registry, which no model invokes.`
}

/** The text below the commands. */
const writeBelow = (skill: Skill, zip: SkillZip | undefined): Markdown =>
  joinBlocks([...(isInstallable(skill) ? [] : [explainNoNpx(skill)]), linkZip(skill, zip)])

/** The texts of Install: the commands as the twin shows them, the text below, and the part that HTML folds. */
export const writeInstall = (
  skill: Skill,
  site: InstallSite,
  zip: SkillZip | undefined,
  version?: string,
): { commands: Markdown; below: Markdown; more?: { label: string; markdown: Markdown } } => {
  const { shell, npx } = findInstallCommands(skill, site)
  const fences = [shell, npx].flatMap((command) =>
    command === undefined ? [] : [codeFence(command, 'sh')],
  )
  const below = writeBelow(skill, zip)
  if (!hasText(skill)) return { commands: joinBlocks(fences), below }
  const directories = link('all directories', PATHS.directories)
  return {
    commands: joinBlocks([
      ...fences,
      ...(site.isPrivate && npx !== undefined
        ? [md`${codeSpan('npx skills')} sends no login: where one is asked, take the first line.`]
        : []),
      md`Most other clients read ${codeSpan(SHARED_DIRECTORY)}; ${directories}.`,
    ]),
    below,
    more: { label: 'Check, update, remove', markdown: writeMore(skill, site.origin, zip, version) },
  }
}

/** Longest other name that is repeated, in characters. */
const NAME_SHOWN = 80

/** `named` is the name in its SKILL.md, if it differs from the slug. */
export const writeDirectory = (
  { slug }: Pick<Skill, 'slug'>,
  named: string | undefined,
): Markdown => {
  const [project, home] = [`${CLAUDE_DIRECTORY}/${slug}`, `~/${FIRST_CLIENT.home}/${slug}`]
  const others = link('Directories of other clients', PATHS.directories)
  const directory = md`${codeSpan(project)} in the project, or ${codeSpan(home)} for every project. ${others}.`
  if (named === undefined) return directory
  const shown = codeSpan(truncateAtWord(foldLine(named), NAME_SHOWN))
  return joinBlocks([
    directory,
    md`Its SKILL.md calls it ${shown}, which is not the name of its folder: strict validators refuse it.`,
  ])
}
