import { OTHER_LICENCE } from '../catalog/licence.ts'
import { decodeLoosely } from '../catalog/text.ts'
import { FrontMatterError, parseFrontMatter, splitSkillMd } from '../catalog/front-matter.ts'
import type { FrontMatter } from '../catalog/front-matter.ts'
import { PARTS, findPartOfHeading } from '../catalog/parts.ts'
import type { PartName } from '../catalog/parts.ts'
import { RECORD_FILE, SKILL_MD, isInstallable, pageDayOf } from '../catalog/skill.ts'
import type { Skill, SkillZip } from '../catalog/skill.ts'
import type { Problem } from '../catalog/problems.ts'
import { createFileAddress } from './answered/file.ts'
import type { SkillBytes } from './answered/file.ts'
import { describeCopies, writeComparison } from './comparison.ts'
import type { Comparison } from './comparison.ts'
import type { Document, Section } from './document.ts'
import { describeFacts, describeNotice } from './facts.ts'
import type { SkillPageSite } from './facts.ts'
import { writeFindings } from './findings.ts'
import { html, joinHtml, toId } from './markup.ts'
import type { Html } from './markup.ts'
import { listInstallCommands, writeDirectory, writeInstall } from './install.ts'
import { createSkillResolver } from './links.ts'
import { codeFence, codeSpan, joinBlocks, link, list, md } from './md.ts'
import type { Markdown } from './md.ts'
import { showLine, writeNeeds } from './needs.ts'
import { downloadPath, skillFilePath, skillPath } from './paths.ts'
import { renderHtml } from './render.ts'
import { TEXT_LIMIT, embedText } from './safe-text.ts'
import type { TextHeading } from './safe-text.ts'
import { listAnchors } from './sections.ts'

interface SkillPageInput {
  skill: Skill
  /** Bytes of the SKILL.md as it lies in the zip: the author's, or synthesized. */
  skillMd: Uint8Array
  /** Its zip, where it was packed. */
  zip?: SkillZip | undefined
  /** The other files of its zip. */
  others?: readonly SkillBytes[]
  comparison: Comparison
  site: SkillPageSite
  /** The skill that this one is a copy of. */
  original?: Pick<Skill, 'slug' | 'name'> | undefined
  /** The other skills of the catalog that its text names. */
  mentioned?: readonly Pick<Skill, 'slug' | 'name'>[]
}

/** What a page has beside the parts, each before one of them. */
const OWN_SECTIONS = [
  { id: 'install', heading: 'Install', before: 'activation' },
  { id: 'installation-directory', heading: 'Installation directory', before: 'activation' },
  { id: 'what-it-brings-and-needs', heading: 'What it brings and needs', before: 'activation' },
  { id: 'findings', heading: 'Findings', before: 'activation' },
  { id: 'in-the-skill-md', heading: 'In the SKILL.md', before: 'whenNotToUse' },
  { id: 'about', heading: 'About', before: 'whenNotToUse' },
  { id: 'how-it-compares', heading: 'How it compares', before: 'examples' },
] as const satisfies readonly { id: string; heading: string; before: PartName }[]

/** Headings that a skill page may have, in their order. */
const SKILL_SECTIONS: readonly { id: string; heading: string; part?: PartName }[] = PARTS.flatMap(
  ({ id, heading, name }) => [
    ...OWN_SECTIONS.filter(({ before }) => before === name),
    { id, heading, part: name },
  ],
)

/** Anchors that a page may have of its own. */
const PAGE_ANCHORS: readonly string[] = listAnchors(SKILL_SECTIONS)

/**
 * Anchors that no heading of a SKILL.md takes. That of a part without a section of its own is left to the author's heading,
 * so a link to it means the same in HTML and in Markdown, where readers derive anchors from headings.
 */
const listTaken = ({ texts, anchors }: Stated, hasFindings: boolean): string[] => [
  ...listAnchors(
    SKILL_SECTIONS.filter(({ id, part }) =>
      part ? part === 'activation' || texts.has(part) : id !== 'findings' || hasFindings,
    ),
  ),
  ...anchors,
]

