import type { RootContent } from 'mdast'
import { OTHER_LICENCE } from '../catalog/licence.ts'
import type { Problem } from '../catalog/problems.ts'
import { decodeLoosely } from '../catalog/text.ts'
import { FrontMatterError, parseFrontMatter, splitSkillMd } from '../catalog/front-matter.ts'
import type { FrontMatter } from '../catalog/front-matter.ts'
import { RECORD_FILE, SKILL_MD, isInstallable, pageDayOf } from '../catalog/skill.ts'
import type { Skill, SkillZip } from '../catalog/skill.ts'
import { DIALECT, readTree } from '../catalog/markdown.ts'
import { GUEST_LIMIT } from './guest/read.ts'
import { hostGuest, hostLine } from './guest/host.ts'
import { derivePart } from './parts/print.ts'
import { createSkillResolver } from './guest/links.ts'
import { describeFacts, describeNotice } from './facts.ts'
import { listInstallLines, writeDirectory, writeInstall } from './install.ts'
import { writeFindings } from './findings.ts'
import { writeComparison } from './comparison.ts'
import type { Comparison } from './comparison.ts'
import type { Document, Section, Work } from './document.ts'
import { escapeMarkdown, printFence, printWritten } from './print.ts'
import { downloadPath, skillFilePath, skillPath } from './paths.ts'
import { highlightBlocks } from './highlight.ts'
import { renderBlocks } from './html.ts'
import { createFileAddress } from './answered/file.ts'
import type { SkillBytes } from './answered/file.ts'
import { writeNeeds } from './needs.ts'
import { PARTS } from '../catalog/parts.ts'
import type { PartName } from '../catalog/parts.ts'
import { readDescription } from './parts/description.ts'
import { findPassages } from './parts/find.ts'
import { normalizeHeading } from './parts/sections.ts'
import { anchored, codeBlock, inlineCode, joinWords, linkTo, listOf, paragraph } from './tree.ts'
import type { Words } from './tree.ts'
import type { PartSource } from './parts/print.ts'
import type { SkillPageSite } from './facts.ts'
import { markdownToHtml } from 'satteri'

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

interface SectionPlan {
  id: string
  heading: string
  part?: PartName
}

/** What a page has beside the parts, each before one of them: from data, but for the text itself. */
const OWN_SECTIONS: readonly (SectionPlan & { before: PartName | 'end' })[] = [
  { id: 'install', heading: 'Install', before: 'activation' },
  { id: 'installation-directory', heading: 'Installation directory', before: 'activation' },
  { id: 'what-it-brings-and-needs', heading: 'What it brings and needs', before: 'activation' },
  { id: 'findings', heading: 'Findings', before: 'activation' },
  { id: 'about', heading: 'About', before: 'whenNotToUse' },
  { id: 'how-it-compares', heading: 'How it compares', before: 'examples' },
  { id: 'not-stated', heading: 'Not stated', before: 'end' },
]

const listBefore = (place: PartName | 'end'): SectionPlan[] =>
  OWN_SECTIONS.filter(({ before }) => before === place)

/** Headings that a skill page may have, in their order (decisions, "The skill page"). */
export const SKILL_SECTIONS: readonly SectionPlan[] = [
  ...PARTS.flatMap(({ id, heading, name }) => listBefore(name).concat({ id, heading, part: name })),
  ...listBefore('end'),
]

/** Anchors that the layout around every page has (`Page.astro`, `SkillPage.astro`). */
const LAYOUT_ANCHORS = ['content', 'find', 'page-text', 'basket']

/** Anchors of the page's own; a guest's heading never takes one. */
const SKILL_ANCHORS: readonly string[] = [...LAYOUT_ANCHORS, ...SKILL_SECTIONS.map(({ id }) => id)]

/** Depth of the heading above a SKILL.md's text. */
const ABOUT_DEPTH = 2

const EMPTY_ABOUT = 'The SKILL.md has no text below its front matter.'

const describeLength = ({ slug }: Skill, length: number): RootContent[] => [
  paragraph(
    `The text is ${length} characters long; read it in `,
    linkTo('the SKILL.md', skillFilePath(slug, 'SKILL.md')),
    '.',
  ),
]

/** Longest HTML of a SKILL.md's text, in bytes: with all around it, no page is over 4 MB. */
const ABOUT_LIMIT = 2_500_000
/** A shorter text cannot exceed that: no sign of one becomes more than 24 bytes, with what its tables may grow by. */
const SURELY_FITS = 16_384

