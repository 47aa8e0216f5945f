import { OTHER_LICENCE } from '../../catalog/skill.ts'
import { decodeLoosely } from '../../catalog/text.ts'
import { FrontMatterError, tryFrontMatter } from '../../catalog/front-matter.ts'
import type { FrontMatter } from '../../catalog/front-matter.ts'
import { PARTS } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'
import { SKILL_MD, pageDayOf } from '../../catalog/skill.ts'
import type { Skill, SkillZip } from '../../catalog/skill.ts'
import { writeAbout } from './about.ts'
import { createFileAddress } from '../on-request/file.ts'
import type { SkillBytes } from '../on-request/file.ts'
import { describeCopies, writeComparison } from './comparison.ts'
import type { Comparison } from './comparison.ts'
import type { Document, Section } from '../document.ts'
import { describeNotice, writeByline, writeContact } from './facts.ts'
import type { SkillPageSite } from './facts.ts'
import { writeFindings } from './findings.ts'
import { html } from '../prose/markup.ts'
import { listInstallWays, writeDirectory, writeInstall } from './install.ts'
import { writeLabel } from './label-lines.ts'
import { createSkillResolver } from '../prose/links.ts'
import { joinBlocks, md } from '../prose/md.ts'
import {
  bullets,
  inCode,
  joinPhrases,
  paragraphs,
  phrase,
  quoted,
  stacked,
} from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'
import type { Mention } from '../../catalog/needs/found.ts'
import { listEvidence, showLine } from './needs.ts'
import { authorPath, downloadPath, skillPath } from '../paths.ts'
import { describeChanges, writeVersionRow } from './version-page.ts'
import type { CurrentVersion } from './version-page.ts'
import type { TextHeading } from '../prose/render.ts'

interface SkillPageInput {
  skill: Skill
  /** The SKILL.md as it is in the zip: written by the author, or synthesized. */
  skillMd: Uint8Array
  /** The zip, if it was packed. */
  zip?: SkillZip | undefined
  /** The other files in the zip. */
  others?: readonly SkillBytes[]
  comparison: Comparison
  site: SkillPageSite
  /** The original, if this skill is a copy. */
  original?: Pick<Skill, 'slug' | 'name'> | undefined
  /** Another skill with the same name. */
  namesake?: Pick<Skill, 'slug' | 'author'> | undefined
  /** Other skills that the text of the skill names. */
  mentioned?: readonly Mention[]
  /** The current version, if the registry promises versions. */
  version?: CurrentVersion | undefined
}

/** The sections of a page besides the parts. Each comes before the part `before`. */
const OWN_SECTIONS = [
  { id: 'install', heading: 'Install', before: 'activation' },
  { id: 'installation-directory', heading: 'Installation directory', before: 'activation' },
  { id: 'what-it-brings-and-needs', heading: 'What it brings and needs', before: 'activation' },
  { id: 'findings', heading: 'Findings', before: 'activation' },
  { id: 'parts', before: 'whenNotToUse' },
  { id: 'about', heading: 'About', before: 'whenNotToUse' },
  { id: 'how-it-compares', heading: 'How it compares', before: 'examples' },
] as const satisfies readonly { id: string; heading?: string; before: PartName }[]

/** All sections that a skill page can have, in order. */
const SKILL_SECTIONS: readonly { id: string; heading?: string; part?: PartName }[] = PARTS.flatMap(
  ({ id, heading, name }) => [
    ...OWN_SECTIONS.filter(({ before }) => before === name),
    { id, heading, part: name },
  ],
)

