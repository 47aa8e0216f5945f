import { dirname, join } from 'node:path/posix'
import { isDenied, isExample } from './found.ts'
import type { FoundNames } from './found.ts'
import { addServer } from './shell.ts'
import { NO_SERVER, PLACEHOLDER_NAME } from './tables.ts'

const SLUG = '[a-z0-9]{2,40}(?:-[a-z0-9]{1,40}){0,8}'
const LONG_SLUG = '[a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){1,8}'
/** Inline code or bold text that is a skill's name, perhaps as a command or with a plugin: `/plugin:sort`. */
const SKILL_NAME = new RegExp(`^[/$@]?(?:[a-z0-9-]{1,40}[:/])?(${SLUG})$`)
/** A call of a skill: `Skill(books:sort-books)`. */
const CALLED = new RegExp(`^Skill\\((?:[a-z0-9-]{1,40}:)?(${SLUG})\\)$`)
const OF_FOLDER = new RegExp(`(?:^|/)(${SLUG})/SKILL\\.md$|^\\.\\./(${LONG_SLUG})/`)
/** Words next to "skill" that are not names. */
const DETERMINERS = /^(?:this|that|the|each|every|any|other|another|which|your|our|new)$/
/** Placeholder names in sample paths. */
const SAMPLE = /^(?:skill|sibling)(?:-(?:name|[a-z]))?$/
/** Adjectives before "skill": "the domain-specific skill". */
const KIND_OF_SKILL = new RegExp(
  `-(?:${[
    'specific|level|based|defined|wide|in|like|driven|related|oriented|aware|only|facing|party|ready|solving|focused',
    'quality|end|side|to|the|of|style|scoped|created|installed|local|step|provided|line|term|owned|centric|making|time',
  ].join(
    '|',
  )})$|^(?:sub|meta|non|pre|self|multi|cross|new|other|agent|ai|third|per|user|project|well|built|open)-`,
)
/** Patterns of words that can be a skill's slug. The first pattern matches only slugs. */
const IN_WORDS = [
  `\\b(?:the|see|use|load|invoke|dedicated|with|via|to) (${LONG_SLUG}) skill\\b`,
  `(?<!\\ban? )\\b(${LONG_SLUG})(?=\\s{1,9}skills?\\b)`,
  `["“'‘](${LONG_SLUG})["”'’]`,
  `\\w:(${LONG_SLUG})(?![\\w/-])`,
  `(?:→|->|=>|[([]|^\\s{0,12}[-*+])\\s?(${LONG_SLUG})(?![\\w/-]|\\.\\w)`,
  `\\b(?:see|use|with|via|and|or|to) (?:the )?(${LONG_SLUG})(?![\\w/-]|\\.\\w)`,
].map((pattern) => new RegExp(pattern, 'g'))
/** References to other skills in descriptions: `For films, use sort-films.` */
const IN_DESCRIPTION = new RegExp(`\\b(?:use|see) (?:the )?(${SLUG})(?= instead|[.,;)"]|$)`, 'g')
/** Headings of lists of skills. */
const OF_SKILLS =
  /\b(?:related|companion|complementary|other|associated|adjacent|sibling|required|further|next)[- ]skills?\b|^skills$/i
