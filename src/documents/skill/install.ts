import { isProse } from '../../catalog/needs/files.ts'
import { INSTALLED_NAME, SKILL_MD, hasText, isInstallable } from '../../catalog/skill.ts'
import { readAddress } from '../../catalog/address.ts'
import type { Skill, SkillZip } from '../../catalog/skill.ts'
import { foldLine, truncateAtWord } from '../../catalog/text.ts'
import { installLine, npxOf } from '../install-line.ts'
import { CLIENTS, CLIENT_COUNT, FIRST_CLIENT, SHARED_DIRECTORY } from './clients.ts'
import type { ListedClient } from './clients.ts'
import { showSize } from './facts.ts'
import { isPlugin, marketplacePath } from '../feeds/marketplace.ts'
import { html } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'
import { codeFence, codeSpan, joinBlocks, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'
import { bullets, folded, inCode, linked, paragraphs, phrase, stacked } from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'
import {
  PATHS,
  downloadPath,
  skillFilePath,
  skillPath,
  versionPath,
  versionZipPath,
} from '../paths.ts'
import type { CurrentVersion } from '../on-request/version.ts'

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

/** Returns the install command for any POSIX shell. Only for skills whose text the registry has. */
const commandInto = (directory: string, slug: string, site: InstallSite, path: string): string => {
  const folder = `${directory}/${slug}`
  const zip = `${folder}.zip`
  return `${curlOf(site)} -fsSL --create-dirs -o ${zip} "${site.origin}${path}" && unzip -o ${zip} -d ${folder} && rm ${zip}`
}

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

const PLACES = { project: 'This project', home: 'Every project' } as const
type Place = keyof typeof PLACES

const SHELLS = { bash: 'bash or zsh', powershell: 'PowerShell' } as const

/** A line of the install box. HTML shows it only if its clients, its place and its shell are the chosen ones. */
interface Line {
  text: string
  clients: readonly string[]
  place: Place
  shell?: keyof typeof SHELLS | undefined
}

/** A row of the install box: a key and lines, of which HTML shows one. */
interface Row {
  key: string
  lines: readonly Line[]
  notes?: readonly { words: Phrase; shell?: keyof typeof SHELLS }[]
}

/** The directories of the offered clients. Clients with the same directory share it. */
const DIRECTORIES = (Object.keys(PLACES) as Place[]).flatMap((place) => {
  const directoryOf = ({ home, project }: ListedClient) =>
    place === 'home' ? `~/${home}` : project
  return [...Map.groupBy(CLIENTS, directoryOf)].map(([directory, clients]) => ({
    directory,
    place,
    clients: clients.map(({ id }) => id),
  }))
})

const forDirectories = (write: (directory: string) => string, shell?: Line['shell']): Line[] =>
  DIRECTORIES.map(({ directory, clients, place }) => ({
    text: write(directory),
    clients,
    place,
    shell,
  }))

/** Returns the install command for PowerShell. It hands `~` to no program, because only the shell's own commands know it. */
const powershellInto = (directory: string, { slug, id }: InstalledSkill, site: InstallSite) => {
  const folder = `${directory.replace(/^~/, '$HOME')}/${slug}`
  const curl = curlOf(site).replace('curl', 'curl.exe')
  return `${curl} -fsSL --create-dirs -o ${folder}.zip "${site.origin}${downloadPath(id)}"; if ($?) { mkdir -Force ${folder}; tar -xf ${folder}.zip -C ${folder}; rm ${folder}.zip }`
}

/** Lists the rows of the install box. The API contract fixes the first command. Empty if nothing installs the skill. */
export const listInstallRows = (skill: InstalledSkill, site: InstallSite): Row[] => {
  const { slug } = skill
  const rows: Row[] = []
  if (hasText(skill)) {
    rows.push({
      key: 'Shell',
      lines: [
        ...forDirectories((to) => commandInto(to, slug, site, downloadPath(skill.id)), 'bash'),
        ...forDirectories((to) => powershellInto(to, skill, site), 'powershell'),
      ],
      notes: [
        { words: phrase`any POSIX shell; needs curl and unzip`, shell: 'bash' },
        {
          words: phrase`PowerShell 5.1 or later, Windows 10 or later; not tried on Windows yet`,
          shell: 'powershell',
        },
      ],
    })
  }
  const npx = npxCommand(skill, site)
  if (npx !== undefined) {
    const lines = (['project', 'home'] as const).flatMap((place) =>
      CLIENTS.map((client) => ({
        clients: [client.id],
        place,
        text: forClient(npx, client) + (place === 'home' ? ' -g' : ''),
      })),
    )
    const login = site.isPrivate ? '; sends no login' : ''
    const update = inCode(`${npxOf(site)} update ${slug}`)
    const does = hasText(skill) ? phrase`${update} updates it` : 'installs it from its source'
    rows.push({
      key: 'npx',
      lines,
      notes: [{ words: phrase`needs Node 22.20 or later; ${does}${login}` }],
    })
  }
  return rows.length === 0
    ? []
    : [
        { key: 'Goes to', lines: forDirectories((to) => `${to}/${slug}`) },
        ...rows,
        { key: 'Remove', lines: forDirectories((to) => `rm -r ${to}/${slug}`) },
      ]
}

/** An install command with curl and unzip, and one with Node. */
interface InstallCommands {
  shell?: string | undefined
  npx?: string | undefined
}

export const findInstallCommands = (skill: InstalledSkill, site: InstallSite): InstallCommands => {
  const npx = npxCommand(skill, site)
  return {
    shell: hasText(skill)
      ? commandInto(CLAUDE_DIRECTORY, skill.slug, site, downloadPath(skill.id))
      : undefined,
    npx: npx && forClient(npx, FIRST_CLIENT),
  }
}

const pinLine = (slug: string, name: string, site: InstallSite): string =>
  installLine(site.origin + versionPath(slug, name), site, FIRST_CLIENT.agent)

/** Returns the commands that install one fixed version for the default client. */
export const findPinnedCommands = (
  skill: InstalledSkill,
  name: string,
  site: InstallSite,
): InstallCommands => ({
  shell: commandInto(CLAUDE_DIRECTORY, skill.slug, site, versionZipPath(skill.slug, name)),
  npx: isInstallable(skill) ? pinLine(skill.slug, name, site) : undefined,
})

/** Explains why clients cannot install a skill by the address of its page, and what to do instead. */
const explainNoNpx = (skill: Skill): Phrase => {
  if (hasText(skill) && skill.refusal !== undefined)
    return phrase`Its front matter ${skill.refusal}, so ${inCode('npx skills')} and Codex refuse the skill; other clients may not see its name and description. The command above only unpacks its files.`
  if (hasText(skill))
    return phrase`Its name has ${skill.slug.length} characters, and installers refuse names longer than ${INSTALLED_NAME}. The command above works, but no client can install or update the skill by the address of this page.`
  return skill.source.kind === 'own' || skill.source.status === 'gone'
    ? phrase`The registry has no copy of its text and its source is gone, so it cannot be installed.`
    : phrase`The registry has no copy of its text, so the command above installs it from its source, with Node.`
}

/** The chmod command names at most this many programs. */
const PROGRAMS_LIMIT = 10

/** Writes how to set the executable bits of programs, which `npx skills add` loses. */
const explainBits = ({ files }: Skill, folder: string): Phrase | undefined => {
  const programs = files.filter(({ isExecutable, path }) => isExecutable && !isProse(path))
  if (programs.length === 0) return undefined
  const shown = programs
    .slice(0, PROGRAMS_LIMIT)
    .map(({ path }) => quoteForShell(`${folder}/${path}`))
  const command = inCode(`chmod +x ${shown.join(' ')}`)
  const others = programs.length > PROGRAMS_LIMIT ? ' and the same for its other programs' : ''
  return phrase`After ${inCode('npx skills add')}, which loses executable bits: ${command}${others}. Unzip keeps them.`
}

/** Writes further commands: to check the zip, to pin, update and remove the skill. */
const writeFolded = (skill: Skill, site: InstallSite, { zip, version }: InstallContext): Phrase => {
  const { slug } = skill
  const isNpx = isInstallable(skill)
  const plugins = `claude plugin marketplace add ${site.origin}${marketplacePath(skill.category)}`
  const { name, reason } = version?.current ?? {}
  return folded(
    'Check, pin, update',
    bullets([
      zip &&
        phrase`Check the downloaded zip: ${inCode(`echo "${zip.sha256} *${slug}.zip" | sha256sum -c`)} (shasum -a 256 -c on macOS).`,
      isNpx && explainBits(skill, `${CLAUDE_DIRECTORY}/${slug}`),
      isNpx &&
        name !== undefined &&
        phrase`Pin ${linked('this version', versionPath(slug, name))}, so that updates do not change it: ${inCode(pinLine(slug, name, site))}.`,
      reason !== undefined &&
        phrase`The current version has no name and cannot be pinned, because ${reason}.`,
      isNpx && phrase`With npx, also ${inCode(`${npxOf(site)} remove ${slug}`)} removes it.`,
      phrase`Update${isNpx ? ' without npx' : ''}: remove it and install it again, so that no file removed upstream remains.`,
      isNpx &&
        isPlugin(skill, site.origin) &&
        phrase`Claude Code can also add skills of this category as plugins: ${inCode(plugins)}.`,
    ]),
  )
}

const linkZip = (skill: Skill, zip: SkillZip | undefined): Phrase => {
  const [address, text] = [downloadPath(skill.id), skillFilePath(skill.slug, SKILL_MD)]
  const size = zip === undefined ? '' : `, ${showSize(zip.size)}`
  const clients = linked(`${CLIENT_COUNT} clients`, PATHS.directories)
  if (hasText(skill))
    return phrase`${clients} read SKILL.md. ${linked('Zip', address)}${size}. ${linked(SKILL_MD, text)}.`
  return phrase`${linked('The zip', address)} has only ${linked('a SKILL.md', text)} written by this registry, which models do not invoke.`
}

/** Longest name from a SKILL.md that is shown, in characters. */
const NAME_SHOWN = 80

export interface InstallContext {
  /** The zip, if it was packed. */
  zip?: SkillZip | undefined
  /** The current version, if the registry promises versions. */
  version?: CurrentVersion | undefined
  /** Another skill with the same name. */
  namesake?: Pick<Skill, 'slug' | 'author'> | undefined
  /** The name in SKILL.md, if the slug differs. */
  statedName?: string | undefined
}

/** Writes the notes below the box. */
const writeBelow = (skill: Skill, { zip, namesake, statedName }: InstallContext): Phrase =>
  paragraphs(
    !isInstallable(skill) && explainNoNpx(skill),
    namesake &&
      phrase`${linked('A skill', skillPath(namesake.slug))} by ${namesake.author} has the same name. Clients keep only one of the two.`,
    statedName !== undefined &&
      phrase`Its SKILL.md calls it ${inCode(truncateAtWord(foldLine(statedName), NAME_SHOWN))}, which is not the name of its folder: strict validators refuse it.`,
    linkZip(skill, zip),
  )

/** Anchor of the row with the directory. */
const DIRECTORY_ID = 'installation-directory'

export const renderTabs = (
  name: string,
  legend: string,
  choices: readonly (readonly [value: string, label: string])[],
): Html =>
  html`<fieldset class="tabs">
    <legend class="hidden">${legend}</legend>
    ${choices.map(
      ([value, label], at) =>
        html`<label>
          <input type="radio" name="${name}" value="${value}" ${at === 0 ? 'checked' : ''} />
          ${label}</label
        > `,
    )}
  </fieldset> `

const renderLine = ({ text, clients, place, shell }: Line): Html =>
  html`<pre
    class="line"
    data-for="${clients.join(' ')}"
    data-place="${place}"
    data-shell="${shell ?? ''}"
  ><code>${text}</code></pre>
`

const renderRow = ({ key, lines, notes = [] }: Row): Html => {
  const label =
    key === 'Shell' ? renderTabs('shell', key, Object.entries(SHELLS)) : html`<p>${key}</p> `
  const shown = html`<div>
    ${lines.map(renderLine)}
    ${notes.map(({ words, shell = '' }) => html`<p data-shell="${shell}">${words.html}</p> `)}
  </div> `
  return key === 'Goes to'
    ? html`<div class="way to" id="${DIRECTORY_ID}">${label} ${shown}</div> `
    : html`<div class="way">
        ${label} ${shown} <button type="button" class="copy" hidden>Copy</button>
      </div> `
}

/** Renders the box with all lines. Styles show only those for the chosen client, place and shell. */
const renderBox = (rows: readonly Row[]): Html =>
  html`<div class="box bare">
    <header class="spread">
      ${renderTabs(
        'client',
        'Client',
        CLIENTS.map(({ id, name }) => [id, name]),
      )}
      ${renderTabs('place', 'Place', Object.entries(PLACES))}
    </header>
    ${rows.map(renderRow)}
  </div> `

/** Writes a row for Markdown: the lines for the default client and a project, each with its note. */
const printRow = ({ key, lines, notes = [] }: Row): Markdown => {
  const shown = lines.filter(
    ({ clients, place }) => clients.includes(FIRST_CLIENT.id) && place === 'project',
  )
  if (notes.length === 0) return md`${key}: ${codeSpan(shown[0]!.text)}`
  return joinBlocks(
    shown.map(({ text, shell }, at) =>
      joinBlocks([
        codeFence(text, shell === 'powershell' ? shell : 'sh'),
        md`(${notes[at]!.words.markdown})`,
      ]),
    ),
  )
}

/** Writes the section "Install": the box, and the notes below it. */
export const writeInstall = (
  skill: Skill,
  site: InstallSite,
  context: InstallContext = {},
): Phrase => {
  const rows = listInstallRows(skill, site)
  const home = `~/${FIRST_CLIENT.home}`
  const others = md`For every project, put ${codeSpan(home)} in place of ${codeSpan(CLAUDE_DIRECTORY)}; most other clients read ${codeSpan(SHARED_DIRECTORY)}.`
  const after = stacked([
    writeBelow(skill, context),
    hasText(skill) && writeFolded(skill, site, context),
  ])
  return {
    markdown: joinBlocks([
      ...rows.map(printRow),
      ...(rows.length > 0 ? [others] : []),
      after.markdown,
    ]),
    html: html`${rows.length > 0 ? renderBox(rows) : html`<span id="${DIRECTORY_ID}"></span>`}
      <div class="after flow bare">${after.html}</div> `,
  }
}
