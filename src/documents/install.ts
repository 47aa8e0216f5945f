import type { PhrasingContent, RootContent } from 'mdast'
import type { Skill } from '../catalog/skill.ts'
import { CLIENTS, SHARED_DIRECTORY } from './clients.ts'
import type { InstallLine } from './document.ts'
import { writeVerdict } from './findings.ts'
import { downloadPath, skillFilePath } from './paths.ts'
import type { Words } from './tree.ts'
import { dayWord, codeBlock, inlineCode, linkTo, paragraph, tableOf } from './tree.ts'

const CLAUDE = CLIENTS[0]

type InstalledSkill = Pick<Skill, 'slug' | 'id'>

const zipAddress = ({ id }: InstalledSkill, origin: string): string =>
  `"${origin}${downloadPath(id)}"`

const commandInto = (directory: string, skill: InstalledSkill, origin: string): string => {
  const folder = `${directory}/${skill.slug}`
  const zip = `${folder}.zip`
  return `curl -fsSL --create-dirs -o ${zip} ${zipAddress(skill, origin)} && unzip -o ${zip} -d ${folder} && rm ${zip}`
}

/** The install command of a skill: one line, any POSIX shell (decisions, "Downloads"). */
export const installCommand = (skill: InstalledSkill, origin: string): string =>
  commandInto(CLAUDE.project, skill, origin)

/** The same for every project; it names the folder once, so that it is never longer than the line for a project. */
const homeCommand = (directory: string, skill: InstalledSkill, origin: string): string =>
  `(s=~/${directory}/${skill.slug}; curl -fsSL --create-dirs -o "$s.zip" ${zipAddress(skill, origin)} && unzip -o "$s.zip" -d "$s" && rm "$s.zip")`

/** The commands that a reader chooses among, the contract's first. */
export const listInstallLines = (skill: InstalledSkill, origin: string): InstallLine[] => [
  { choice: 'claude', line: installCommand(skill, origin) },
  { choice: 'agents', line: commandInto(SHARED_DIRECTORY, skill, origin) },
  ...CLIENTS.map(({ id, home }) => ({
    choice: `${id}-home`,
    line: homeCommand(home, skill, origin),
  })),
]

/** What is known of a source, after the link to it. */
const SOURCE_STATES = {
  alive: (day) => [', seen alive on ', dayWord(day)],
  copied: (day) => [', copied on ', dayWord(day)],
  gone: () => [' (gone)'],
  untraced: () => [', never seen alive'],
} satisfies Record<string, (day: string) => Words>

const describeSource = ({ source, slug }: Skill): (PhrasingContent | string)[] => {
  if (source.kind === 'own') {
    const copy = linkTo('its copy', skillFilePath(slug, 'SKILL.md'))
    return ['written for this registry, ', copy, ' is the source']
  }
  return [
    linkTo('its folder upstream', source.url),
    ...SOURCE_STATES[source.status](source.checked),
  ]
}

/** The Install part: the line, the zip, the source, what the scan found. */
export const writeInstall = (skill: Skill, origin: string): RootContent[] => [
  codeBlock(installCommand(skill, origin), 'sh'),
  paragraph(
    linkTo('Download the zip', downloadPath(skill.id)),
    ', or read ',
    linkTo('the SKILL.md', skillFilePath(skill.slug, 'SKILL.md')),
    ' first. Source: ',
    ...describeSource(skill),
    '.',
  ),
  writeVerdict(skill),
]

export const writeDirectory = ({ slug }: Pick<Skill, 'slug'>): RootContent[] => [
  paragraph(
    inlineCode(`${CLAUDE.project}/${slug}`),
    ' in the project, or ',
    inlineCode(`~/${CLAUDE.home}/${slug}`),
    ' for every project. The line above with another directory installs it there:',
  ),
  tableOf(
    [
      [['Client'], ['In the project'], ['For every project']],
      ...CLIENTS.map(({ name, project, home }) => [
        [name],
        [inlineCode(project)],
        [inlineCode(`~/${home}`)],
      ]),
    ],
    [null, null, null],
  ),
]
