import type { Token } from 'marked'
import { decodeLoosely } from '../catalog/decode.ts'
import { FrontMatterError, parseFrontMatter, splitSkillMd } from '../catalog/front-matter.ts'
import { truncateAtWord } from '../catalog/listing.ts'
import type { Skill } from '../catalog/skill.ts'
import { GUEST_LIMIT, createGuestContext, hostInline, hostMarkdown, lexGuest } from './guest.ts'
import type { Host } from './guest.ts'
import type { Document, Fact, Section } from './document.ts'
import { escapeMarkdown } from './escape.ts'
import { resolveInside } from './links.ts'
import {
  authorPath,
  categoryPath,
  downloadPath,
  installFolder,
  skillFilePath,
  skillPath,
} from './paths.ts'
import { findUseSentences, renderPart } from './skill-parts.ts'
import type { PartName, PartSource } from './skill-parts.ts'

/** What a skill's page is made from. */
export interface SkillPageInput {
  skill: Skill
  /** Bytes of the SKILL.md as it lies in the zip: the author's, or synthesized. */
  skillMd: Uint8Array
  /** Nearest skills, for the comparison. */
  nearest: readonly Skill[]
  origin: string
}

/** Headings of a skill page in their order (decisions, "The skill page"); parts fill theirs. */
export const SKILL_SECTIONS = [
  { id: 'install', heading: 'Install' },
  { id: 'installation-directory', heading: 'Installation directory' },
  { id: 'activation', heading: 'Activation', part: 'activation' },
  { id: 'key-capabilities', heading: 'Key capabilities', part: 'capabilities' },
  { id: 'how-it-works', heading: 'How it works', part: 'howItWorks' },
  { id: 'you-give-it', heading: 'You give it', part: 'inputs' },
  { id: 'you-get-back', heading: 'You get back', part: 'outputs' },
  { id: 'when-to-use', heading: 'When to use', part: 'whenToUse' },
  { id: 'about', heading: 'About' },
  { id: 'when-not-to-use', heading: 'When not to use', part: 'whenNotToUse' },
  { id: 'prerequisites', heading: 'Prerequisites', part: 'prerequisites' },
  { id: 'limitations', heading: 'Limitations', part: 'limitations' },
  { id: 'how-it-compares', heading: 'How it compares' },
  { id: 'example-prompts', heading: 'Example prompts', part: 'examples' },
] as const satisfies readonly { id: string; heading: string; part?: PartName }[]

type SectionId = (typeof SKILL_SECTIONS)[number]['id']

/** Anchors of a skill page's own headings; a guest's heading never takes one. */
export const SKILL_ANCHORS: readonly string[] = SKILL_SECTIONS.map(({ id }) => id)

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
  if (source.status === 'gone') return `${source.url} (gone)`
  return `[its folder upstream](${source.url}), seen alive on ${source.checked}`
}

const writeInstall = ({ skill, origin }: SkillPageInput): string =>
  [
    `\`\`\`sh\n${installCommand(skill, origin)}\n\`\`\``,
    `[Download the zip](${downloadPath(skill.id)}), or read [the SKILL.md](${skillFilePath(skill.slug, 'SKILL.md')}) first. Source: ${describeSource(skill)}.`,
    describeScan(skill),
  ].join('\n\n')

const writeDirectory = ({ skill: { slug } }: SkillPageInput): string =>
  `\`${installFolder(slug)}\` in the project, or \`~/${installFolder(slug)}\` for every project. Codex, Cursor, Gemini CLI, GitHub Copilot, OpenCode and others read \`.agents/skills/${slug}\` instead.`

const EMPTY_ABOUT = 'The SKILL.md has no text below its front matter.'

const writeAbout = ({ skill }: SkillPageInput, body: string, host: Host): string => {
  if (body.length > GUEST_LIMIT) {
    return `The text is ${body.length} characters long; read it in [the SKILL.md](${skillFilePath(skill.slug, 'SKILL.md')}).`
  }
  return hostMarkdown(body, host) || EMPTY_ABOUT
}

const compareRow = (skill: Skill, isThis: boolean): string => {
  const name = escapeMarkdown(skill.name)
  const cells = [
    isThis ? `**${name}** (this skill)` : `[${name}](${skillPath(skill.slug)})`,
    String(skill.installs),
    skill.updated,
    skill.safety,
    skill.difficulty,
  ]
  return `| ${cells.join(' | ')} |`
}

const writeComparison = ({ skill, nearest }: SkillPageInput): string =>
  [
    nearest.length > 0
      ? `Beside the skills of the catalog whose words are nearest to ${escapeMarkdown(skill.name)}:`
      : 'The catalog has no other skill to compare it with.',
    '',
    '| Skill | Installs | Updated | Safety | Difficulty |',
    '| --- | --: | --- | --- | --- |',
    compareRow(skill, true),
    ...nearest.map((other) => compareRow(other, false)),
  ].join('\n')

