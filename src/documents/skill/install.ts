import { INSTALLED_NAME, SKILL_MD, hasText, isInstallable } from '../../catalog/skill.ts'
import { readAddress } from '../../catalog/address.ts'
import type { Skill, SkillZip } from '../../catalog/skill.ts'
import { foldLine, truncateAtWord } from '../../catalog/text.ts'
import { installLine } from '../install-line.ts'
import { CLIENTS, SHARED_DIRECTORY } from './clients.ts'
import type { InstallCommand, InstallWay } from '../document.ts'
import { showSize } from './facts.ts'
import { isPlugin, marketplacePath } from '../feeds/marketplace.ts'
import { codeFence, codeSpan, joinBlocks, link, list, md } from '../prose/md.ts'
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

const CLAUDE_DIRECTORY = CLIENTS[0].project

const zipAddress = ({ id }: Pick<Skill, 'id'>, origin: string): string =>
  `"${origin}${downloadPath(id)}"`

const commandInto = (
  directory: string,
  skill: Pick<Skill, 'slug' | 'id'>,
  origin: string,
  address = zipAddress(skill, origin),
): string => {
  const folder = `${directory}/${skill.slug}`
  const zip = `${folder}.zip`
  return `curl -fsSL --create-dirs -o ${zip} ${address} && unzip -o ${zip} -d ${folder} && rm ${zip}`
}

/** The install command of a skill whose text is here: one line, any POSIX shell. */
export const installCommand = (skill: Pick<Skill, 'slug' | 'id'>, origin: string): string =>
  commandInto(CLAUDE_DIRECTORY, skill, origin)

/** Names that clients read neither as an option nor as a pattern, and that look like what they are. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u

/** Words of a shell that stand for themselves. */
const PLAIN_WORD = /^[\w:/.@%+=,-]+$/

const quoteForShell = (word: string): string =>
  PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** Installs a skill from its source; undefined where that is gone. */
const sourceCommand = ({ name, source }: Pick<Skill, 'name' | 'source'>): string | undefined => {
  if (source.kind === 'own' || source.status === 'gone') return undefined
  if (!PLAIN_NAME.test(name)) return `npx skills add ${quoteForShell(source.url)}`
  const repository = readAddress(source.url).repository ?? source.url
  return `npx skills add ${quoteForShell(repository)} --skill ${quoteForShell(name)}`
}

/** Installs a skill with Node: from here where its text is here, else from its source; undefined where no client can. */
const npxCommand = (skill: InstalledSkill, origin: string): string | undefined => {
  if (!hasText(skill)) return sourceCommand(skill)
  return isInstallable(skill) ? `npx skills add ${origin}${skillPath(skill.slug)}` : undefined
}

const PLACES = ['project', 'home'] as const

/** The directory of a client, as a shell reads it. */
const directoryOf = (client: (typeof CLIENTS)[number], place: InstallCommand['place']): string =>
  place === 'home' ? `~/${client.home}` : client.project

/** The ways to install, the contract's first, each with its commands; clients with the same directory share one. */
export const listInstallWays = (skill: InstalledSkill, origin: string): InstallWay[] => {
  const unpacked = PLACES.flatMap((place) =>
    [...Map.groupBy(CLIENTS, (client) => directoryOf(client, place))].map(
      ([directory, clients]): InstallCommand => ({
        clients: clients.map(({ id }) => id),
        place,
        command: commandInto(directory, skill, origin),
      }),
    ),
  )
  const npx = npxCommand(skill, origin)
  const added = PLACES.flatMap((place) =>
    CLIENTS.map(({ id, agent }): InstallCommand => {
      const command = `${npx} -a ${agent} -y`
      return { clients: [id], place, command: place === 'home' ? `${command} -g` : command }
    }),
  )
  const suits = hasText(skill) ? 'which also updates and removes it' : 'from its source'
  return [
    ...(hasText(skill)
      ? [{ name: 'Any shell', suits: 'nothing to install first', commands: unpacked }]
      : []),
    ...(npx === undefined ? [] : [{ name: 'With Node 22.20 or later', suits, commands: added }]),
  ]
}