const IS_AFTER = /^[`*\])]{0,3}(?:\([^)]{0,100}\))?['’]?s? skills?\b/i
const IS_BEFORE = /(?<![\w-])skills?:?\s[`*([]{0,3}$/i
const BEGINS_LINE = /^\s*(?:[-*+|]|\d+\.)\s*[`*[\]]*$/

const AFTER_ARROW = /^(?:→|->|=>)/
/** Whether a name starts with the same word as the skill's own name. */
const isSibling = (name: string, found: FoundNames): boolean =>
  found.names.some((own) => {
    const first = own.split('-', 1)[0]!
    return first.length > 2 && first !== own && name.startsWith(`${first}-`)
  })

const add = (slug: string, isCertain: boolean, line: number, found: FoundNames): void =>
  found.add('skills', slug, line, isCertain ? { certain: true } : {})

const addPlain = (slug: string, isCertain: boolean, line: number, found: FoundNames): void =>
  add(slug, isCertain && !KIND_OF_SKILL.test(slug), line, found)

/** The other skill whose folder a path leads to, relative to the file `from`. */
export const readFolder = (path: string, from: string): string | undefined => {
  if (path.length > 200 || path.includes(':')) return undefined
  const [, named, beside] = OF_FOLDER.exec(join(dirname(from), path)) ?? []
  const name = named ?? beside ?? ''
  return name === '' || PLACEHOLDER_NAME.test(name) || SAMPLE.test(name) ? undefined : name
}

/** The text around a name. */
interface NameContext {
  before: string
  after: string
  heading: string
}

/** Adds inline code or bold text that can be a skill's name. A single word counts only where skills are named. */
export const addSkillName = (
  name: string,
  { before, after, heading }: NameContext,
  line: number,
  found: FoundNames,
): void => {
  if (name.length > 100) return
  const called = CALLED.exec(name)?.[1]
  if (called !== undefined) return add(called, true, line, found)
  const slug = SKILL_NAME.exec(name)?.[1]
  if (slug === undefined || DETERMINERS.test(slug)) return
  const isBeside = IS_AFTER.test(after) || IS_BEFORE.test(before)
  const isListed = OF_SKILLS.test(heading) && BEGINS_LINE.test(before)
  if (slug.includes('-') || isBeside || isListed)
    add(slug, isListed || (isBeside && !/\ban? $/.test(before)), line, found)
}

/** A quick test, which everything in IN_WORDS passes. */
const MAY_BE_SLUG = /[a-z\d]-[a-z\d]/

/** Adds the names of skills in prose. */
export const addMentions = (text: string, line: number, found: FoundNames): void => {
  if (!MAY_BE_SLUG.test(text)) return
  for (const [at, pattern] of IN_WORDS.entries()) {
    // Most texts have none: quick tests such as this one save .5 of 4.0 CPU s for 1,080 skills.
    if (text.search(pattern) < 0) continue
    for (const { 0: whole, 1: name = '', index } of text.matchAll(pattern)) {
      if (isExample(text, index)) continue
      const isCertain = at === 0 || (AFTER_ARROW.test(whole) && isSibling(name, found))
      addPlain(name, isCertain, line, found)
    }
  }
}

export const readDescription = (text: string, line: number, found: FoundNames): void => {
  addMentions(text.replaceAll('`', ''), line, found)
  addServers(text, line, found)
  for (const [, name = ''] of text.matchAll(IN_DESCRIPTION))
    addPlain(name, name.includes('-'), line, found)
}

const TOOL_OF_SERVER =
  /\bmcp__([A-Za-z0-9-]{1,40}(?:_[A-Za-z0-9-]{1,40}){0,6})__[\w*]|\bmcp_([a-z0-9]{2,40})_mcp_\w/g
const SERVER_IN_WORDS =
  /\b((?:[A-Z][\w.-]{0,30} ){1,3})MCP (?:[Ss]erver|tools?|connection)\b|[`*]{1,2}([\w .-]{1,39}\w)[`*]{1,2} MCP\b(?! [Tt]ool)(?: [Ss]erver\b)?|\b([a-z\d][a-z\d-]{1,30}-mcp) (?:MCP )?(?:[Ss]erver|tools)\b/g

/** Adds the MCP servers that prose names, without leading words that are not part of the name. */
export const addServers = (text: string, line: number, found: FoundNames): void => {
  for (const { 1: name, 2: inner = '', index } of text.matchAll(TOOL_OF_SERVER))
    if (!isDenied(text, index)) addServer(name ?? inner, line, found)
  for (const { 1: words = '', 3: named = words, 2: quoted = named, index } of text.matchAll(
    SERVER_IN_WORDS,
  )) {
    if (isDenied(text, index)) continue
    const parts = quoted.trim().split(' ')
    const start = parts.findIndex((part) => !NO_SERVER.has(part.toLowerCase()))
    const last = parts.at(-1)!.toLowerCase()
    if (start >= 0 && !NO_SERVER.has(last)) addServer(parts.slice(start).join(' '), line, found)
  }
}
