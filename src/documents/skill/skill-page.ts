import { OTHER_LICENCE } from '../../catalog/skill.ts'
import { decodeLoosely } from '../../catalog/text.ts'
import type { FrontMatter } from '../../catalog/front-matter.ts'
import type { runInTime } from '../../catalog/in-time.ts'
import { PARTS } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'
import { SKILL_MD, pageDayOf } from '../../catalog/skill.ts'
import type { Skill } from '../../catalog/skill.ts'
import { writeAbout } from './about.ts'
import { createFileAddress } from '../on-request/file.ts'
import type { SkillBytes } from '../on-request/file.ts'
import { writeComparison } from './comparison.ts'
import type { Comparison } from './comparison.ts'
import type { Document, Section } from '../document.ts'
import { writeContact } from './facts.ts'
import type { SkillPageSite } from './facts.ts'
import { writeHead } from './head.ts'
import { html } from '../prose/markup.ts'
import { writeInstall } from './install.ts'
import type { InstallContext } from './install.ts'
import { writeLabel } from './label-lines.ts'
import { createSkillResolver } from '../prose/links.ts'
import { md } from '../prose/md.ts'
import { bullets, inCode, joinPhrases, paragraphs, stacked } from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'
import type { Mention } from '../../catalog/needs/found.ts'
import { writeNotice } from './notice.ts'
import { downloadPath, skillPath } from '../paths.ts'
import type { TextHeading } from '../prose/render.ts'
import { showLine, showWords } from './words.ts'

export interface SkillPageInput extends Omit<InstallContext, 'statedName'> {
  skill: Skill
  /** The SKILL.md as it is in the zip: written by the author, or synthesized. */
  skillMd: Uint8Array
  /** The other files in the zip. */
  others?: readonly SkillBytes[]
  comparison: Comparison
  site: SkillPageSite
  /** The original, if this skill is a copy. */
  original?: Pick<Skill, 'slug' | 'name'> | undefined
  /** Other skills that the text of the skill names. */
  mentioned?: readonly Mention[]
  /** Replaces the bounded calls for the text, if the caller stops after `TEXT_TIME`. */
  call?: typeof runInTime
}

/** The sections that follow a part. */
const AFTER = { whenToUse: ['parts', 'about'], limitations: ['compared'] } as const

/** The sections of a page, in order. Parts of the record have the names of parts; the head has the activation. */
const ORDER = [
  'install',
  'label',
  ...PARTS.flatMap(({ name }) => {
    if (name === 'activation') return []
    return name in AFTER ? [name, ...AFTER[name as keyof typeof AFTER]] : [name]
  }),
  'contact',
] as const

const toCodeList = (names: string): Phrase =>
  bullets(names.split(/, ?/).flatMap((name) => (name === '' ? [] : [inCode(name)])))

/** Front matter fields that state a part, and how to write their values. */
const STATED_FIELDS: readonly (readonly [keyof FrontMatter, PartName, (text: string) => Phrase])[] =
  [
    ['compatibility', 'prerequisites', (text) => paragraphs(text)],
    ['metadata.requires.bins', 'prerequisites', toCodeList],
    ['metadata.openclaw.requires.bins', 'prerequisites', toCodeList],
    ['metadata.requires.env', 'prerequisites', toCodeList],
    ['metadata.openclaw.requires.env', 'prerequisites', toCodeList],
    ['argument-hint', 'inputs', (text) => paragraphs(inCode(text))],
  ]

