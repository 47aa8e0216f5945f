import type { Skill } from '../catalog/skill.ts'
import type { Fact } from './document.ts'
import { showCount } from './entries.ts'
import { contactAddress } from './contact.ts'
import type { SkillPageSite } from './contact.ts'
import { writeVerdict } from './findings.ts'
import {
  SAFETY_DOCS_PATH,
  authorPath,
  categoryPath,
  downloadPath,
  skillFilePath,
  skillPath,
} from './paths.ts'
import type { PhrasingContent, RootContent } from 'mdast'
import { codeBlock, inlineCode, linkTo, paragraph, strong } from './tree.ts'
import type { Words } from './tree.ts'

/** What readers ask the curators, and how they begin. */
const REQUESTS = [
  {
    label: 'Wrong?',
    value: 'Report this',
    title: 'Report',
    body: 'What is wrong with this listing:',
  },
  {
    label: 'Yours?',
    value: 'Mend, move or remove it',
    title: 'My skill',
    body: 'I am its author. Please (mend what is derived, move it to another address, or remove it):',
  },
] as const

const contactFacts = (skill: Skill, site: SkillPageSite): Fact[] =>
  REQUESTS.flatMap(({ label, value, title, body }) => {
    const path = contactAddress(skill, site, title, body)
    return path === undefined ? [] : [{ label, value, path }]
  })

/** The row of facts under a skill's name. */
export const factsOf = (skill: Skill, site: SkillPageSite): Fact[] => [
  { label: 'Category', value: skill.category, path: categoryPath(skill.category) },
  {
    label: 'Author',
    value: skill.author,
    // The page of an author lists; one whose skills are all gone has none.
    ...(skill.visibility === 'gone' ? {} : { path: authorPath(skill.author) }),
  },
  { label: 'Updated', value: skill.updated ?? 'not known' },
  {
    label: 'Difficulty',
    value: `${skill.difficulty} (${skill.difficultySigns.join(', ') || 'as its author says'})`,
  },
  {
    label: 'Safety',
    value: skill.safety,
    path: skill.findings.length > 0 ? '#findings' : SAFETY_DOCS_PATH,
  },
  { label: 'Licence', value: skill.licenceWords ?? skill.licence ?? 'not stated' },
  { label: 'Files', value: describeFiles(skill) },
  ...(site.isCounted
    ? [
        { label: 'Installs', value: showCount(skill.installs) },
        { label: 'Views', value: showCount(skill.views) },
      ]
    : []),
  ...contactFacts(skill, site),
]

/** Writes a size in bytes as a reader compares it: `812 bytes`, `4.1 KiB`. */
export const showSize = (bytes: number): string =>
  bytes < 1_024 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KiB`

const describeFiles = ({ files }: Skill): string => {
  if (files.length === 0) return '1, synthesized'
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  return `${files.length}, ${showSize(bytes)}`
}

type NamedSkill = Pick<Skill, 'slug' | 'name'>

const tellCopy = ({ slug, name }: NamedSkill): Words => [
  strong('A copy of '),
  linkTo(name, skillPath(slug)),
  '. The two say nearly the same.',
]

/** What a reader must know first: that a skill's source is gone, or that it is a copy. */
export const noticeOf = (skill: Skill, original: NamedSkill | undefined): Words | undefined =>
  tellGone(skill) ?? (original && tellCopy(original))

const tellGone = ({ source }: Skill): Words | undefined => {
  if (source.kind === 'own' || source.status !== 'gone') return undefined
  // A day of the check that found it gone is not a day it was seen.
  const seen = source.seen
    ? `It was last seen on ${source.seen}`
    : `The check of ${source.checked} did not find it`
  return [
    strong('Its source is gone.'),
    ` ${seen}; the registry lists this skill no longer. The download still works, with a SKILL.md synthesized from what the catalog knows.`,
  ]
}

/** Folder a skill is installed to, relative to the project it is used in. */
const installFolder = (slug: string): string => `.claude/skills/${slug}`

/** The install command of a skill: one line, any POSIX shell (decisions, "Downloads"). */
export const installCommand = (
  { slug, id }: Pick<Skill, 'slug' | 'id'>,
  origin: string,
): string => {
  const folder = installFolder(slug)
  const zip = `${folder}.zip`
  return `curl -fsSL --create-dirs -o ${zip} "${origin}${downloadPath(id)}" && unzip -o ${zip} -d ${folder} && rm ${zip}`
}

/** What is known of a source, after the link to it. */
const SOURCE_STATES = {
  alive: (day) => `, seen alive on ${day}`,
  copied: (day) => `, copied on ${day}`,
  gone: () => ' (gone)',
  untraced: () => ', never seen alive',
} satisfies Record<string, (day: string) => string>

const describeSource = ({ source, slug }: Skill): (PhrasingContent | string)[] => {
  if (source.kind === 'own') {
    const copy = linkTo('its copy', skillFilePath(slug, 'SKILL.md'))
    return ['written for this registry, ', copy, ' is the source']
  }
  return [linkTo('its folder upstream', source.url), SOURCE_STATES[source.status](source.checked)]
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

export const writeDirectory = ({ slug }: Skill): RootContent[] => [
  paragraph(
    inlineCode(installFolder(slug)),
    ' in the project, or ',
    inlineCode(`~/${installFolder(slug)}`),
    ' for every project. Codex, Cursor, Gemini CLI, GitHub Copilot, OpenCode and others read ',
    inlineCode(`.agents/skills/${slug}`),
    ' instead.',
  ),
]