/** Depth of the heading above a SKILL.md's text. */
const ABOUT_DEPTH = 2

/** What is read, unless it is a faulty front matter. */
const readOr = <Value>(read: () => Value, fallback: Value): Value => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    return fallback
  }
}

/** Reads a SKILL.md. A front matter that cannot be read is still not part of its text, where it ends at all. */
const readSkillText = (skillMd: Uint8Array): { front: FrontMatter; body: string } => {
  const text = decodeLoosely(skillMd)
  return {
    front: readOr(() => parseFrontMatter(text), {}),
    body: readOr(() => splitSkillMd(text).body, text),
  }
}

const toCodeList = (names: string): Markdown =>
  list(names.split(/, ?/).flatMap((name) => (name === '' ? [] : [codeSpan(name)])))

/** Fields of a front matter that state a part, and how they are shown. */
const STATED_FIELDS: readonly (readonly [
  keyof FrontMatter,
  PartName,
  (text: string) => Markdown,
])[] = [
  ['compatibility', 'prerequisites', (text) => md`${text}`],
  ['metadata.requires.bins', 'prerequisites', toCodeList],
  ['metadata.openclaw.requires.bins', 'prerequisites', toCodeList],
  ['metadata.requires.env', 'prerequisites', toCodeList],
  ['metadata.openclaw.requires.env', 'prerequisites', toCodeList],
  ['argument-hint', 'inputs', codeSpan],
  ['when_to_use', 'whenToUse', (text) => md`${text}`],
]

/** Texts of a page, with the problems for curators that they have. */
interface Stated {
  texts: ReadonlyMap<PartName, Markdown>
  /** Anchors of the headings in them. */
  anchors: readonly string[]
  warnings: Problem[]
}

/** Embeds what the record or a field of the front matter states of each part. */
const stateParts = ({ slug, parts }: Skill, front: FrontMatter): Stated => {
  const texts = new Map<PartName, Markdown>()
  const anchors: string[] = []
  const warnings: Problem[] = []
  for (const { name } of PARTS) {
    const own = parts[name]
    const fields = STATED_FIELDS.flatMap(([field, part, show]) => {
      const value = part === name ? showLine(front[field] ?? '') : ''
      return value === '' ? [] : [show(value)]
    })
    if (own === undefined && fields.length > 0) texts.set(name, joinBlocks(fields))
    if (own === undefined) continue
    const text = typeof own === 'string' ? own : own.map((line) => `- ${line}`).join('\n')
    const { markdown, headings, fault } = embedText(text, {
      depth: ABOUT_DEPTH,
      taken: PAGE_ANCHORS,
      resolve: () => undefined,
    })
    if (String(markdown) !== '') texts.set(name, markdown)
    anchors.push(...headings.map(({ anchor }) => anchor))
    if (fault !== undefined)
      warnings.push({
        file: `skills/${slug}/${RECORD_FILE}`,
        field: `parts.${name}`,
        remedy: `${fault}, so it is shown as code; simplify it`,
      })
  }
  return { texts, anchors, warnings }
}

/** Most headings that one part links to. */
const LINKS_PER_PART = 3

/** Levels of headings, from the shallowest, at which they are about the whole skill. */
const LEVELS_LINKED = 2

/** The headings of a SKILL.md by the part that they are about. */
const sortHeadings = (
  headings: readonly TextHeading[],
): ReadonlyMap<PartName, readonly TextHeading[]> => {
  const shown = headings.filter(({ depth }) => depth <= ABOUT_DEPTH + LEVELS_LINKED)
  const byPart = new Map<PartName, TextHeading[]>()
  for (const heading of shown) {
    const part = findPartOfHeading(heading.text)
    if (part === undefined) continue
    const found = byPart.get(part) ?? []
    byPart.set(part, found)
    if (found.length < LINKS_PER_PART) found.push(heading)
  }
  return byPart
}

/**
 * Links the parts to the headings of the SKILL.md about them, and names those that are neither stated nor linked. In HTML
 * the name of a part bears its anchor where no section and no heading of the SKILL.md does.
 */
