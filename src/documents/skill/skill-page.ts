import { OTHER_LICENCE } from '../../catalog/skill.ts'
import { decodeLoosely } from '../../catalog/text.ts'
import { FrontMatterError, tryFrontMatter } from '../../catalog/front-matter.ts'
import type { FrontMatter } from '../../catalog/front-matter.ts'
import { PARTS, findPartOfHeading } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'
import { SKILL_MD, isInstallable, pageDayOf } from '../../catalog/skill.ts'
import type { Skill, SkillZip } from '../../catalog/skill.ts'
import { ABOUT_DEPTH, writeAbout } from './about.ts'
import { createFileAddress } from '../on-request/file.ts'
import type { SkillBytes } from '../on-request/file.ts'
import { describeCopies, writeComparison } from './comparison.ts'
import type { Comparison } from './comparison.ts'
import type { Document, Section } from '../document.ts'
import { describeNotice, writeByline, writeContact } from './facts.ts'
import type { SkillPageSite } from './facts.ts'
import { writeFindings } from './findings.ts'
import { EMPTY_HTML, html, joinHtml } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'
import { listInstallWays, writeDirectory, writeInstall } from './install.ts'
import { writeLabel } from './label-lines.ts'
import { createSkillResolver } from '../prose/links.ts'
import { codeSpan, joinBlocks, list, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'
import type { Mention } from '../../catalog/needs/found.ts'
import { listEvidence, showLine } from './needs.ts'
import { authorPath, downloadPath, skillPath } from '../paths.ts'
import { writeVersionRow } from './version-page.ts'
import type { CurrentVersion } from './version-page.ts'
import type { TextHeading } from '../prose/render.ts'

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
  /** The other skills that its text names. */
  mentioned?: readonly Mention[]
  /** Its current version, if that has a name. */
  version?: CurrentVersion | undefined
}

/** The sections of a page besides the parts, each before one of them. */
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

