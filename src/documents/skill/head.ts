import { SKILL_MD } from '../../catalog/skill.ts'
import type { Skill } from '../../catalog/skill.ts'
import type { PartName } from '../../catalog/parts.ts'
import { readAddress } from '../../catalog/address.ts'
import {
  dropBold,
  showNumber,
  splitSentences,
  stripMarks,
  truncateAtWord,
} from '../../catalog/text.ts'
import { withLanguage } from '../language.ts'
import { showCount } from '../lists/entries.ts'
import { authorPath, categoryPath, skillFilePath, versionsPath } from '../paths.ts'
import { html } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'
import { md } from '../prose/md.ts'
import { aged, factLine, inStrong, linked, phrase, stacked } from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'
import { readLicenceWords, readOwner } from './facts.ts'
import type { SkillPageSite } from './facts.ts'
import type { CurrentVersion } from '../on-request/version.ts'
import { countFitting, showName, showWords } from './words.ts'

/** The sentences of a description that say when to use a skill, and when not, and the words that introduce them. */
const USES = {
  not: [
    /^(?:(?:do not|don['’]t|never) (?:use|trigger|load|activate|invoke)\b|not (?:for|when|if|intended|meant|suitable)\b|avoid (?:using|for|when)\b|for [^.]{3,80}\b(?:use|see) (?!this|it\b))/i,
    /^(?:(?:not(?: (?:intended|meant|suitable))? )?for|(?:do not|don['’]t|never) (?:use|trigger|load|activate|invoke)(?: (?:this skill|this|the skill|it))?(?: for)?):?\s+/i,
  ],
  when: [
    /^(?:also |always |must )?(?:be )?(?:used?|load|invoke|activates?|apply|triggers?)(?: (?:this|it|the))?(?: skill)?:? (?:when|if|for|on|before|after|include|proactively)|^triggers?\b|^when|^this skill should be used|^must be used/i,
    /^(?:(?:always |must )?(?:be )?(?:used?|load|invoke|activate|apply|trigger)(?: (?:this|it|the))?(?: skill)?|this skill should be used)?:?\s*(?:when(?:ever)?|for):?\s+/i,
  ],
} as const

/** What a description says about the use of a skill. */
interface Use {
  when: string
  not: string
  /** Whether the description says more than its summary and the other fields. */
  saysMore: boolean
}

const isSame = (a: string, b: string): boolean =>
  a.replace(/[.…]$/, '').toLowerCase() === b.replace(/[.…]$/, '').toLowerCase()

/** Longest sentences about the use of a skill before the fold, in characters. The first one is always there. */
const USE_LIMIT = 300

/**
 * Finds the sentences about the use of a skill in its description and in what its author states of its use. Those that
 * the summary already says are left out.
 */
export const readUse = (description: string, summary: string, stated = ''): Use => {
  const found: Record<keyof typeof USES | 'other', string[]> = { when: [], not: [], other: [] }
  const read = (text: string, other: 'other' | 'when'): void => {
    for (const sentence of splitSentences(dropBold(text))) {
      const kind = (['not', 'when'] as const).find((one) => USES[one][0].test(stripMarks(sentence)))
      const words =
        kind && found[kind].length === 0 ? sentence.replace(USES[kind][1], '') : sentence
      const isLead = [sentence, words].some((said) => isSame(stripMarks(said), summary))
      if (!isLead) found[kind ?? other].push(words)
    }
  }
  read(description, 'other')
  read(stated, 'when')
  const when = countFitting(found.when, ' ', USE_LIMIT)
  const not = countFitting(found.not, ' ', USE_LIMIT)
  return {
    when: found.when.slice(0, when).join(' '),
    not: found.not.slice(0, not).join(' '),
    saysMore: found.other.length > 0 || when < found.when.length || not < found.not.length,
  }
}

const marked = (words: Phrase, text: string): Html => withLanguage(words.html, text)

const anchor = (id: string | undefined): Html => (id ? html` id="${id}"` : html``)

/** Writes a line of the author's own words after a key. In Markdown it is a quotation. */
const writeUse = (key: string, text: string, keyId: string | undefined, id?: string): Phrase => {
  const words = showWords(text)
  return {
    markdown: md`> **${key}:** ${words.markdown}`,
    html: html`<p class="when" dir="auto"${anchor(id)}>
      <b${anchor(keyId)}>${key}</b> ${marked(words, text)}
    </p> `,
  }
}

/** Quotes the whole description, which HTML folds. */
const writeDescription = ({ description, parts, startedBy, files }: Skill): Phrase => {
  const isRead = startedBy !== 'user' && files.length > 0
  const words = showWords(description)
  const label = `The whole description${isRead ? ', by which agents decide' : ''}`
  const curated = parts.activation === undefined ? [] : [showWords(parts.activation)]
  return stacked([
    {
      markdown: md`${label}:\n\n> ${words.markdown}`,
      html: html`<details id="activation">
        <summary>${label}</summary>
        <p dir="auto">${marked(words, description)}</p>
        ${curated.map((line) => html`<p>${line.html}</p>`)}
      </details> `,
    },
    ...curated.map(({ markdown }) => ({ markdown, html: html`` })),
  ])
}

/** Names a source by host and repository, such as `github.com/ann/skills`. */
const nameSource = (url: string): string => {
  const { host, pathname } = new URL(readAddress(url).repository ?? url)
  return `${host}${pathname}`.replace(/\/$/, '')
}

const SOURCE_LIMIT = 80

const writeSource = ({ source, slug, withdrawn }: Skill): Phrase => {
  if (source.kind === 'own') {
    // The files of a withdrawn skill answer 410.
    const file = withdrawn ? [] : [phrase`, ${linked('source', skillFilePath(slug, SKILL_MD))}`]
    return phrase`written for this registry${file}`
  }
  const { status, committed, seen } = source
  const found = committed === undefined ? `seen ${seen}` : `commit of ${committed}`
  const state = status === 'gone' ? ', gone' : `, ${found}`
  return phrase`${linked(truncateAtWord(nameSource(source.url), SOURCE_LIMIT), source.url)}${state}`
}

const writeChange = ({ slug, updated }: Skill, version: CurrentVersion | undefined): Phrase => {
  if (updated === undefined) return phrase`last change not known`
  const isListed = version !== undefined && version.earlier.length > 0
  return phrase`changed ${isListed ? linked(aged(updated), versionsPath(slug)) : aged(updated)}`
}

const writeLicence = (skill: Skill): Phrase | undefined => {
  const words = readLicenceWords(skill)
  const isOfRepository = skill.source.kind === 'upstream' && !skill.statesLicence
  return words && phrase`${words.short}${isOfRepository ? ', of its repository' : ''}`
}

/** Writes the facts of a skill on one line: maker, source, last change, version, category, licence, tokens, owner. */
const writeByline = (
  skill: Skill,
  { isCounted }: SkillPageSite,
  version: CurrentVersion | undefined,
): Phrase => {
  const { author, category, installs, views, visibility, tokens, needs } = skill
  const name = inStrong(author)
  const owner = readOwner(skill)
  return factLine([
    // The author of a gone skill may have no page.
    phrase`by ${visibility === 'gone' ? name : linked(name, authorPath(author))}`,
    writeSource(skill),
    writeChange(skill, version),
    needs?.version !== undefined && phrase`version ${showName(needs.version)}`,
    linked(category, categoryPath(category)),
    writeLicence(skill),
    tokens !== undefined && phrase`${showNumber(tokens)} tokens`,
    owner && phrase`owned by ${owner.url ? linked(owner.name, owner.url) : owner.name}`,
    isCounted && phrase`${showCount(installs)} installs, ${showCount(views)} views`,
  ])
}

/**
 * Writes what a skill does, when to use it and when not, the whole description, and the line of facts; `states` are the
 * parts that they state.
 */
export const writeHead = (
  skill: Skill,
  site: SkillPageSite,
  version: CurrentVersion | undefined,
): { lead: Phrase; below: Phrase; states: (PartName | false)[] } => {
  const { summary, description, parts, whenToUse = '' } = skill
  const { when, not, saysMore } = readUse(description, summary, whenToUse)
  const isFolded = saysMore || parts.activation !== undefined
  // The first of these that is there has the anchor of the description.
  const [whenId, notId] = isFolded ? [] : when === '' ? [undefined, 'activation'] : ['activation']
  const isAll = !isFolded && when === '' && not === ''
  const lead = showWords(summary)
  return {
    lead: isAll ? { ...lead, html: html`<span id="activation">${lead.html}</span>` } : lead,
    below: stacked([
      when !== '' && writeUse('When', when, parts.whenToUse ? undefined : 'when-to-use', whenId),
      not !== '' &&
        writeUse('Not for', not, parts.whenNotToUse ? undefined : 'when-not-to-use', notId),
      isFolded && writeDescription(skill),
      writeByline(skill, site, version),
    ]),
    states: [when !== '' && 'whenToUse', not !== '' && 'whenNotToUse'],
  }
}
