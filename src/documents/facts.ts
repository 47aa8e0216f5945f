import type { Skill } from '../catalog/skill.ts'
import type { Fact } from './document.ts'
import { escapeMarkdown } from './escape.ts'
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
import { codeBlock, inlineCode, linkTo, paragraph } from './tree.ts'

/** Counts below this are shown to the last one. */
const SHOWN_EXACTLY = 1_000

/**
 * Writes a counter for a page: a large one rounded down to two digits, as `1200+`. It stays true while
 * the counter grows, so a page is written anew when a reader would see it, not at every install; the
 * API gives the exact number.
 */
export const showCount = (count: number): string => {
  if (count < SHOWN_EXACTLY) return String(count)
  const unit = 10 ** (String(count).length - 2)
  return `${Math.floor(count / unit) * unit}+`
}

/** Writes a count with its noun: `1 skill`, `27 skills`. */
export const countOf = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`

/** The row of facts under a skill's name. */
export const factsOf = (skill: Skill): Fact[] => [
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
    value: skill.difficultyDerived ? `${skill.difficulty} (derived)` : skill.difficulty,
  },
  {
    label: 'Safety',
    value: skill.safety,
    path: skill.findings.length > 0 ? '#findings' : SAFETY_DOCS_PATH,
  },
  { label: 'Licence', value: skill.licence ?? 'not stated' },
  { label: 'Files', value: describeFiles(skill) },
  { label: 'Installs', value: showCount(skill.installs) },
  { label: 'Views', value: showCount(skill.views) },
]

const describeFiles = ({ files }: Skill): string => {
  if (files.length === 0) return '1, synthesized'
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const size = bytes < 1_024 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KiB`
  return `${files.length}, ${size}`
}

type NamedSkill = Pick<Skill, 'slug' | 'name'>

const tellCopy = ({ slug, name }: NamedSkill): string =>
  `**A copy of [${escapeMarkdown(name)}](${skillPath(slug)}).** The two say nearly the same.`

/** What a reader must know first: that a skill's source is gone, or that it is a copy. */
export const noticeOf = (skill: Skill, original: NamedSkill | undefined): string | undefined =>
  tellGone(skill) ?? (original && tellCopy(original))

const tellGone = ({ source }: Skill): string | undefined => {
  if (source.kind === 'own' || source.status !== 'gone') return undefined
  // A day of the check that found it gone is not a day it was seen.
  const seen = source.seen
    ? `It was last seen on ${source.seen}`
    : `The check of ${source.checked} did not find it`
  return `**Its source is gone.** ${seen}; the registry lists this skill no longer. The download still works, with a SKILL.md synthesized from what the catalog knows.`
}

/** Folder a skill is installed to, relative to the project it is used in. */
const installFolder = (slug: string): string => `.claude/skills/${slug}`

/** The install command of a skill: one line, any POSIX shell (decisions, "Downloads"). */
export const installCommand = (
  { slug, id }: Pick<Skill, 'slug' | 'id'>,
  origin: string,
): string => {
  const folder = installFolder(slug)
  return `mkdir -p ${folder} && curl -fsSL -o skill.zip "${origin}${downloadPath(id)}" && unzip -o skill.zip -d ${folder} && rm skill.zip`
}

const describeSource = ({ source, slug }: Skill): (PhrasingContent | string)[] => {
  if (source.kind === 'own') {
    const copy = linkTo('its copy', skillFilePath(slug, 'SKILL.md'))
    return ['written for this registry, ', copy, ' is the source']
  }
  const end = source.status === 'gone' ? ' (gone)' : `, seen alive on ${source.checked}`
  return [linkTo('its folder upstream', source.url), end]
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
