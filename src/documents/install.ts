import type { BlockContent, PhrasingContent, RootContent } from 'mdast'
import { INSTALLED_NAME, isInstallable } from '../catalog/skill.ts'
import type { Skill, SkillZip } from '../catalog/skill.ts'
import { foldLine, truncateAtWord } from '../catalog/text.ts'
import { CLIENTS } from './clients.ts'
import type { LinePiece, Section } from './document.ts'
import { writeVerdict } from './findings.ts'
import { isPlugin, marketplacePath } from './marketplace.ts'
import { PATHS, downloadPath, skillFilePath, skillPath } from './paths.ts'
import type { Words } from './tree.ts'
import { codeBlock, foldOf, inlineCode, linkTo, listOf, paragraph } from './tree.ts'

/** Claude Code has directories of its own; those of the next are shared by most others. */
const [CLAUDE, { project: SHARED }] = CLIENTS

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

const byClient = (read: (client: (typeof CLIENTS)[number]) => string): LinePiece =>
  Object.fromEntries(CLIENTS.map((client) => [client.id, read(client)]))

/** The same for every project; it names the folder once, so that it is never longer than the line for a project. */
const homeCommand = (skill: InstalledSkill, origin: string): LinePiece[] => [
  '(s=~/',
  byClient(({ home }) => home),
  `/${skill.slug}; curl -fsSL --create-dirs -o "$s.zip" ${zipAddress(skill, origin)} && unzip -o "$s.zip" -d "$s" && rm "$s.zip")`,
]

const npxCommand = ({ slug }: InstalledSkill, origin: string): string =>
  `npx skills add ${origin}${skillPath(slug)}`

/** The commands to choose from, the contract's first. */
export const listInstallLines = (
  skill: InstalledSkill & Pick<Skill, 'tokens'>,
  origin: string,
): NonNullable<Section['lines']> => [
  { choice: 'claude', line: [installCommand(skill, origin)] },
  { choice: 'agents', line: [commandInto(SHARED, skill, origin)] },
  { choice: 'home', line: homeCommand(skill, origin) },
  ...(isInstallable(skill)
    ? [
        {
          choice: 'npx' as const,
          line: [
            `${npxCommand(skill, origin)} -a `,
            byClient(({ agent }) => agent),
            { project: '', home: ' -g' },
          ],
        },
      ]
    : []),
]

/** What is known of a source, after the link to it. */
const SOURCE_STATES = {
  alive: (day) => [', seen alive on ', day],
  copied: (day) => [', copied on ', day],
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

/** Words of a shell that stand for themselves. */
const PLAIN_WORD = /^[\w:/.@%+=,-]+$/

const quoteForShell = (word: string): string =>
  PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`

/** Clients refuse a long name, and the source has the same one. */
const writeLongName = ({ slug }: Skill): RootContent =>
  paragraph(
    `Its name has ${slug.length} characters, and installers refuse names above ${INSTALLED_NAME}: the line above works, and no client can install or update it by the address of this page.`,
  )

/** A skill whose text is not here cannot be installed by its address: the synthesized text would replace the author's. */
const writeUnreadable = ({ source }: Skill): RootContent[] => [
  paragraph(
    'Its own text is not here: the line brings a SKILL.md that the registry wrote from its catalog, and no client can install or update it by the address of this page.',
  ),
  ...(source.kind === 'upstream' && source.status === 'alive'
    ? [
        paragraph('From its source, with Node:'),
        codeBlock(`npx skills add ${quoteForShell(source.url)}`, 'sh'),
      ]
    : []),
]

const command = (words: string, line: string, after = '.'): Words => [
  `${words}: `,
  inlineCode(line),
  after,
]

const listOtherWays = (skill: Skill, origin: string): Words[] => {
  const plugins = `claude plugin marketplace add ${origin}${marketplacePath(skill.category)}`
  return isPlugin(skill, origin)
    ? [command('Claude Code has the most popular of its category as plugins', plugins)]
    : []
}

/** Alternative commands, and those for the time after the install. */
const writeMore = (skill: Skill, origin: string, zip: SkillZip | undefined): BlockContent => {
  const folder = `${CLAUDE.project}/${skill.slug}`
  const isNpx = isInstallable(skill)
  return foldOf(
    isNpx ? 'Other ways; check, update, remove' : 'Check, update, remove',
    listOf([
      ...(isNpx ? listOtherWays(skill, origin) : []),
      command(
        'Without unzip, on macOS and Windows',
        `mkdir ${folder} && tar -xf ${folder}.zip -C ${folder}`,
        ' after the line has failed.',
      ),
      ...(zip
        ? [
            command(
              'Check a zip that the link above gave',
              `echo "${zip.sha256} *${skill.slug}.zip" | sha256sum -c`,
              ' (shasum -a 256 -c on macOS).',
            ),
          ]
        : []),
      [
        'Update: ',
        ...(isNpx ? [inlineCode(`npx skills update ${skill.slug}`), ', or '] : []),
        inlineCode(`rm -r ${folder}`),
        ' and the line again; without the first, files that a newer version dropped stay.',
      ],
      [
        'Remove: ',
        ...(isNpx ? [inlineCode(`npx skills remove ${skill.slug}`), ', or '] : []),
        inlineCode(`rm -r ${folder}`),
        '.',
      ],
    ]),
  )
}

/** The Install part: the lines, the zip, the source, what the scan found. */
export const writeInstall = (
  skill: Skill,
  origin: string,
  zip: SkillZip | undefined,
): RootContent[] => [
  codeBlock(installCommand(skill, origin), 'sh'),
  ...(isInstallable(skill)
    ? [codeBlock(`${npxCommand(skill, origin)} -a ${CLAUDE.agent}`, 'sh')]
    : skill.tokens === undefined
      ? writeUnreadable(skill)
      : [writeLongName(skill)]),
  paragraph(
    linkTo('Download the zip', downloadPath(skill.id)),
    ', or read ',
    linkTo('the SKILL.md', skillFilePath(skill.slug, 'SKILL.md')),
    ' first. Source: ',
    ...describeSource(skill),
    '.',
  ),
  writeVerdict(skill),
  writeMore(skill, origin, zip),
]

/** Longest other name that is repeated, in characters. */
const NAME_SHOWN = 80

/** `named` is the name in its SKILL.md, if it differs from the slug. */
export const writeDirectory = (
  { slug }: Pick<Skill, 'slug'>,
  named: string | undefined,
): RootContent[] => [
  paragraph(
    inlineCode(`${CLAUDE.project}/${slug}`),
    ' in the project, or ',
    inlineCode(`~/${CLAUDE.home}/${slug}`),
    ' for every project. ',
    linkTo('Directories of other clients', PATHS.directories),
    '.',
  ),
  ...(named === undefined
    ? []
    : [
        paragraph(
          'Its SKILL.md names it ',
          inlineCode(truncateAtWord(foldLine(named), NAME_SHOWN)),
          ', not as its folder: strict validators refuse it.',
        ),
      ]),
]
