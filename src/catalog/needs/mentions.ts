import { dirname, join } from 'node:path/posix'
import type { FoundNames } from './found.ts'
import { addServer } from './shell.ts'
import { NO_SERVER, TO_FILL } from './tables.ts'

const SLUG = '[a-z0-9]{2,40}(?:-[a-z0-9]{1,40}){0,8}'
const LONG_SLUG = '[a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){1,8}'
/** A whole piece of code or of bold text, as a command or of a plugin too: `/plugin:sort-books`. */
const NAMED = new RegExp(`^[/$@]?(?:[a-z0-9-]{1,40}[:/])?(${SLUG})$`)
const OF_FOLDER = new RegExp(`(?:^|/)(${SLUG})/SKILL\\.md$|^\\.\\./(${LONG_SLUG})/`)
/** Words beside "skill" that name none. */
const POINTS = /^(?:this|that|the|each|every|any|other|another|which|your|our|new)$/
/** Skills in samples of paths. */
const SAMPLE = /^(?:skill|sibling)(?:-(?:name|[a-z]))?$/
/** A skill of a plugin, as a link: `/books:sort-books`. */
const OF_PLUGIN = new RegExp(`^/[a-z0-9-]{1,40}:(${SLUG})$`)
/** Words that say of what kind skills are: "the domain-specific skill". */
const KIND_OF_SKILL = new RegExp(
  `-(?:${[
    'specific|level|based|defined|wide|in|like|driven|related|oriented|aware|only|facing|party|ready|solving|focused',
    'quality|end|side|to|the|of|style|scoped|created|installed|local|step|provided|line|term|owned|centric|making|time',
  ].join(
    '|',
  )})$|^(?:sub|meta|non|pre|self|multi|cross|new|other|agent|ai|third|per|user|project|well|built|open)-`,
)
/** Words that may be the slug of a skill; the first can only be one. */
const IN_WORDS = [
  `\\b(?:the|see|use|load|invoke|dedicated|with|via|to) (${LONG_SLUG}) skill\\b`,
  `(?<!\\ban? )\\b(${LONG_SLUG})(?=\\s{1,9}skills?\\b)`,
  `["“'‘](${LONG_SLUG})["”'’]`,
  `\\w:(${LONG_SLUG})(?![\\w/-])`,
  `(?:→|->|=>|[([]|^\\s{0,12}[-*+])\\s?(${LONG_SLUG})(?![\\w/-]|\\.\\w)`,
  `\\b(?:see|use|with|via|and|or|to) (?:the )?(${LONG_SLUG})(?![\\w/-]|\\.\\w)`,
].map((pattern) => new RegExp(pattern, 'g'))
/** Descriptions send to other skills: `For films, use sort-films.` */
const IN_DESCRIPTION = new RegExp(`\\b(?:use|see) (?:the )?(${SLUG})(?= instead|[.,;)"]|$)`, 'g')
/** Heads a list of skills. */
const OF_SKILLS =
  /\b(?:related|companion|complementary|other|associated|adjacent|sibling|required|further|next)[- ]skills?\b|^skills$/i