/** Writes each part that the record or the front matter states. */
const stateParts = ({ parts, source, front = {} }: Skill): ReadonlyMap<PartName, Phrase> => {
  // The curator of a registry is also the author of its own skills.
  const note = source.kind === 'own' ? [] : [paragraphs('Set by the curator.')]
  const texts = new Map<PartName, Phrase>()
  for (const { name } of PARTS) {
    const part = parts[name]
    const fields = STATED_FIELDS.flatMap(([field, partName, show]) => {
      const value = partName === name ? showLine(front[field] ?? '') : ''
      return value === '' ? [] : [show(value)]
    })
    const stated =
      typeof part === 'string' ? paragraphs(showWords(part)) : part && bullets(part.map(showWords))
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

const COMPARED = { id: 'how-it-compares', heading: 'How it compares' }

/** Names the parts that the page lacks. In HTML, the sentence has their anchors. */
const nameMissing = (
  missing: readonly { id: string; heading: string }[],
  isWhole: boolean,
): Phrase => {
  const start = 'This registry has no summary of: '
  const end = isWhole ? '; the SKILL.md below is complete.' : '.'
  const words = missing.map(({ heading }) => heading.toLowerCase())
  const names = missing.map(
    ({ id }, at) => html`${at > 0 ? ', ' : ''}<span id="${id}">${words[at]}</span>`,
  )
  return {
    markdown: md`${start}${words.join(', ')}${end}`,
    html: html`<p class="quiet parts">${start}${names}${end}</p> `,
  }
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

/** Writes the page of a skill, with the sections in the order of the contract. */
export const writeSkillDocument = (input: SkillPageInput): Document => {
  const { skill, skillMd, zip, site, comparison, version, original, namesake } = input
  const text = decodeLoosely(skillMd)
  const files = [{ path: SKILL_MD, bytes: skillMd }, ...(input.others ?? [])]
  const addressOf = createFileAddress(skill.slug, site.isStatic ? [] : files)
  const { mentioned = [] } = input
  const stated = stateParts(skill)
  const about = writeAbout(skill, text, createSkillResolver(skill, mentioned), input.call)
  // If the registry does not have the text, it wrote the SKILL.md, whose headings say nothing.
  const headings = skill.files.length === 0 ? [] : about.headings
  const head = writeHead(skill, site, version)
  const notice = writeNotice(skill, { site, addressOf, original, comparison })
  const compared = writeComparison(skill, comparison, site)
  const missing = [
    ...PARTS.filter(
      ({ name }) => name !== 'activation' && !stated.has(name) && !head.states.includes(name),
    ),
    ...(compared ? [] : [COMPARED]),
  ]
  const name = skill.front?.name?.trim()
  const statedName = name !== skill.slug ? name : undefined
  const label = writeLabel(skill, mentioned, addressOf)
  const contact = writeContact(skill, site, version?.current.name)
  const texts: Partial<Record<(typeof ORDER)[number], Omit<Section, 'id'> & { id?: string }>> = {
    ...Object.fromEntries(
      PARTS.flatMap(({ name: part, id, heading }) => {
        const words = stated.get(part)
        return words ? [[part, { id, heading, form: 'brief', ...words }]] : []
      }),
    ),
    // The page of a withdrawn skill has no install command and none of the author's text.
    ...(skill.withdrawn
      ? {}
      : {
          install: {
            heading: 'Install',
            form: 'install',
            ...writeInstall(skill, site, { zip, version, namesake, statedName }),
          },
          ...(label ? { label: { form: 'label', ...label } } : {}),
          ...(missing.length > 0
            ? { parts: { form: 'bare', ...nameMissing(missing, about.isWhole) } }
            : {}),
          about: { heading: 'About', ...about.section, inner: listInner(headings) },
          ...(compared ? { compared: { ...COMPARED, form: 'bare', ...compared } } : {}),
        }),
    ...(contact.length > 0
      ? { contact: { form: 'bare', ...paragraphs(joinPhrases(contact, ' ')) } }
      : {}),
  }
  return {
    kind: 'skill',
    path: skillPath(skill.slug),
    heading: skill.name,
    lead: head.lead,
    isQuoted: skill.parts.summary === undefined,
    description: skill.summary,
    updated: pageDayOf(skill),
    isUnindexed: skill.visibility === 'gone',
    below: head.below,
    ...(notice === undefined ? {} : { notice }),
    category: skill.category,
    ...(skill.withdrawn ? {} : { work: describeWork(skill, site.origin) }),
    sections: ORDER.flatMap((id): Section[] => {
      const section = texts[id]
      return section ? [{ id, ...section }] : []
    }),
    unread: about.unread,
    warnings: about.warnings,
  }
}
