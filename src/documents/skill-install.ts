import type { PhrasingContent, RootContent } from 'mdast'
import type { Skill } from '../catalog/skill.ts'
import { codeBlock, inlineCode, linkTo, listOf, paragraph, strong } from './tree.ts'
import { downloadPath, installFolder, skillFilePath } from './paths.ts'

/** The install command of a skill: one line, any POSIX shell (decisions, "Downloads"). */
export const installCommand = (
  { slug, id }: Pick<Skill, 'slug' | 'id'>,
  origin: string,
): string => {
  const folder = installFolder(slug)
  return `mkdir -p ${folder} && curl -fsSL -o skill.zip "${origin}${downloadPath(id)}" && unzip -o skill.zip -d ${folder} && rm skill.zip`
}

const countPlaces = (count: number): string => `${count} place${count === 1 ? '' : 's'}`

/** Findings named on a page; a scan of many files finds more than a reader reads. */
const FINDINGS_SHOWN = 20

const describeScan = ({ findings, slug, files }: Skill): RootContent[] => {
  if (findings.length === 0) {
    return [
      paragraph(
        'Safety: ',
        strong('No findings'),
        '. The scan of its files found nothing; that is not a promise.',
      ),
    ]
  }
  const rows = findings.slice(0, FINDINGS_SHOWN).map(({ rule, file, line, message }) => {
    const isShown = files.some(({ path }) => path === file)
    const place = isShown ? linkTo(file, skillFilePath(slug, file)) : file
    return [inlineCode(rule), ': ', place, `, line ${line}, ${message}`]
  })
  const rest = findings.length - FINDINGS_SHOWN
  const places = countPlaces(findings.length)
  return [
    paragraph(
      'Safety: ',
      strong('Review'),
      `. The scan found ${places} that want a human's eye before you install:`,
    ),
    listOf(rest > 0 ? [...rows, [`and ${countPlaces(rest)} more`]] : rows),
  ]
}

const describeSource = ({ source, slug }: Skill): (PhrasingContent | string)[] => {
  if (source.kind === 'own') {
    const copy = linkTo('its copy', skillFilePath(slug, 'SKILL.md'))
    return ['written for this registry, ', copy, ' is the source']
  }
  const end = source.status === 'gone' ? ' (gone)' : `, seen alive on ${source.checked}`
  return [linkTo('its folder upstream', source.url), end]
}

/** Writes the Install part: the line, the zip, the source, what the scan found. */
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
  ...describeScan(skill),
]

/** Writes where a skill is installed. */
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