/** Makes a resolver for a SKILL.md's relative links: a file we hold, else its place upstream. */
const createResolver =
  ({ slug, files, source }: Skill) =>
  (href: string): string | undefined => {
    const [path = '', fragment] = href.split('#', 2)
    if (path.startsWith('/') || path.startsWith('?')) return undefined
    let decoded: string
    try {
      decoded = decodeURIComponent(path.split('?')[0] ?? '')
    } catch {
      return undefined
    }
    const inside = resolveInside(decoded)
    if (inside !== undefined && files.some((file) => file.path === inside)) {
      return skillFilePath(slug, inside)
    }
    return source.kind === 'own' ? undefined : resolveUpstream(source.url, decoded, fragment)
  }

const GITHUB_TREE = /^(https:\/\/github\.com\/[^/]+\/[^/]+)\/tree\/([^/]+)\/?(.*)$/

const resolveUpstream = (
  sourceUrl: string,
  path: string,
  fragment?: string,
): string | undefined => {
  const tree = GITHUB_TREE.exec(sourceUrl)
  if (!tree) return undefined
  const inside = resolveInside(`${tree[3] ?? ''}/${path}`)
  if (inside === undefined) return undefined
  const encoded = inside.split('/').map(encodeURIComponent).join('/')
  return `${tree[1]}/blob/${tree[2]}/${encoded}${fragment ? `#${encodeURIComponent(fragment)}` : ''}`
}

const readBody = (text: string): { body: string; compatibility?: string } => {
  try {
    const { body, block } = splitSkillMd(text)
    if (block === undefined) return { body: text }
    const { compatibility } = parseFrontMatter(text)
    return compatibility === undefined ? { body } : { body, compatibility }
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    return { body: bodyOf(text) }
  }
}

// A front matter that cannot be read is still not part of the text, where it ends at all.
const bodyOf = (text: string): string => {
  try {
    return splitSkillMd(text).body
  } catch {
    return text
  }
}

const factsOf = (skill: Skill): Fact[] => [
  { label: 'Category', value: skill.category, path: categoryPath(skill.category) },
  { label: 'Author', value: skill.author, path: authorPath(skill.author) },
  { label: 'Updated', value: skill.updated },
  {
    label: 'Difficulty',
    value: skill.difficultyDerived ? `${skill.difficulty} (derived)` : skill.difficulty,
  },
  { label: 'Safety', value: skill.safety, path: '#install' },
  { label: 'Licence', value: skill.licence ?? 'not stated' },
  { label: 'Files', value: describeFiles(skill) },
  { label: 'Installs', value: String(skill.installs) },
  { label: 'Views', value: String(skill.views) },
]

const describeFiles = ({ files }: Skill): string => {
  if (files.length === 0) return '1, synthesized'
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const size = bytes < 1_024 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KiB`
  return `${files.length}, ${size}`
}

const noticeOf = ({ source }: Skill): string | undefined => {
  if (source.kind === 'own' || source.status !== 'gone') return undefined
  const seen = source.seen ?? source.checked
  return `**Its source is gone.** It was last seen on ${seen}; the registry lists this skill no longer. The download still works, with a SKILL.md synthesized from what the catalog knows.`
}

const fallbacksOf = (
  { description }: Skill,
  compatibility: string | undefined,
): PartSource['fallback'] => {
  const use = findUseSentences(description)
  return {
    activation: `An assistant loads it when a task fits its description: ${escapeMarkdown(description)}`,
    ...(use === '' ? {} : { whenToUse: escapeMarkdown(use) }),
    ...(compatibility === undefined ? {} : { prerequisites: escapeMarkdown(compatibility) }),
  }
}

/** Writes the page of one skill, every part in the order of the contract. */
export const writeSkillDocument = (input: SkillPageInput): Document => {
  const { skill, skillMd } = input
  const { body, compatibility } = readBody(decodeLoosely(skillMd))
  const host: Host = { depth: 2, takenAnchors: SKILL_ANCHORS, resolve: createResolver(skill) }
  const tokens: readonly Token[] = lexGuest(body)
  const { context, anchorOf } = createGuestContext(tokens, host)
  const source: PartSource = {
    parts: skill.parts,
    tokens,
    context,
    anchorOf,
    fallback: fallbacksOf(skill, compatibility),
  }
  const special: Partial<Record<SectionId, () => string>> = {
    install: () => writeInstall(input),
    'installation-directory': () => writeDirectory(input),
    about: () => writeAbout(input, body, host),
    'how-it-compares': () => writeComparison(input),
  }
  const sections: Section[] = SKILL_SECTIONS.map((section) => ({
    id: section.id,
    heading: section.heading,
    markdown:
      special[section.id]?.() ?? ('part' in section ? renderPart(section.part, source) : ''),
  }))
  const notice = noticeOf(skill)
  return {
    kind: 'skill',
    path: skillPath(skill.slug),
    heading: skill.name,
    lead: skill.parts.summary ? hostInline(skill.parts.summary) : escapeMarkdown(skill.description),
    description: truncateAtWord(skill.description.replace(/\s+/g, ' '), 160),
    updated: skill.updated,
    isIndexable: skill.visibility !== 'gone',
    ...(notice === undefined ? {} : { notice }),
    category: skill.category,
    facts: factsOf(skill),
    sections,
  }
}