const writeInSkillMd = (
  isStated: (part: PartName) => boolean,
  headings: readonly TextHeading[],
): Pick<Section, 'markdown' | 'html'> | undefined => {
  const byPart = sortHeadings(headings)
  const others = PARTS.filter(({ name }) => !isStated(name) && !byPart.has(name))
  const linked = PARTS.flatMap(({ name, id, heading }) => {
    const found = byPart.get(name)
    return found ? [{ name, id, heading, found }] : []
  })
  if (PARTS.every(({ name }) => isStated(name))) return undefined
  const elsewhere = new Set([
    ...headings.map(({ anchor }) => anchor),
    ...PARTS.flatMap(({ name, id }) => (isStated(name) ? id : [])),
  ])
  const anchored = (id: string, heading: string): Html =>
    elsewhere.has(id) ? html`${heading}` : html`<span id="${id}">${heading}</span>`
  const rows = linked.map(({ heading, found }) => {
    const links = found.map(
      ({ text, anchor }, at) => md`${at > 0 ? ', ' : ''}${link(text, `#${anchor}`)}`,
    )
    return md`${heading}: ${links}`
  })
  const items = linked.map(({ id, heading, found }) => {
    const links = found.map(
      ({ text, anchor }, at) => html`${at > 0 ? ', ' : ''}<a href="#${toId(anchor)}">${text}</a>`,
    )
    return html`<li>${anchored(id, heading)}: ${links}</li>`
  })
  const none = others.map(({ heading }) => heading).join(', ')
  const names = others.map(
    ({ id, heading }, at) => html`${at > 0 ? ', ' : ''}${anchored(id, heading)}`,
  )
  return {
    markdown: joinBlocks([
      list(rows),
      ...(others.length > 0 ? [md`No heading of its own: ${none}.`] : []),
    ]),
    html: joinHtml([
      ...(items.length > 0 ? [html`<ul>${items}</ul>`] : []),
      ...(others.length > 0 ? [html`<p>No heading of its own: ${names}.</p>`] : []),
    ]),
  }
}

/** Longest HTML of a SKILL.md's text, in bytes: with all around it, no page is over 4 MB. */
const ABOUT_LIMIT = 2_500_000

const isTooLong = ({ html: text }: Html): boolean => Buffer.byteLength(text) > ABOUT_LIMIT

/** The text of a SKILL.md in its page. */
interface About {
  markdown: Markdown
  html: Html
  headings: readonly TextHeading[]
  warnings: Problem[]
}

const writeAboutLine = (markdown: Markdown): About => ({
  markdown,
  html: renderHtml(markdown),
  headings: [],
  warnings: [],
})

/** The text as its author set it, else as code, else a link to it. `taken` are the anchors of the rest of the page. */
const writeAbout = (
  skill: Skill,
  body: string,
  { taken, mentioned }: { taken: readonly string[]; mentioned: SkillPageInput['mentioned'] },
): About => {
  const file = link('the SKILL.md', skillFilePath(skill.slug, SKILL_MD))
  const elsewhere = md`The text is ${body.length} characters long; read it in ${file}.`
  if (body.length > TEXT_LIMIT) return writeAboutLine(elsewhere)
  const { markdown, source, headings, fault } = embedText(body, {
    depth: ABOUT_DEPTH,
    taken,
    resolve: createSkillResolver(skill, mentioned),
  })
  if (String(markdown) === '')
    return writeAboutLine(md`The SKILL.md has no text below its front matter.`)
  const text = renderHtml(markdown, taken)
  if (isTooLong(text)) {
    const code = writeAboutLine(codeFence(source, 'markdown'))
    return isTooLong(code.html) ? writeAboutLine(elsewhere) : code
  }
  const remedy = `${fault}, so it is shown as code; simplify its headings, lists and HTML`
  const warning = { file: `skills/${skill.slug}/${SKILL_MD}`, field: '', remedy }
  return { markdown, html: text, headings, warnings: fault === undefined ? [] : [warning] }
}