/** Writes words of a record; text between two backticks is code. */
const writeWords = (text: string): Markdown => {
  const line = showLine(text)
  let [written, at] = [md``, 0]
  for (const { index, 0: span, 1: code = '' } of line.matchAll(/`([^`]+)`/g)) {
    written = md`${written}${line.slice(at, index)}${codeSpan(code)}`
    at = index + span.length
  }
  return md`${written}${line.slice(at)}`
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

/** Writes the statement of the record or of the front matter about each part. */
const stateParts = (
  { parts, source }: Skill,
  front: FrontMatter,
): ReadonlyMap<PartName, Markdown> => {
  // In our own skills, the curator and the author are one.
  const whose = source.kind === 'own' ? md`` : md`Set by the curator.`
  const texts = new Map<PartName, Markdown>()
  for (const { name } of PARTS) {
    const own = parts[name]
    const fields = STATED_FIELDS.flatMap(([field, part, show]) => {
      const value = part === name ? showLine(front[field] ?? '') : ''
      return value === '' ? [] : [show(value)]
    })
    const stated = typeof own === 'string' ? writeWords(own) : own && list(own.map(writeWords))
    const text = joinBlocks(stated ? [stated, whose] : fields)
    if (String(text) !== '') texts.set(name, text)
  }
  return texts
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

/** Most headings of a SKILL.md in the contents of its page. */
const MOST_INNER = 20

/** The headings of the first level below the title of a text; without a title, those of the first level. */
const listInner = (headings: readonly TextHeading[]): Pick<TextHeading, 'id' | 'text'>[] => {
  const depths = [...new Set(headings.map(({ depth }) => depth))].sort((a, b) => a - b)
  const isTitled = headings.filter(({ depth }) => depth === depths[0]).length === 1
  const level = depths[isTitled ? 1 : 0]
  return headings
    .filter(({ depth }) => depth === level)
    .slice(0, MOST_INNER)
    .map(({ id, text }) => ({ id, text }))
}

/** Most similar skills beside a page. */
const MOST_NEAR = 4

const listNear = (
  { author, visibility }: Skill,
  { nearest }: Comparison,
): Pick<Document, 'near'> =>
  nearest.length === 0 || visibility === 'gone'
    ? {}
    : {
        near: {
          skills: nearest
            .slice(0, MOST_NEAR)
            .map(({ name, slug, task }) => ({ title: name, path: skillPath(slug), text: task })),
          author: { title: author, path: authorPath(author) },
        },
      }

/** Names the headings of the SKILL.md about each part, and the parts that are neither stated nor found there. */
const writeInSkillMd = (
  isStated: (part: PartName) => boolean,
  headings: readonly TextHeading[],
): Pick<Section, 'markdown' | 'html'> | undefined => {
  if (PARTS.every(({ name }) => isStated(name))) return undefined
  const byPart = sortHeadings(headings)
  const found = PARTS.filter(({ name }) => byPart.has(name))
  const others = PARTS.filter(({ name }) => !isStated(name) && !byPart.has(name))
  // A part without a section of its own has its anchor here.
  const nameOf = ({ name, id, heading }: (typeof PARTS)[number]): Html =>
    isStated(name) ? html`${heading}` : html`<span id="${id}">${heading}</span>`
  const rows = found.map(({ name, heading }) => {
    const places = byPart.get(name)!.map(({ text, line }) => `${text} (line ${line})`)
    return md`${heading}: ${places.join(', ')}`
  })
  const links = found.map((part, at) => {
    const places = byPart
      .get(part.name)!
      .map(({ text, id }, next) => html`${next > 0 ? ', ' : ''}<a href="#${id}">${text}</a>`)
    return html`${at > 0 ? ' · ' : ''}${nameOf(part)}: ${places}`
  })
  const names = others.map((part, at) => html`${at > 0 ? ', ' : ''}${nameOf(part)}`)
  const none = others.map(({ heading }) => heading).join(', ')
  return {
    markdown: joinBlocks([list(rows), none ? md`Not stated by its author: ${none}.` : md``]),
    html: joinHtml([
      found.length > 0 ? html`<p>${links}</p> ` : EMPTY_HTML,
      none ? html`<p class="quiet">Not stated by its author: ${names}.</p>` : EMPTY_HTML,
    ]),
  }
}

/** The description as a quotation, and who reads it. */
const writeDescription = ({ description, startedBy, files }: Skill): Markdown => {
  const isRead = startedBy !== 'user' && files.length > 0
  const who = isRead
    ? 'All that an agent reads until it starts the skill:'
    : 'No agent reads it by itself; its author describes it as:'
  return md`${who}\n\n> ${writeWords(description)}`
}

/** The structured data of a skill, without unknown values. */
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

const NOTHING_READ = md`Its files are not here, so they were not read.`

/** Writes the page of one skill, its sections in the order of the contract. */
export const writeSkillDocument = (input: SkillPageInput): Document => {
  const { skill, skillMd, zip, site, comparison } = input
  const text = decodeLoosely(skillMd)
  const read = tryFrontMatter(text)
  // Nothing is shown of a front matter that cannot be read.
  const front = read instanceof FrontMatterError ? {} : read
  const files = [{ path: SKILL_MD, bytes: skillMd }, ...(input.others ?? [])]
  const addressOf = createFileAddress(skill.slug, site.isStatic ? [] : files)
  const { mentioned = [] } = input
  const stated = stateParts(skill, front)
  const about = writeAbout(skill, text, createSkillResolver(skill, mentioned))
  // The SKILL.md of a skill whose text is not here is ours.
  const headings = skill.files.length === 0 ? [] : about.headings
  const isStated = (part: PartName) => part === 'activation' || stated.has(part)
  const named = front.name?.trim()
  const { version } = input
  const current = version && 'name' in version ? version : undefined
  const install = writeInstall(skill, site, zip, current?.name)
  const activation = joinBlocks([writeDescription(skill), stated.get('activation') ?? md``])
  const all: Readonly<Record<string, Omit<Section, 'id' | 'heading'> | undefined>> = {
    install: {
      markdown: joinBlocks([install.commands, install.below]),
      ...(install.more ? { more: install.more } : {}),
      install: { ways: listInstallWays(skill, site), below: install.below },
    },
    'installation-directory': {
      markdown: writeDirectory(
        skill,
        skill.files.length > 0 && named !== skill.slug ? named : undefined,
      ),
    },
    'what-it-brings-and-needs': {
      markdown: skill.files.length > 0 ? md`` : NOTHING_READ,
      rows: listEvidence(skill, {
        mentioned,
        addressOf,
        versions: version && writeVersionRow(skill, version),
      }),
    },
    findings: skill.findings.length > 0 ? writeFindings(skill, site, addressOf) : undefined,
    activation: { markdown: activation },
    'in-the-skill-md': writeInSkillMd(isStated, headings),
    about: { ...about.section, inner: listInner(headings) },
    'how-it-compares': writeComparison(skill, comparison, site),
  }
  // Of a withdrawn skill the page has no line to install it, and no word of its author's.
  const own: typeof all = skill.withdrawn ? {} : all
  const sections = SKILL_SECTIONS.flatMap(({ id, heading, part }): Section[] => {
    const words = part && stated.get(part)
    const section = own[id] ?? (words && { markdown: words })
    return section ? [{ id, heading, ...section }] : []
  })
  const contact = writeContact(skill, site, current?.name)
  if (String(contact) !== '') sections.push({ id: 'contact', markdown: contact })
  const notice = describeNotice(skill, input.original) ?? describeCopies(comparison)
  return {
    kind: 'skill',
    path: skillPath(skill.slug),
    heading: skill.name,
    lead: writeWords(skill.summary),
    isQuoted: skill.parts.summary === undefined,
    description: skill.summary,
    updated: pageDayOf(skill),
    isIndexable: skill.visibility !== 'gone',
    byline: writeByline(skill, site),
    ...(notice === undefined ? {} : { notice }),
    label: writeLabel(skill, { mentioned, change: current?.change }),
    category: skill.category,
    ...(skill.withdrawn ? {} : { work: describeWork(skill, site.origin) }),
    ...listNear(skill, comparison),
    facts: [],
    ...(isInstallable(skill) && skill.visibility !== 'gone' ? { pick: skill.slug } : {}),
    sections,
    parts: [...new Set([...stated.keys(), ...sortHeadings(headings).keys()])],
    unread: about.unread,
    warnings: about.warnings,
  }
}
