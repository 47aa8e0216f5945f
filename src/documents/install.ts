import { INSTALLED_NAME, isInstallable } from '../catalog/skill.ts'
import type { Skill, SkillZip } from '../catalog/skill.ts'
import { foldLine, truncateAtWord } from '../catalog/text.ts'
import { CLIENTS, SHARED_DIRECTORY } from './clients.ts'
import type { InstallCommand } from './document.ts'
import { writeVerdict } from './findings.ts'
import { isPlugin, marketplacePath } from './marketplace.ts'
import { codeFence, codeSpan, joinBlocks, link, list, md } from './md.ts'
import type { Markdown } from './md.ts'
import { PATHS, downloadPath, skillFilePath, skillPath } from './paths.ts'

type InstalledSkill = Pick<Skill, 'slug' | 'id'>

const CLAUDE_DIRECTORY = CLIENTS[0].project

const zipAddress = ({ id }: InstalledSkill, origin: string): string =>
  `"${origin}${downloadPath(id)}"`

const commandInto = (directory: string, skill: InstalledSkill, origin: string): string => {
  const folder = `${directory}/${skill.slug}`
  const zip = `${folder}.zip`
  return `curl -fsSL --create-dirs -o ${zip} ${zipAddress(skill, origin)} && unzip -o ${zip} -d ${folder} && rm ${zip}`
}

/** The install command of a skill: one line, any POSIX shell. */
export const installCommand = (skill: InstalledSkill, origin: string): string =>
  commandInto(CLAUDE_DIRECTORY, skill, origin)

const npxCommand = ({ slug }: InstalledSkill, origin: string, agent: string): string =>
  `npx skills add ${origin}${skillPath(slug)} -a ${agent} -y`

const PLACES = ['project', 'home'] as const

/** The directory of a client, as a shell reads it. */
const directoryOf = (client: (typeof CLIENTS)[number], place: InstallCommand['place']): string =>
  place === 'home' ? `~/${client.home}` : client.project

/** The commands to choose from, the contract's first; clients with the same directory share one. */
export const listInstallCommands = (
  skill: InstalledSkill & Pick<Skill, 'tokens'>,
  origin: string,
): InstallCommand[] => {
  const unpacked = PLACES.flatMap((place) =>
    [...Map.groupBy(CLIENTS, (client) => directoryOf(client, place))].map(
      ([directory, clients]): InstallCommand => ({
        clients: clients.map(({ id }) => id),
        place,
        command: commandInto(directory, skill, origin),
      }),
    ),
  )
  if (!isInstallable(skill)) return unpacked
  const added = PLACES.flatMap((place) =>
    CLIENTS.map(({ id, agent }): InstallCommand => {
      const command = npxCommand(skill, origin, agent)
      return { clients: [id], place, command: place === 'home' ? `${command} -g` : command }
    }),
  )
  return [...unpacked, ...added]
}

const describeSource = ({ source, slug }: Skill): Markdown => {
  if (source.kind === 'own') {
    const copy = link('its copy', skillFilePath(slug, 'SKILL.md'))
    return md`written for this registry, ${copy} is the source`
  }
  const via = source.via === undefined ? '' : ` from ${new URL(source.via).host}`
  const state = {
    alive: `, seen alive on ${source.checked}`,
    copied: `, copied${via} on ${source.checked}`,
    gone: ' (gone)',
    untraced: ', never seen alive',
  }[source.status]
  return md`${link('its folder upstream', source.url)}${state}`
}

/** Words of a shell that stand for themselves. */
const PLAIN_WORD = /^[\w:/.@%+=,-]+$/

const quoteForShell = (word: string): string =>
  PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** Why clients cannot install a skill by its address, and what to do instead. */
const explainNoNpx = ({ slug, tokens, source }: Skill): Markdown => {
  if (tokens !== undefined)
    return md`Its name has ${slug.length} characters, and installers refuse names above ${INSTALLED_NAME}: the command above works, and no client can install or update it by the address of this page.`
  const why = md`Its own text is not here: the command installs a SKILL.md that the registry wrote from its catalog, and no client can install or update it by the address of this page.`
  if (source.kind !== 'upstream' || source.status !== 'alive') return why
  const fromSource = codeFence(`npx skills add ${quoteForShell(source.url)}`, 'sh')
  return joinBlocks([why, md`From its source, with Node:`, fromSource])
}

/** What else can be done with the zip and with npx, and what comes after an install. */
const writeMore = (skill: Skill, origin: string, zip: SkillZip | undefined): Markdown => {
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
    md`Update: ${npx('update')}${again} and the command again; otherwise files removed upstream remain.`,
    md`Remove: ${isNpx ? md`${codeSpan(`npx skills remove ${slug}`)}, or ` : md``}${again}.`,
    ...(isNpx && isPlugin(skill, origin)
      ? [md`Claude Code can also add skills of this category as plugins: ${codeSpan(plugins)}.`]
      : []),
  ])
}

/** What stands below the commands: the zip, the source, what the scan found. */
const writeBelow = (skill: Skill): Markdown => {
  const zip = link('Download the zip', downloadPath(skill.id))
  const text = link('the SKILL.md', skillFilePath(skill.slug, 'SKILL.md'))
  return joinBlocks([
    ...(isInstallable(skill) ? [] : [explainNoNpx(skill)]),
    md`${zip}, or read ${text} first. Source: ${describeSource(skill)}.`,
    writeVerdict(skill),
  ])
}

/** The texts of Install: the commands as the twin shows them, what stands below, and what HTML folds. */
export const writeInstall = (
  skill: Skill,
  origin: string,
  zip: SkillZip | undefined,
): { commands: Markdown; below: Markdown; more: { label: string; markdown: Markdown } } => ({
  commands: joinBlocks([
    codeFence(installCommand(skill, origin), 'sh'),
    ...(isInstallable(skill) ? [codeFence(npxCommand(skill, origin, CLIENTS[0].agent), 'sh')] : []),
    md`Most other clients read ${codeSpan(SHARED_DIRECTORY)}; ${link('all directories', PATHS.directories)}.`,
  ]),
  below: writeBelow(skill),
  more: { label: 'Check, update, remove', markdown: writeMore(skill, origin, zip) },
})

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