/** The author's own summary with its links, unless it was cut. */
const writeLead = ({ summary, parts }: Pick<Skill, 'summary' | 'parts'>): Markdown => {
  const isWhole = parts.summary !== undefined && !summary.endsWith('…')
  if (!isWhole) return md`${summary}`
  const line = parts.summary!.replace(/\s+/g, ' ')
  const place = { depth: ABOUT_DEPTH, taken: [], resolve: () => undefined }
  const { markdown } = embedText(line, place)
  const isParagraph = renderHtml(markdown).html.startsWith('<p>')
  return isParagraph ? markdown : md`${summary}`
}

/** What structured data says of a skill; nothing that is not known. */
const describeWork = (skill: Skill, origin: string): NonNullable<Document['work']> => ({
  author: skill.author,
  dateModified: skill.updated,
  license: skill.licence === OTHER_LICENCE ? undefined : skill.licence,
  codeRepository: skill.source.kind === 'upstream' ? skill.source.url : undefined,
  keywords: skill.category,
  encoding: {
    '@type': 'MediaObject',
    encodingFormat: 'application/zip',
    contentUrl: origin + downloadPath(skill.id),
  },
})

/** Writes the page of one skill, its sections in the order of the contract. */
export const writeSkillDocument = (input: SkillPageInput): Document => {
  const { skill, skillMd, zip, site, comparison } = input
  const { front, body } = readSkillText(skillMd)
  const files = [{ path: SKILL_MD, bytes: skillMd }, ...(input.others ?? [])]
  const addressOf = createFileAddress(skill.slug, files)
  const stated = stateParts(skill, front)
  const about = writeAbout(skill, body, {
    taken: listTaken(stated, skill.findings.length > 0),
    mentioned: input.mentioned,
  })
  // The SKILL.md of a skill whose text is not here is ours.
  const headings = skill.files.length === 0 ? [] : about.headings
  const isStated = (part: PartName) => part === 'activation' || stated.texts.has(part)
  const named = front.name?.trim()
  const install = writeInstall(skill, site.origin, zip)
  const activation = joinBlocks([md`${skill.description}`, stated.texts.get('activation') ?? md``])
  const own: Readonly<Record<string, Omit<Section, 'id' | 'heading'> | undefined>> = {
    install: {
      markdown: joinBlocks([install.commands, install.below]),
      ...(install.more ? { more: install.more } : {}),
      install: { commands: listInstallCommands(skill, site.origin), below: install.below },
    },
    'installation-directory': {
      markdown: writeDirectory(
        skill,
        skill.files.length > 0 && named !== skill.slug ? named : undefined,
      ),
    },
    'what-it-brings-and-needs': {
      markdown: writeNeeds(skill, {
        skillMd: decodeLoosely(skillMd),
        mentioned: input.mentioned ?? [],
        addressOf,
      }),
    },
    findings: skill.findings.length > 0 ? writeFindings(skill, site, addressOf) : undefined,
    activation: { markdown: activation, html: renderHtml(activation, PAGE_ANCHORS) },
    'in-the-skill-md': writeInSkillMd(isStated, headings),
    about: { markdown: about.markdown, html: about.html },
    'how-it-compares': { markdown: writeComparison(skill, comparison, site) },
  }
  const sections = SKILL_SECTIONS.flatMap(({ id, heading, part }): Section[] => {
    const text = part && stated.texts.get(part)
    const section = own[id] ?? (text && { markdown: text })
    return section ? [{ id, heading, ...section }] : []
  })
  const notice = describeNotice(skill, input.original) ?? describeCopies(comparison)
  return {
    kind: 'skill',
    path: skillPath(skill.slug),
    heading: skill.name,
    lead: writeLead(skill),
    description: skill.summary,
    updated: pageDayOf(skill),
    isIndexable: skill.visibility !== 'gone',
    ...(notice === undefined ? {} : { notice }),
    category: skill.category,
    work: describeWork(skill, site.origin),
    ...describeFacts(skill, site, zip),
    ...(isInstallable(skill) && skill.visibility !== 'gone' ? { pick: skill.slug } : {}),
    sections,
    parts: [...new Set([...stated.texts.keys(), ...sortHeadings(headings).keys()])],
    warnings: [...stated.warnings, ...about.warnings],
  }
}