/** Writes plain text from a record or a description; text between two backticks is code. */
const writeWords = (text: string): Phrase => {
  const line = showLine(text)
  let [written, at] = [phrase``, 0]
  for (const { index, 0: span, 1: code = '' } of line.matchAll(/`([^`]+)`/g)) {
    written = phrase`${written}${line.slice(at, index)}${inCode(code)}`
    at = index + span.length
  }
  return phrase`${written}${line.slice(at)}`
}

const toCodeList = (names: string): Phrase =>
  bullets(names.split(/, ?/).flatMap((name) => (name === '' ? [] : [inCode(name)])))

/** Front matter fields that state a part, and how to write their values. */
const STATED_FIELDS: readonly (readonly [keyof FrontMatter, PartName, (text: string) => Phrase])[] =
  [
    ['compatibility', 'prerequisites', (text) => paragraphs(phrase`${text}`)],
    ['metadata.requires.bins', 'prerequisites', toCodeList],
    ['metadata.openclaw.requires.bins', 'prerequisites', toCodeList],
    ['metadata.requires.env', 'prerequisites', toCodeList],
    ['metadata.openclaw.requires.env', 'prerequisites', toCodeList],
    ['argument-hint', 'inputs', (text) => paragraphs(inCode(text))],
    ['when_to_use', 'whenToUse', (text) => paragraphs(phrase`${text}`)],
  ]

/** Writes each part that the record or the front matter states. */
const stateParts = (
  { parts, source }: Skill,
  front: FrontMatter,
): ReadonlyMap<PartName, Phrase> => {
  // The curator of a registry is also the author of its own skills.
  const note = source.kind === 'own' ? [] : [paragraphs(phrase`Set by the curator.`)]
  const texts = new Map<PartName, Phrase>()
  for (const { name } of PARTS) {
    const part = parts[name]
    const fields = STATED_FIELDS.flatMap(([field, partName, show]) => {
      const value = partName === name ? showLine(front[field] ?? '') : ''
      return value === '' ? [] : [show(value)]
    })
    const stated =
      typeof part === 'string'
        ? paragraphs(writeWords(part))
        : part && bullets(part.map(writeWords))
    const blocks = stated ? [stated, ...note] : fields
    if (blocks.length > 0) texts.set(name, stacked(blocks))
  }
  return texts
}

/** The table of contents has at most this many headings of a SKILL.md. */
const MOST_INNER = 20

/** Lists the headings one level below the title of a text, or the top level if the text has no title. */
const listInner = (headings: readonly TextHeading[]): Pick<TextHeading, 'id' | 'text'>[] => {
  const depths = [...new Set(headings.map(({ depth }) => depth))].sort((a, b) => a - b)
  const isTitled = headings.filter(({ depth }) => depth === depths[0]).length === 1
  const level = depths[isTitled ? 1 : 0]
  return headings
    .filter(({ depth }) => depth === level)
    .slice(0, MOST_INNER)
    .map(({ id, text }) => ({ id, text }))
}

/** At most this many similar skills are listed beside a page. */
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

/** Names the parts that have no section of their own. In HTML, the sentence has their anchors. */
const nameOthers = (
  isStated: (part: PartName) => boolean,
  isWhole: boolean,
): Pick<Section, 'markdown' | 'html'> | undefined => {
  const others = PARTS.filter(({ name }) => !isStated(name)).map(({ id, heading }) => ({
    id,
    words: heading.toLowerCase(),
  }))
  if (others.length === 0) return undefined
  const start = 'This registry has no summary of: '
  const end = isWhole ? '; the SKILL.md below is complete.' : '.'
  const names = others.map(
    ({ id, words }, at) => html`${at > 0 ? ', ' : ''}<span id="${id}">${words}</span>`,
  )
  return {
    markdown: md`${start}${others.map(({ words }) => words).join(', ')}${end}`,
    html: html`<p class="quiet">${start}${names}${end}</p> `,
  }
}

/** Quotes the description, and says whether agents read it. */
const writeDescription = ({ description, startedBy, files }: Skill): Phrase => {
  const isRead = startedBy !== 'user' && files.length > 0
  const who = isRead
    ? 'Agents read only this until they use the skill:'
    : 'Agents do not start this skill by themselves. Its author’s description:'
  return stacked([paragraphs(phrase`${who}`), quoted(writeWords(description))])
}

/** Describes a skill for structured data. */
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

const NOTHING_READ = md`The registry has no copy of its files, so they were not read.`

/** Writes the page of a skill, with the sections in the order of the contract. */
export const writeSkillDocument = (input: SkillPageInput): Document => {
  const { skill, skillMd, zip, site, comparison } = input
  const text = decodeLoosely(skillMd)
  const read = tryFrontMatter(text)
  // An invalid front matter counts as empty.
  const front = read instanceof FrontMatterError ? {} : read
  const files = [{ path: SKILL_MD, bytes: skillMd }, ...(input.others ?? [])]
  const addressOf = createFileAddress(skill.slug, site.isStatic ? [] : files)
  const { mentioned = [] } = input
  const stated = stateParts(skill, front)
  const about = writeAbout(skill, text, createSkillResolver(skill, mentioned))
  // If the registry does not have the text, it wrote the SKILL.md, whose headings say nothing.
  const headings = skill.files.length === 0 ? [] : about.headings
  const isStated = (part: PartName) => part === 'activation' || stated.has(part)
  const statedName = front.name?.trim()
  const { version } = input
  const install = writeInstall(skill, site, zip, {
    version: version?.current.name,
    namesake: input.namesake,
  })
  const activation = stacked([writeDescription(skill), ...[stated.get('activation') ?? []].flat()])
  const all: Readonly<Record<string, Omit<Section, 'id' | 'heading'> | undefined>> = {
    install: {
      markdown: joinBlocks([install.commands, install.below]),
      folded: install.folded,
      install: { ways: listInstallWays(skill, site), below: install.below },
    },
    'installation-directory': {
      markdown: writeDirectory(
        skill,
        skill.files.length > 0 && statedName !== skill.slug ? statedName : undefined,
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
    activation,
    parts: nameOthers(isStated, about.isWhole),
    about: { ...about.section, inner: listInner(headings) },
    'how-it-compares': writeComparison(skill, comparison, site),
  }
  // The page of a withdrawn skill has no install command and none of the author's text.
  const shown: typeof all = skill.withdrawn ? {} : all
  const sections = SKILL_SECTIONS.flatMap(({ id, heading, part }): Section[] => {
    const words = part && stated.get(part)
    const section = shown[id] ?? words
    return section ? [{ id, ...(heading === undefined ? {} : { heading }), ...section }] : []
  })
  const contact = writeContact(skill, site, version?.current.name)
  if (contact.length > 0) sections.push({ id: 'contact', ...paragraphs(joinPhrases(contact, ' ')) })
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
    label: writeLabel(skill, { mentioned, changed: describeChanges(version) }),
    category: skill.category,
    ...(skill.withdrawn ? {} : { work: describeWork(skill, site.origin) }),
    ...listNear(skill, comparison),
    facts: [],
    sections,
    unread: about.unread,
    warnings: about.warnings,
  }
}
