import type { Skill } from '../catalog/skill.ts'
import { escapeMarkdown, printAddress } from './escape.ts'
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

const describeScan = ({ findings, slug, files }: Skill): string => {
  if (findings.length === 0) {
    return 'Safety: **No findings**. The scan of its files found nothing; that is not a promise.'
  }
  const rows = findings.slice(0, FINDINGS_SHOWN).map(({ rule, file, line, message }) => {
    const isShown = files.some(({ path }) => path === file)
    const place = isShown
      ? `[${escapeMarkdown(file)}](${skillFilePath(slug, file)})`
      : escapeMarkdown(file)
    return `- \`${rule}\`: ${place}, line ${line}, ${message}`
  })
  return [
    `Safety: **Review**. The scan found ${countPlaces(findings.length)} that want a human's eye before you install:`,
    '',
    ...rows,
    ...(findings.length > FINDINGS_SHOWN
      ? [`- and ${countPlaces(findings.length - FINDINGS_SHOWN)} more`]
      : []),
  ].join('\n')
}

const describeSource = ({ source, slug }: Skill): string => {
  if (source.kind === 'own')
    return `written for this registry, [its copy](${skillFilePath(slug, 'SKILL.md')}) is the source`
  const link = `[its folder upstream](${printAddress(source.url)})`
  return source.status === 'gone' ? `${link} (gone)` : `${link}, seen alive on ${source.checked}`
}

/** Writes the Install part: the line, the zip, the source, what the scan found. */
export const writeInstall = (skill: Skill, origin: string): string =>
  [
    `\`\`\`sh\n${installCommand(skill, origin)}\n\`\`\``,
    `[Download the zip](${downloadPath(skill.id)}), or read [the SKILL.md](${skillFilePath(skill.slug, 'SKILL.md')}) first. Source: ${describeSource(skill)}.`,
    describeScan(skill),
  ].join('\n\n')

/** Writes where a skill is installed. */
export const writeDirectory = ({ slug }: Skill): string =>
  `\`${installFolder(slug)}\` in the project, or \`~/${installFolder(slug)}\` for every project. Codex, Cursor, Gemini CLI, GitHub Copilot, OpenCode and others read \`.agents/skills/${slug}\` instead.`
