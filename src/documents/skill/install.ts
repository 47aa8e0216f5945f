import { INSTALLED_NAME, SKILL_MD, hasText, isInstallable } from '../../catalog/skill.ts'
import { readAddress } from '../../catalog/address.ts'
import type { Skill, SkillZip } from '../../catalog/skill.ts'
import { foldLine, truncateAtWord } from '../../catalog/text.ts'
import { installLine, npxOf } from '../install-line.ts'
import { CLIENTS, FIRST_CLIENT, SHARED_DIRECTORY } from './clients.ts'
import type { ListedClient } from './clients.ts'
import type { InstallWay, Section } from '../document.ts'
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

type InstalledSkill = Pick<Skill, 'slug' | 'id' | 'name' | 'source' | 'tokens' | 'refusal'>

const CLAUDE_DIRECTORY = FIRST_CLIENT.project

/** The settings of a site on which the commands depend. */
export interface InstallSite {
  origin: string
  /** Whether the registry is private, perhaps behind a login. */
  isPrivate?: boolean | undefined
}

/** Returns `curl`, or for a private registry `curl -n`, which sends the login in `~/.netrc` if there is one. */
export const curlOf = ({ isPrivate }: Pick<InstallSite, 'isPrivate'>): string =>
  isPrivate ? 'curl -n' : 'curl'

const commandInto = (directory: string, slug: string, site: InstallSite, path: string): string => {
  const folder = `${directory}/${slug}`
  const zip = `${folder}.zip`
  return `${curlOf(site)} -fsSL --create-dirs -o ${zip} "${site.origin}${path}" && unzip -o ${zip} -d ${folder} && rm ${zip}`
}

/** Returns the one-line install command for any POSIX shell. Only for skills whose text the registry has. */
export const installCommand = (
  { slug, id }: Pick<Skill, 'slug' | 'id'>,
  site: InstallSite,
): string => commandInto(CLAUDE_DIRECTORY, slug, site, downloadPath(id))

/** Matches names that have no hidden characters and that clients cannot mistake for an option or a pattern. */
const PLAIN_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]*$/u

/** Matches words that need no quotes in a shell. */
const PLAIN_WORD = /^[\w:/.@%+=,-]+$/

const quoteForShell = (word: string): string =>
  PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/**
 * Returns the command that installs a skill with Node: from this registry if it has the text, else from the source.
 * Undefined if no client can install it.
 */
const npxCommand = (skill: InstalledSkill, site: InstallSite): string | undefined => {
  const { slug, name, source } = skill
  const add = `${npxOf(site)} add`
  if (hasText(skill))
    return isInstallable(skill) ? `${add} ${site.origin}${skillPath(slug)}` : undefined
  if (source.kind === 'own' || source.status === 'gone') return undefined
  if (!PLAIN_NAME.test(name)) return `${add} ${quoteForShell(source.url)}`
  const repository = readAddress(source.url).repository ?? source.url
  return `${add} ${quoteForShell(repository)} --skill ${quoteForShell(name)}`
}

const forClient = (npx: string, { agent }: Pick<ListedClient, 'agent'>): string =>
  `${npx} -a ${agent} -y`

const PLACES = ['project', 'home'] as const

/** Lists ways to install; the API contract fixes the first command. Clients with the same directory share a command. */
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
  const npx = npxCommand(skill, site)
  if (npx !== undefined) {
    const commands = PLACES.flatMap((place) =>
      CLIENTS.map((client) => ({
        clients: [client.id],
        place,
        command: forClient(npx, client) + (place === 'home' ? ' -g' : ''),
      })),
    )
    const login = site.isPrivate ? ', but sends no login' : ''
    const suits = hasText(skill) ? `also updates and removes it${login}` : 'from its source'
    ways.push({ name: 'With Node 22.20 or later', suits, commands })
  }
  return ways
}

/** An install command with curl and unzip, and one with Node. */
interface InstallCommands {
  shell?: string | undefined
  npx?: string | undefined
}