const fitsPage = (blocks: readonly RootContent[]): boolean =>
  Buffer.byteLength(renderBlocks(blocks).html) <= ABOUT_LIMIT

/** The text as it is shown: as the author set it, else as plain text; undefined where that is too long, too. */
const chooseAbout = (
  source: string,
  nodes: readonly RootContent[],
): readonly RootContent[] | undefined => {
  if (source.length <= SURELY_FITS || fitsPage(nodes)) return nodes
  const plain = [codeBlock(source, 'markdown')]
  return fitsPage(plain) ? plain : undefined
}

/** Words of a record; their places are those of no text of the page. */
const toWords = (text: string): RootContent[] =>
  JSON.parse(
    JSON.stringify(readTree(escapeMarkdown(text)).children, (key, value: unknown) =>
      key === 'position' ? undefined : value,
    ),
  ) as RootContent[]

const toCode = (names: string): RootContent[] => [
  listOf(names.split(', ').map((name) => [inlineCode(name)])),
]

/** Fields of a front matter that state a part, and how they are shown; one that names a mapping is found by `requires`. */
const STATED_FIELDS = [
  ['compatibility', 'prerequisites', toWords],
  ['metadata.requires.bins', 'prerequisites', toCode],
  ['metadata.openclaw.requires.bins', 'prerequisites', toCode],
  ['metadata.requires.env', 'prerequisites', toCode],
  ['metadata.openclaw.requires.env', 'prerequisites', toCode],
  ['argument-hint', 'inputs', (text: string) => [paragraph(inlineCode(text))]],
  ['when_to_use', 'whenToUse', toWords],
] as const satisfies readonly (readonly [
  keyof FrontMatter,
  PartName,
  (text: string) => RootContent[],
])[]

type StatedFields = Pick<FrontMatter, (typeof STATED_FIELDS)[number][0] | 'allowed-tools'>