/** The first command of each kind: with curl and unzip, and with Node. */
export const findInstallCommands = (
  skill: InstalledSkill,
  origin: string,
): { shell?: string | undefined; npx?: string | undefined } => {
  const commands = listInstallWays(skill, origin).map(({ commands: [first] }) => first!.command)
  return {
    shell: commands.find((command) => command.startsWith('curl ')),
    npx: commands.find((command) => command.startsWith('npx ')),
  }
}

/** The first command of each kind that installs one version, now and later. */
export const findPinnedCommands = (
  skill: InstalledSkill,
  name: string,
  origin: string,
): ReturnType<typeof findInstallCommands> => {
  const zip = `"${origin}${versionZipPath(skill.slug, name)}"`
  return {
    shell: commandInto(CLAUDE_DIRECTORY, skill, origin, zip),
    npx: isInstallable(skill)
      ? installLine(origin + versionPath(skill.slug, name), CLIENTS[0].agent)
      : undefined,
  }
}

/** Why clients cannot install a skill by the address of its page, and what to do instead. */
const explainNoNpx = (skill: Skill): Markdown => {
  if (hasText(skill))
    return md`Its name has ${skill.slug.length} characters, and installers refuse names above ${INSTALLED_NAME}: the command above works, and no client can install or update it by the address of this page.`
  return sourceCommand(skill) === undefined
    ? md`Its text is not here and its source is gone, so nothing installs it.`
    : md`Its text is not here, so the line above installs it from its source, with Node.`
}

/** Most programs that a command names. */
const PROGRAMS_LIMIT = 10

/** For a skill with programs: what `npx skills add` loses of them, and how to get it back. */
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
const writePins = (skill: Skill, origin: string, name: string): Markdown => {
  const lines = CLIENTS.map(({ name: client, agent }, at) => {
    const line = installLine(origin + versionPath(skill.slug, name), agent)
    return md`${at > 0 ? '; ' : ''}${client}: ${codeSpan(line)}`
  })
  return md`${link('This version', versionPath(skill.slug, name))}, for good: ${lines}. An update leaves it alone.`
}

/** What else can be done with the zip and with npx, and what comes after an install. */
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

/** What stands below the commands. */
const writeBelow = (skill: Skill, zip: SkillZip | undefined): Markdown =>
  joinBlocks([...(isInstallable(skill) ? [] : [explainNoNpx(skill)]), linkZip(skill, zip)])

/** The texts of Install: the commands as the twin shows them, what stands below, and what HTML folds. */
export const writeInstall = (
  skill: Skill,
  origin: string,
  zip: SkillZip | undefined,
  version?: string,
): { commands: Markdown; below: Markdown; more?: { label: string; markdown: Markdown } } => {
  const { shell, npx } = findInstallCommands(skill, origin)
  const fences = [shell, npx].flatMap((command) =>
    command === undefined ? [] : [codeFence(command, 'sh')],
  )
  const below = writeBelow(skill, zip)
  if (!hasText(skill)) return { commands: joinBlocks(fences), below }
  const directories = link('all directories', PATHS.directories)
  return {
    commands: joinBlocks([
      ...fences,
      md`Most other clients read ${codeSpan(SHARED_DIRECTORY)}; ${directories}.`,
    ]),
    below,
    more: { label: 'Check, update, remove', markdown: writeMore(skill, origin, zip, version) },
  }
}

/** Longest other name that is repeated, in characters. */
const NAME_SHOWN = 80

/** `named` is the name in its SKILL.md, if it differs from the slug. */
export const writeDirectory = (
  { slug }: Pick<Skill, 'slug'>,
  named: string | undefined,
): Markdown => {
  const [project, home] = [`${CLAUDE_DIRECTORY}/${slug}`, `~/${CLIENTS[0].home}/${slug}`]
  const others = link('Directories of other clients', PATHS.directories)
  const directory = md`${codeSpan(project)} in the project, or ${codeSpan(home)} for every project. ${others}.`
  if (named === undefined) return directory
  const shown = codeSpan(truncateAtWord(foldLine(named), NAME_SHOWN))
  return joinBlocks([
    directory,
    md`Its SKILL.md calls it ${shown}, which is not the name of its folder: strict validators refuse it.`,
  ])
}