/** Returns the commands for the default client. */
export const findInstallCommands = (skill: InstalledSkill, site: InstallSite): InstallCommands => {
  const npx = npxCommand(skill, site)
  return {
    shell: hasText(skill) ? installCommand(skill, site) : undefined,
    npx: npx && forClient(npx, FIRST_CLIENT),
  }
}

const pinLine = (slug: string, name: string, site: InstallSite, { agent }: ListedClient): string =>
  installLine(site.origin + versionPath(slug, name), site, agent)

/** Returns the commands that install one fixed version for the default client. */
export const findPinnedCommands = (
  skill: InstalledSkill,
  name: string,
  site: InstallSite,
): InstallCommands => ({
  shell: commandInto(CLAUDE_DIRECTORY, skill.slug, site, versionZipPath(skill.slug, name)),
  npx: isInstallable(skill) ? pinLine(skill.slug, name, site, FIRST_CLIENT) : undefined,
})

/** Explains why clients cannot install a skill by the address of its page, and what to do instead. */
const explainNoNpx = (skill: Skill): Markdown => {
  if (hasText(skill) && skill.refusal !== undefined)
    return md`Its front matter ${skill.refusal}, so ${codeSpan('npx skills')} and Codex refuse the skill; other clients may not see its name and description. The command above only unpacks its files.`
  if (hasText(skill))
    return md`Its name has ${skill.slug.length} characters, and installers refuse names longer than ${INSTALLED_NAME}. The command above works, but no client can install or update the skill by the address of this page.`
  return skill.source.kind === 'own' || skill.source.status === 'gone'
    ? md`The registry has no copy of its text and its source is gone, so it cannot be installed.`
    : md`The registry has no copy of its text, so the command above installs it from its source, with Node.`
}

/** The chmod command names at most this many programs. */
const PROGRAMS_LIMIT = 10

/** Writes how to set the executable bits of programs, which `npx skills add` loses. */
const explainBits = ({ files }: Skill, folder: string): Markdown[] => {
  const programs = files.filter(({ isExecutable, path }) => isExecutable && path !== SKILL_MD)
  if (programs.length === 0) return []
  const shown = programs
    .slice(0, PROGRAMS_LIMIT)
    .map(({ path }) => quoteForShell(`${folder}/${path}`))
  const command = codeSpan(`chmod +x ${shown.join(' ')}`)
  const others = programs.length > PROGRAMS_LIMIT ? ' and the same for its other programs' : ''
  return [
    md`After ${codeSpan('npx skills add')}, which loses executable bits: ${command}${others}. Unzip keeps them.`,
  ]
}

/** Writes for each client the command that pins this version, so that updates do not change it. */
const writePins = ({ slug }: Skill, site: InstallSite, name: string): Markdown => {
  const lines = CLIENTS.map(
    (client) => md`${client.name}: ${codeSpan(pinLine(slug, name, site, client))}`,
  )
  return md`Pin ${link('this version', versionPath(slug, name))}, so that updates do not change it: ${joinWords(lines, '; ')}.`
}

/** Writes further commands: to unpack and check the zip, to pin, update and remove the skill. */
const writeFolded = (
  skill: Skill,
  site: InstallSite,
  zip: SkillZip | undefined,
  version: string | undefined,
): Markdown => {
  const { slug } = skill
  const folder = `${CLAUDE_DIRECTORY}/${slug}`
  const isNpx = isInstallable(skill)
  const removal = codeSpan(`rm -r ${folder}`)
  const npx = (verb: string): Markdown =>
    isNpx ? md`${codeSpan(`${npxOf(site)} ${verb} ${slug}`)} (Node 22.20 or later), or ` : md``
  const plugins = `claude plugin marketplace add ${site.origin}${marketplacePath(skill.category)}`
  const unpack = codeSpan(`mkdir ${folder} && tar -xf ${folder}.zip -C ${folder}`)
  return list([
    md`If the command above failed because unzip is missing, on macOS and Windows: ${unpack}.`,
    ...(zip
      ? [
          md`Check the downloaded zip: ${codeSpan(`echo "${zip.sha256} *${slug}.zip" | sha256sum -c`)} (shasum -a 256 -c on macOS).`,
        ]
      : []),
    ...(isNpx ? explainBits(skill, folder) : []),
    ...(isNpx && version !== undefined ? [writePins(skill, site, version)] : []),
    md`Update: ${npx('update')}${removal} and the install command again, so that no file removed upstream remains.`,
    md`Remove: ${isNpx ? md`${codeSpan(`${npxOf(site)} remove ${slug}`)}, or ` : md``}${removal}.`,
    ...(isNpx && isPlugin(skill, site.origin)
      ? [md`Claude Code can also add skills of this category as plugins: ${codeSpan(plugins)}.`]
      : []),
  ])
}