/** The fields' names, and escapes before a line's first colon, which could spell them. */
const FIELD = /allowed-tools|compatibility|argument-hint|when_to_use|requires['"]?\s*:/
const ESCAPED_KEY = /^[^\n\r\u2028\u2029:]*\\/m

// Reading YAML costs as much as writing the page. In braces, names may stand behind a colon.
const mayState = (block: string): boolean =>
  FIELD.test(block) || (block.includes('\\') && (block.includes('{') || ESCAPED_KEY.test(block)))

const readBody = (text: string): { body: string; stated: StatedFields } => {
  try {
    const { body, block } = splitSkillMd(text)
    if (block === undefined) return { body: text, stated: {} }
    if (!mayState(block)) return { body: body, stated: {} }
    return { body: body, stated: parseFrontMatter(text) }
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    return { body: bodyOf(text), stated: {} }
  }
}

/** What its SKILL.md calls a skill, where that is not its slug and can be read. */
const findOtherName = ({ slug, files }: Skill, skillMd: Uint8Array): string | undefined => {
  const text = decodeLoosely(skillMd)
  // Reading YAML costs as much as writing the page, and nearly all have their slug there, plain.
  if (files.length === 0 || text.includes(`\nname: ${slug}\n`)) return undefined
  try {
    const name = parseFrontMatter(text).name?.trim()
    return name === slug ? undefined : name
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    return undefined
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

const stateFields = (fields: StatedFields): PartSource['frontMatter'] => {
  const stated: PartSource['frontMatter'] = {}
  for (const [field, part, show] of STATED_FIELDS) {
    const value = fields[field]
    if (value !== undefined) (stated[part] ??= []).push({ field, blocks: show(value) })
  }
  return stated
}

/** Splits a list of tools at blanks and commas outside of brackets: `Read, Bash(git log:*)`. */
const listTools = (text: string): string[] => text.match(/[^\s,()]+(?:\([^()]*\))?/g) ?? []

/** A SKILL.md read once: for its place in the page, and for the parts lifted out of it. */
interface SkillText {
  about: readonly RootContent[]
  source: PartSource
  /** The tools that its front matter asks for. */
  tools: readonly string[]
}

const readSkillText = (skill: Skill, skillMd: Uint8Array): SkillText => {
  const { body, stated } = readBody(decodeLoosely(skillMd))
  const isLong = body.length > GUEST_LIMIT
  const {
    source: read,
    blocks,
    nodes,
  } = hostGuest(isLong ? '' : body, {
    depth: ABOUT_DEPTH,
    takenAnchors: SKILL_ANCHORS,
    resolve: createSkillResolver(skill),
  })
  const about =
    (isLong ? undefined : chooseAbout(read, nodes)) ?? describeLength(skill, body.length)
  const source: PartSource = {
    slug: skill.slug,
    parts: skill.parts,
    ...findPassages({
      // Of a skill whose text is not here, the SKILL.md is ours.
      blocks: skill.files.length === 0 ? [] : blocks,
      skillName: normalizeHeading(skill.slug),
      description: skill.description,
    }),
    text: read,
    frontMatter: stateFields(stated),
    description: readDescription(skill.description, skill.parts.summary === undefined),
  }
  const tools = listTools(stated['allowed-tools'] ?? '')
  return { about: about.length > 0 ? about : [paragraph(EMPTY_ABOUT)], source, tools }
}

/** What the parts of a skill's page are derived from. */
export const readPartSource = (skill: Skill, skillMd: Uint8Array): PartSource =>
  readSkillText(skill, skillMd).source

/** The whole description, above what else starts the skill; it bears the anchors of the parts that it alone states. */
const withDescription = (
  { description }: Skill,
  described: readonly SectionPlan[],
  blocks: readonly RootContent[],
): RootContent[] => [
  paragraph(
    ...described.map(({ id }) => anchored('', id)),
    description.replace(/\s+/g, ' ').trim(),
  ),
  ...blocks,
]

const listNames = (plans: readonly SectionPlan[]): Words =>
  joinWords(plans, ({ id, heading }) => [anchored(heading, id)])

/**
 * Names in one sentence, which holds their anchors, the parts that no reading found and those that the text speaks of
 * without a passage that could be shown.
 */
const writeNotStated = (
  missing: readonly SectionPlan[],
  mentioned: readonly SectionPlan[],
  { files }: Skill,
): RootContent[] => {
  if (missing.length + mentioned.length === 0) return []
  const start =
    files.length === 0
      ? 'The SKILL.md is not here, and its description does not state: '
      : 'Not stated in the SKILL.md, as far as it was read: '
  const read =
    files.length === 0
      ? [linkTo('description', '#activation')]
      : [linkTo('text', '#about'), ' or description']
  return [
    paragraph(
      ...(missing.length === 0 ? [] : [start, ...listNames(missing)]),
      ...(mentioned.length === 0
        ? []
        : [
            missing.length === 0 ? 'Its ' : '; its ',
            ...read,
            ' may speak of these, but no passage was found to show: ',
            ...listNames(mentioned),
          ]),
      '.',
    ),
  ]
}

const describeSkill = ({ author, updated, licence, source, id, category }: Skill): Work => ({
  author,
  ...(updated !== undefined && { modified: updated }),
  ...(licence !== undefined && licence !== OTHER_LICENCE && { licence }),
  ...(source.kind === 'upstream' && { repository: source.url }),
  download: downloadPath(id),
  keywords: category,
})

/** The author's own summary with its links, unless it was cut. */
const writeLead = ({ summary, parts }: Pick<Skill, 'summary' | 'parts'>): Words => {
  const isCut = summary.endsWith('…') && !parts.summary?.endsWith('…')
  return parts.summary && !isCut ? hostLine(parts.summary) : [summary]
}

/** Writes the page of one skill, its sections in the order of the contract. */
export const writeSkillDocument = (input: SkillPageInput): Document => {
  const { skill, skillMd } = input
  const { about, source, tools } = readSkillText(skill, skillMd)
  const files = [{ path: SKILL_MD, bytes: skillMd }, ...(input.others ?? [])]
  const addressOf = createFileAddress(skill.slug, files)
  const parts = SKILL_SECTIONS.map(({ part }) => part && derivePart(part, source))
  highlightBlocks(about)
  const listEmpty = (...origins: string[]): SectionPlan[] =>
    SKILL_SECTIONS.filter(
      ({ part }, at) =>
        part !== 'activation' &&
        origins.includes(parts[at]?.origin ?? '') &&
        parts[at]?.blocks.length === 0,
    )
  const ours: Readonly<Record<string, readonly RootContent[]>> = {
    install: writeInstall(skill, input.site.origin, input.zip),
    'installation-directory': writeDirectory(skill, findOtherName(skill, skillMd)),
    'what-it-brings-and-needs': writeNeeds(skill, {
      skillMd: decodeLoosely(skillMd),
      tools,
      mentioned: input.mentioned ?? [],
      addressOf,
    }),
    findings: writeFindings(skill, input.site, addressOf),
    about,
    'how-it-compares': writeComparison(skill, input.comparison, input.site),
    'not-stated': writeNotStated(listEmpty('none'), listEmpty('mentioned'), skill),
  }
  const written = SKILL_SECTIONS.flatMap(({ id, heading, part }, at): Section[] => {
    const derived = parts[at] ?? { blocks: ours[id] ?? [], text: source.text }
    const blocks =
      part === 'activation'
        ? withDescription(skill, listEmpty('description'), derived.blocks)
        : derived.blocks
    if (blocks.length === 0) return []
    const lines = id === 'install' ? { lines: listInstallLines(skill, input.site.origin) } : {}
    return [{ id, heading, markdown: printWritten(blocks, derived.text), blocks, ...lines }]
  })
  const { sections, warnings } = containSections(skill, written)
  const notice = describeNotice(skill, input.original)
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
    work: describeSkill(skill),
    ...describeFacts(skill, input.site, input.zip),
    ...(isInstallable(skill) && skill.visibility !== 'gone' ? { pick: skill.slug } : {}),
    sections,
    parts: SKILL_SECTIONS.flatMap(({ part }, at) =>
      part && parts[at] && parts[at].blocks.length > 0 ? [part] : [],
    ),
    warnings,
  }
}

/** Says which file holds the text of a section that is shown as code. */
const describeEscape = (
  { slug, parts }: Pick<Skill, 'slug' | 'parts'>,
  { id, heading }: Section,
): Problem => {
  const { part } = SKILL_SECTIONS.find((section) => section.id === id) ?? {}
  const isStated = part !== undefined && parts[part] !== undefined
  return {
    file: `skills/${slug}/${isStated ? RECORD_FILE : SKILL_MD}`,
    field: isStated ? `parts.${part}` : '',
    remedy: `would add headings to the page or hide the next one, so "${heading}" is shown as code; simplify the headings, lists and HTML of this text`,
  }
}

const TOP_HEADING = /<h[12](?=[\s/>])[^\n]*/gi

/** Finds a heading that no text holds, so that no text can pretend to be what follows it. */
const chooseMark = (texts: readonly string[]): string => {
  let mark = 'end'
  while (texts.some((text) => text.includes(mark))) mark += '-end'
  return mark
}

/** Code as it is printed at the margin: it ends with the fence that it begins with. */
const FENCED = /^(`{3,})[^`\n]*\n(?:[^]*?\n)?\1$/gm

/** What a heading of depth 1 or 2, or a block that does not end by itself, could begin with. */
const MAY_BEGIN = /^(?:[^\S\n]|>|[-*+](?=\s)|\d{1,9}[.)](?=\s))*(?:#{1,2}(?!#)|<|```|~~~)/m

/** What could make a heading of the line above; joined to the other expression, the two take twice as long. */
const MAY_UNDERLINE = /[^\n]\n(?:[^\S\n]|>)*(?:=+|-+)\s*$/m

const mayBreakOut = (markdown: string): boolean => {
  const text = markdown.replace(FENCED, '')
  return MAY_BEGIN.test(text) || MAY_UNDERLINE.test(text)
}

/** Whether texts, each followed by a heading, have none of depth 1 or 2 of their own and end where they should. */
const areContained = (texts: readonly string[]): boolean => {
  // Nine pages of ten hold no such line, and reading a page again is a tenth of its time.
  if (!texts.some(mayBreakOut)) return true
  const mark = chooseMark(texts)
  const source = texts.map((text) => `${text}\n\n## ${mark}\n\n`).join('')
  const headings = markdownToHtml(source, { features: DIALECT }).html.match(TOP_HEADING) ?? []
  return (
    headings.length === texts.length && headings.every((heading) => heading === `<h2>${mark}</h2>`)
  )
}

/**
 * Sets every section as code whose Markdown has a heading of depth 1 or 2, or does not end before the heading
 * that follows it, with a warning for each.
 */
export const containSections = (
  skill: Pick<Skill, 'slug' | 'parts'>,
  sections: Section[],
): Required<Pick<Document, 'sections' | 'warnings'>> => {
  if (areContained(sections.map(({ markdown }) => String(markdown))))
    return { sections, warnings: [] }
  const escaping = sections.filter((section) => !areContained([String(section.markdown)]))
  return {
    sections: sections.map((section) =>
      escaping.includes(section)
        ? {
            ...section,
            markdown: printFence(String(section.markdown), 'markdown'),
            blocks: [codeBlock(String(section.markdown), 'markdown')],
          }
        : section,
    ),
    warnings: escaping.map((section) => describeEscape(skill, section)),
  }
}