const IS_AFTER = /^[`*\])]{0,3}(?:\([^)]{0,100}\))?['’]?s? skills?\b/i
const IS_BEFORE = /\bskills?:?\s[`*([]{0,3}$/i
const BEGINS_LINE = /^\s*(?:[-*+|]|\d+\.)\s*[`*[\]]*$/

const LED_TO = /^(?:→|->|=>)/
/** Whether a name begins with the same word as that of the skill. */
const isSibling = (name: string, found: FoundNames): boolean =>
  found.names.some((one) => {
    const first = one.split('-', 1)[0]!
    return first.length > 2 && first !== one && name.startsWith(`${first}-`)
  })

const add = (slug: string, isCertain: boolean, line: number, found: FoundNames): void =>
  found.add('skills', slug, line, isCertain ? { certain: true } : {})

const addPlain = (slug: string, isCertain: boolean, line: number, found: FoundNames): void =>
  add(slug, isCertain && !KIND_OF_SKILL.test(slug), line, found)

/** The folder of another skill that a path leads into, from a file of this one. */
export const readFolder = (path: string, from: string): string | undefined => {
  if (path.length > 200 || path.includes(':')) return undefined
  const [, named, beside] = OF_FOLDER.exec(join(dirname(from), path)) ?? []
  const name = named ?? beside ?? ''
  return name === '' || TO_FILL.test(name) || SAMPLE.test(name) ? undefined : name
}

/** The skill of a plugin that a link leads to. */
export const readPluginSkill = (href: string): string | undefined => OF_PLUGIN.exec(href)?.[1]

/** The surroundings of a name. */
interface Surroundings {
  before: string
  after: string
  heading: string
}

/** Takes a whole piece of code or of bold text that may be a skill's name; one word alone only where skills are named. */
export const takeName = (
  name: string,
  { before, after, heading }: Surroundings,
  line: number,
  found: FoundNames,
): void => {
  const slug = name.length > 100 ? undefined : NAMED.exec(name)?.[1]
  if (slug === undefined || POINTS.test(slug)) return
  const isBeside = IS_AFTER.test(after) || IS_BEFORE.test(before)
  const isListed = OF_SKILLS.test(heading) && BEGINS_LINE.test(before)
  if (slug.includes('-') || isBeside || isListed)
    add(slug, isListed || (isBeside && !/\ban? $/.test(before)), line, found)
}

/** Names beside arrows, and such as begin with a capital in places where names stand. */
const ARROW = /\s{0,3}(?:→|↔|⇄|[-=]>)\s{0,3}/
const CHAINED = /^[A-Za-z][\w-]{1,60}(?:\/[A-Za-z][\w-]{1,60}){0,4}/
const CHAINED_LAST = /[A-Za-z][\w-]{1,60}(?:\/[A-Za-z][\w-]{1,60}){0,4}$/
const PROPER = /^[A-Z][a-z]{2,30}$/
const IN_PLACE =
  /(?:[(|│/:,+]|\*\*|^#{1,6}|\b(?:for|from|to|with|by|in|via|and|or))\s{0,6}([A-Z][a-z]{2,30})\b(?!-)/g

/** Where skills are called by proper names, takes those; what stands beside the skill itself in a chain is one. */
const takeProper = (text: string, line: number, found: FoundNames): void => {
  for (const [, name = ''] of text.matchAll(IN_PLACE)) add(name, false, line, found)
  const parts = text.split(ARROW)
  if (parts.length === 1) return
  const chained = parts.flatMap((part, at) => {
    const first = at > 0 ? CHAINED.exec(part)?.[0] : undefined
    const last = at < parts.length - 1 ? CHAINED_LAST.exec(part)?.[0] : undefined
    return [first, last].flatMap((names) => names?.split('/') ?? [])
  })
  const isOfSkill = chained.some((name) => found.names.includes(name))
  for (const name of chained) if (PROPER.test(name)) add(name, isOfSkill, line, found)
}

/** Takes the names of skills in words. */
export const takeMentions = (text: string, line: number, found: FoundNames): void => {
  if (found.hasProperName) takeProper(text, line, found)
  if (!text.includes('-')) return
  for (const [at, pattern] of IN_WORDS.entries())
    for (const [whole, name = ''] of text.matchAll(pattern)) {
      const isCertain = at === 0 || (LED_TO.test(whole) && isSibling(name, found))
      addPlain(name, isCertain, line, found)
    }
}

export const takeDescription = (text: string, line: number, found: FoundNames): void => {
  takeMentions(text, line, found)
  takeServers(text, line, found)
  for (const [, name = ''] of text.matchAll(IN_DESCRIPTION))
    addPlain(name, name.includes('-'), line, found)
}

const TOOL_OF_SERVER = /\bmcp__([A-Za-z0-9-]{1,40}(?:_[A-Za-z0-9-]{1,40}){0,6})__[\w*]/g
const SERVER_IN_WORDS =
  /(?:\b((?:[A-Z][\w.-]{0,30} ){1,3})|[`*]{1,2}([\w .-]{2,40})[`*]{1,2} )MCP [Ss]erver\b/g

/** Takes the servers of the Model Context Protocol that words name: behind words that are no name. */
export const takeServers = (text: string, line: number, found: FoundNames): void => {
  for (const [, name = ''] of text.matchAll(TOOL_OF_SERVER)) addServer(name, line, found)
  for (const [, words = '', quoted = words] of text.matchAll(SERVER_IN_WORDS)) {
    const parts = quoted.trim().split(' ')
    const start = parts.findIndex((part) => !NO_SERVER.has(part.toLowerCase()))
    const last = parts.at(-1)!.toLowerCase()
    if (start >= 0 && !NO_SERVER.has(last)) addServer(parts.slice(start).join(' '), line, found)
  }
}