const linkZip = (skill: Skill, zip: SkillZip | undefined): Markdown => {
  const [address, text] = [downloadPath(skill.id), skillFilePath(skill.slug, SKILL_MD)]
  const size = zip === undefined ? '' : `, ${showSize(zip.size)}`
  if (hasText(skill))
    return md`${link('Read the SKILL.md', text)} first. ${link('Download the zip', address)}${size}.`
  return md`${link('The zip', address)} has only ${link('a SKILL.md', text)} written by this registry, which models do not invoke.`
}

/** Writes the text below the commands. */
const writeBelow = (
  skill: Skill,
  zip: SkillZip | undefined,
  namesake: InstallContext['namesake'],
): Markdown =>
  joinBlocks([
    ...(isInstallable(skill) ? [] : [explainNoNpx(skill)]),
    ...(namesake
      ? [
          md`${link('A skill', skillPath(namesake.slug))} by ${namesake.author} has the same name. Clients keep only one of the two.`,
        ]
      : []),
    linkZip(skill, zip),
  ])

interface InstallContext {
  /** The name of the current version, if the registry promises versions. */
  version?: string | undefined
  /** Another skill with the same name. */
  namesake?: Pick<Skill, 'slug' | 'author'> | undefined
}

/** Writes the section "Install": the commands for Markdown, the text below them, and the part that HTML folds. */
export const writeInstall = (
  skill: Skill,
  site: InstallSite,
  zip: SkillZip | undefined,
  { version, namesake }: InstallContext = {},
): { commands: Markdown; below: Markdown } & Pick<Section, 'folded'> => {
  const { shell, npx } = findInstallCommands(skill, site)
  const fences = [shell, npx].flatMap((command) =>
    command === undefined ? [] : [codeFence(command, 'sh')],
  )
  const below = writeBelow(skill, zip, namesake)
  if (!hasText(skill)) return { commands: joinBlocks(fences), below }
  const directories = link('all directories', PATHS.directories)
  const markdown = writeFolded(skill, site, zip, version)
  return {
    commands: joinBlocks([
      ...fences,
      ...(site.isPrivate && npx !== undefined
        ? [
            md`${codeSpan('npx skills')} sends no login. If a login is needed, use the first command.`,
          ]
        : []),
      md`Most other clients read ${codeSpan(SHARED_DIRECTORY)}; ${directories}.`,
    ]),
    below,
    folded: { label: 'Check, update, remove', markdown },
  }
}

/** Longest name from a SKILL.md that is shown, in characters. */
const NAME_SHOWN = 80

/** Writes the directories of the default client. `statedName` is the name in SKILL.md, if the slug differs. */
export const writeDirectory = (
  { slug }: Pick<Skill, 'slug'>,
  statedName: string | undefined,
): Markdown => {
  const [project, home] = [`${CLAUDE_DIRECTORY}/${slug}`, `~/${FIRST_CLIENT.home}/${slug}`]
  const others = link('Directories of other clients', PATHS.directories)
  const directory = md`${codeSpan(project)} in the project, or ${codeSpan(home)} for every project. ${others}.`
  if (statedName === undefined) return directory
  const shown = codeSpan(truncateAtWord(foldLine(statedName), NAME_SHOWN))
  return joinBlocks([
    directory,
    md`Its SKILL.md calls it ${shown}, which is not the name of its folder: strict validators refuse it.`,
  ])
}
