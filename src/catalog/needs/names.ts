import { dirname, join } from 'node:path/posix'
import { eachPlace } from './passages.ts'
import type { PassageReader } from './passages.ts'

/** Labels of sample hosts, which nobody asks. */
const NO_LABEL =
  /^(?:example.*|.*-example|your.*|my(?:[-_].*|app|site|domain|store|shop|company|org|bucket|server|host|account|project|cluster|instance|team|workspace|registry|service|api|blog|website|db|proxy|vault|resource|function|tenant|image|index)?|.+-(?:url|id|name|domain|host|placeholder)|placeholder|foo|bar|baz|acme.*|contoso.*|fabrikam.*|northwind|tenant|account|subdomain|yourdomain|domain|hostname|(?:.*-)?x{2,}|some|somewhere|abc\d*|xyz|username|dummy|sample.*|mycompany|evil|attacker.*|malicious.*)$/

/** Names before an ending that stand for any. */
const NO_NAME =
  /^(?:company|site|website|server|service|product|brand|client|customer|competitor.*|rival.*|url|cdn|target|vendor|corp|corporation|startup|store|shop|blog|email|host|org|app|page|link|image|images|a|b|c|x|y|test|old|new|public|internal|production|staging|instance|(?:site|domain)\d+|some-.*|external(?:-(?:api|vendor|service|site|server|system))?|custom-(?:endpoint|domain|host|api|server))$/

/** Hosts of names that are no addresses, and endings for tests. */
const NO_HOST =
  /^(?:(?:www\.)?w3\.org|(?:www\.)?schema\.org|schemas?\..*|json-schema\.org|purl\.org|ogp\.me)$/
const NO_ENDING = /^(?:example|test|invalid|local|localhost|internal|lan|home|corp|svc)$/

/** Words before an address that names a language or a schema and is never asked. */
const IS_NAMING =
  /xmlns|schema"?\s?[=:]|schemaLocation|"\$id"|@context|@link\(|DOCTYPE|setFeature\(|namespace/i

const HOST = /[\w.-]{1,253}/y
const IS_HOST = /^(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,24}$/
/** Bare addresses, but for those that are reached from inside alone and those of samples (RFC 1918, RFC 5737). */
const IS_ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
const NO_ADDRESS =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|192\.0\.2|198\.51\.100|203\.0\.113|25[0-5])\.|^1\.2\.3\.4$/
const SAMPLE_PATH =
  /(?::\d{2,5})?\/(?:@|in\/|company\/|user\/)?(?:example|your|my[-_]|acme|username\b|handle\b|owner\/|org\/|xxx|project\b|repo\b|paper\b|10\.1234)|(?::\d{2,5})?\/(?:[\w.~-]{1,40}\/){0,3}(?:your[-_]|you\/)/iy

/**
 * Reads the host of an http address whose `://` stands at a place; undefined of sample hosts and sample pages,
 * of names of XML and of what is no host.
 */
export const readHost = (text: string, at: number): string | undefined => {
  if (!text.startsWith('http', at - 4) && !text.startsWith('https', at - 5)) return undefined
  HOST.lastIndex = at + 3
  const host = (HOST.exec(text)?.[0] ?? '').toLowerCase().replace(/[.-]{1,3}$/, '')
  const isAddress = IS_ADDRESS.test(host)
  if (isAddress ? NO_ADDRESS.test(host) : !IS_HOST.test(host)) return undefined
  const end = at + 3 + host.length
  // A name and a password, or a part that is to be filled in.
  if (/[@{<[$%(]/.test(text.charAt(end))) return undefined
  if (isAddress) return host
  const labels = host.split('.')
  const ending = labels.pop() ?? ''
  if (NO_ENDING.test(ending) || NO_HOST.test(host)) return undefined
  if (NO_NAME.test(labels.at(-1) ?? '') || labels.some((label) => NO_LABEL.test(label)))
    return undefined
  SAMPLE_PATH.lastIndex = end
  if (SAMPLE_PATH.test(text)) return undefined
  const before = text.slice(Math.max(0, at - 80), at)
  return IS_NAMING.test(before.slice(before.lastIndexOf('\n') + 1)) ? undefined : host
}

/** The folders above the files of a skill, and the files. */
const listPlaces = (paths: Iterable<string>): Set<string> => {
  const places = new Set<string>()
  // Half of all computers do not tell `References/` from `references/`.
  for (const path of [...paths].map((one) => one.toLowerCase())) {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
      places.add(path.slice(0, end))
  }
  return places
}

/** An address with a scheme, of the same page, of a host's root, or one that is to be filled in. */
const NO_FILE =
  /^(?:[a-z][a-z0-9+.-]{0,20}:|#|\/|\?|\{|\$|<|%|@|\.{3}$|…|url$|link$|path$)|[{}*|]|\.\.\.|^[^\w.]*$|(?:^|\/)(?:script|file)[-_]?name\./i

/** The folders in which skills keep their own files, at the end of what stands before a slash. */
const OWN_FOLDERS = 'scripts|references|assets|templates|agents'
const OWN_FOLDER = new RegExp(String.raw`(?:^|[^\w./-]|[^\w.]\/|\.\/|\}\/)(${OWN_FOLDERS})$`)
const OF_ROOT = new RegExp(`^(?:\\./)?(?:${OWN_FOLDERS})/`)
const OWN_FOLDER_REACH = 80
const OWN_FILE = /(?:\/[\w.-]{1,80}){0,5}\/[\w-]{1,80}(?:\.[a-z]\w{0,12}){1,3}\b(?![*{<])/y

/** A sign that Markdown would read without its backslash: `a\_b.md`. */
const ESCAPED = /\\([_*.()[\]#~-])/g

/** The files of a skill, which tell what of its links and paths leads nowhere. */
export class OwnFiles {
  readonly #paths: readonly string[]
  #places: ReadonlySet<string> | undefined
  /** What stands before a slash where the path is told from above the skill: `skills/sort-books/scripts`. */
  readonly #ofOwnName: RegExp

  constructor(names: readonly string[], paths: readonly string[]) {
    this.#paths = paths
    const any = names.map((name) => name.replace(/[^\w-]/g, '\\$&')).join('|')
    this.#ofOwnName = new RegExp(`/(?:${any})/(${OWN_FOLDERS})$`)
  }

  #has(path: string): boolean {
    this.#places ??= listPlaces(this.#paths)
    return this.#places.has(path.toLowerCase().replace(/^\.\//, ''))
  }

  /** The path, from the skill's folder, of a link to a file that the skill does not have. */
  findStrayLink(href: string, from: string): string | undefined {
    if (NO_FILE.test(href)) return undefined
    let path: string
    try {
      path = decodeURIComponent(href.replace(ESCAPED, '$1').split(/[?#]/, 1)[0] ?? '')
    } catch {
      return undefined
    }
    // A word alone is a place to be filled in.
    if (!/[./]/.test(path)) return undefined
    const inside = join(dirname(from), path).replace(/\/$/, '')
    // References name each other from the skill's root as well.
    if (inside === '.' || this.#has(inside) || this.#has(path)) return undefined
    return OF_ROOT.test(path) ? path.replace(/^\.\//, '') : inside
  }

  /** The path around a slash that follows one of a skill's own folders, where the skill does not bring that file. */
  findStrayPath(text: string, at: number, from: string): string | undefined {
    const before = text.slice(Math.max(0, at - OWN_FOLDER_REACH), at)
    const [, folder] = OWN_FOLDER.exec(before) ?? this.#ofOwnName.exec(before) ?? []
    if (folder === undefined) return undefined
    // `film-sort`'s `references/films.md` lies with that skill.
    if (/`['’]s\s+`$/.test(text.slice(Math.max(0, at - 20), at - folder.length))) return undefined
    OWN_FILE.lastIndex = at
    const rest = OWN_FILE.exec(text)?.[0]
    if (rest === undefined) return undefined
    const path = folder + rest
    const beside = from.slice(0, from.lastIndexOf('/') + 1) + path
    return NO_FILE.test(path) || this.#has(path) || this.#has(beside) ? undefined : path
  }
}

/** A name in a text, and where it stands. */
interface PlacedName {
  name: string
  at: number
}

/** Of two words or more: in a sentence, one word alone is a name only between marks. */
const LONG_NAME = '[a-z][a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){1,8}'

/** `use the sort-books skill`: a name without marks, which a verb or a preposition before it tells from an adjective. */
const PLAIN_BEFORE = new RegExp(
  String.raw`\b(?:[Uu]s(?:e|ing)|[Ss]ee|[Ll]oad|[Ii]nvoke|[Rr]un|[Cc]all|[Tt]ry|[Ww]ith|via|from|to|by|[Aa]ctivate|[Ff]ollow|[Pp]refer)(?: the)? (${LONG_NAME}) $`,
)

/** What makes an adjective of words with a hyphen: `a domain-specific skill`. */
const IS_ADJECTIVE =
  /-(?:based|specific|level|related|driven|ready|scoped|focused|invocable|provided|side|time|wide|like|only|first|powered|facing|enabled|quality|purpose|created|generated|installed|named|called|in|up|on|off|party|source|aware|agnostic|defined|made|grade|party|step|class|known|written|local|global|new|end|to-end)$|^(?:third|single|multi|non|self|cross|well|pre|re|co|user|project|newly|high|low|general|sub|built|first|end|open|team|company|global|local|existing|most|other|one|two|three)-/

/** The name of a skill before a place where the word "skill" begins. */
const readPlainName = (text: string, from: number): PlacedName | undefined => {
  const word = text.lastIndexOf(' ', from - 2)
  // Most words before it have no hyphen.
  if (text[from - 1] !== ' ' || text.lastIndexOf('-', from) <= word) return undefined
  const start = Math.max(0, word - 20)
  const [all = '', name] = PLAIN_BEFORE.exec(text.slice(start, from)) ?? []
  if (name === undefined || IS_ADJECTIVE.test(name)) return undefined
  return { name, at: from - all.length + all.lastIndexOf(name) }
}

/** A heading or a label below which other skills are listed. */
const LISTS_SKILLS =
  /^(?:#{2,6}[ \t]+|[ \t>]*(?:[-*+][ \t]+)?\*\*)\W{0,6}(?:re-?us(?:e|ing) |us(?:e|ing) )?(?:related|companion|complementary|connected|adjacent|sibling|other|integration with other|integrates? with|works with|pairs with|see also:?)\b[^\n]{0,30}\bskills?\b[^\n]{0,20}$/i

/** What an item of such a list, or a row of such a table, begins with: a name between marks. */
const LISTED =
  /^[ \t]{0,8}(?:[-*+]|\d{1,2}[.)]|\|)[ \t]{0,20}(?:\*\*\[?`?|`|\[`?)\/?([a-z][a-z0-9]{1,40}(?:-[a-z0-9]{1,40}){0,8})(?:\*\*|`|\]|:\*\*)/

/** Lines of such a list that are read. */
const LINES = 60

/** `Related skills: ` and a sentence about them. */
const NAMES_SKILLS = /^(?:\*\*)?(?:related|companion|complementary|other) skills?\b[^\n]{0,3}:/i
const MARKED = new RegExp(`\x60(${LONG_NAME})\x60`, 'g')
const PARAGRAPH = 1_500

/** Lists the skills below a heading that says so and holds the word at a place. */
const listRelated = (text: string, at: number): PlacedName[] => {
  const start = text.lastIndexOf('\n', at) + 1
  if (!/[#>*\sRrCcOo-]/.test(text.charAt(start))) return []
  if (at - start < 20 && NAMES_SKILLS.test(text.slice(start, start + 60))) {
    const [said = ''] = text.slice(start, start + PARAGRAPH).split(/\n\s*\n/, 1)
    return Array.from(said.matchAll(MARKED), ({ 1: name = '', index }) => ({
      name,
      at: start + index + 1,
    }))
  }
  const end = text.indexOf('\n', at)
  if (end < 0 || end - start > 100 || !LISTS_SKILLS.test(text.slice(start, end))) return []
  const places: PlacedName[] = []
  let from = end + 1
  for (let count = 0; count < LINES && from < text.length; count += 1) {
    const next = text.indexOf('\n', from)
    const line = text.slice(from, next < 0 ? text.length : Math.min(next, from + 160))
    if (/^#{1,6} |^```/.test(line)) break
    const [all, name] = LISTED.exec(line) ?? []
    if (all !== undefined && name !== undefined)
      places.push({ name, at: from + all.lastIndexOf(name) })
    // Words end a list; what introduces it does not.
    else if (places.length > 0 && /^\S/.test(line) && !/^[-*+|>\d]/.test(line)) break
    if (next < 0) break
    from = next + 1
  }
  return places
}

/** `For films, see film-sort.`, as descriptions send elsewhere. */
const SENT = new RegExp(
  String.raw`\b(?:see|use) (?:the )?["'\x60]?(${LONG_NAME})["'\x60]?(?: instead)?(?=[.;,)]|\s*$|["'] ?$)`,
  'gim',
)

/** Lists the skills that a description sends to. */
const listSentTo = (frontMatter: string): PlacedName[] =>
  Array.from(frontMatter.matchAll(SENT), ({ 0: all, 1: name = '', index }) => ({
    name,
    at: index + all.indexOf(name),
  })).filter(({ name }) => !IS_ADJECTIVE.test(name))

const SKILL_NAME = '[a-z0-9][a-z0-9-]{1,60}(?::[a-z0-9-]{2,60})?'
const BEFORE_SKILL = new RegExp(`(?:\`|\\*\\*|")(${SKILL_NAME})(?:\`|\\*\\*|") $`)
const AFTER_SKILL = new RegExp(
  `s?:?\\s\`(${SKILL_NAME})\`|s/([a-z0-9][a-z0-9-]{1,60})/SKILL\\.md`,
  'y',
)
const BESIDE = /\.\.\/([a-z0-9][a-z0-9-]{1,60})$/
/** A skill that somebody might write, and no other one. */
const OF_ANY = /\b(?:an?|e\.g\.|example|named?|called|like)\b[^.\n]{0,30}$/i

/** Words in marks beside "skill" that name none: fields, and ways to speak of the skill itself. */
const NO_SKILL = new Set(
  `this the that a an any each every new my your our agent claude custom other same which name description version
  license allowed-tools metadata model context user-invocable disable-model-invocation hooks arguments skill skills
  skill-name my-skill your-skill example-skill name-of-skill test none true false`.split(/\s+/),
)

/** Lists the names beside a place where the word "skill" begins with its second letter. */
const listBeside = (text: string, at: number): PlacedName[] => {
  const from = at - 1
  if (text[from] !== 's' && text[from] !== 'S') return []
  const names = listRelated(text, at)
  const plain = readPlainName(text, from)
  if (plain) names.push(plain)
  AFTER_SKILL.lastIndex = at + 4
  const [, after, inPath] = AFTER_SKILL.exec(text) ?? []
  const isMarked = text[from - 1] === ' ' && /[`*"]/.test(text.charAt(from - 2))
  const start = Math.max(0, from - 130)
  const before = isMarked ? BEFORE_SKILL.exec(text.slice(start, from)) : null
  const name = before?.[1] ?? after ?? inPath
  if (name === undefined) return names
  const place = before ? start + before.index : from
  const isAny = OF_ANY.test(text.slice(Math.max(0, place - 60), place + 1))
  return inPath === undefined && isAny ? names : [...names, { name, at: place }]
}

/** Lists the other skills that a Markdown text names. */
export const listOtherSkills = (read: PassageReader): PlacedName[] => {
  const { text } = read
  const names: PlacedName[] = []
  if (read.path === 'SKILL.md' && text.startsWith('---'))
    names.push(...listSentTo(text.slice(0, Math.max(0, text.indexOf('\n---', 3)))))
  // A search for the rare `k` costs a fifth of one for the frequent `s`.
  eachPlace(text, 'kill', (at) => {
    if (read.kindAt(at) === 'prose') names.push(...listBeside(text, at))
  })
  eachPlace(text, '/SKILL.md', (at) => {
    const from = Math.max(0, at - 70)
    const [all, name] = BESIDE.exec(text.slice(from, at)) ?? []
    if (all !== undefined && name !== undefined && read.kindAt(at) === 'prose')
      names.push({ name, at: at - all.length })
  })
  return names.filter(({ name }) => !NO_SKILL.has(name))
}

const WORD = String.raw`[A-Z][A-Za-z0-9]{1,24}(?:\.[a-z]{2,3})?`
const PROPER = String.raw`${WORD}(?: (?!MCP)${WORD}){0,2}`
const SERVER_BEFORE = new RegExp(
  String.raw`(?:^|[\s(>*_"'|])(?:(\x60[A-Za-z][A-Za-z0-9-]{1,40}\x60)|(${PROPER}|${LONG_NAME}))[*_]{0,2} $`,
)

/** What says that a server is used rather than written or spoken of: words before its name, and behind it. */
const USES_BEFORE =
  /\b(?:requires?|required|needs?|us(?:e|es|ing)|via|with|through|call(?:s|ing)?|leverag(?:e|es|ing)|connect(?:ed)? to|depends on|available:?|if|when|prefer|have|has)\W{1,4}(?:the |an? |your )?(?:official )?$/i
const USES_BEHIND =
  /^MCP(?: servers?| tools?| integration)?\W{0,4}(?:\s(?:is|are|must be|should be|needs to be))?\s?\(?(?:required|recommended|configured|available|connected|installed|enabled|running|authenticated|access|not connected)\b/i
const IS_BUILT =
  /\b(?:build|create|generate|write|implement|develop|design|scaffold|publish|test|add)\w*\b[^.\n]{0,60}$/i

/** Capitalized words that begin a sentence, and languages that servers are written in. */
const NO_SERVER_NAME =
  /^(?:The|An?|No|Your|My|This|That|These|Each|Any|Some|All|Every|If|When|Once|While|Use|Using|With|For|Core|Official|Remote|Local|Configured|Custom|New|Go|Kotlin|Java|PHP|Rust|Python|TypeScript|Swift|Ruby|NET|\.NET|Node(?:\.js)?|C|Both|Other|Multiple|Required|Available|Existing|Exact|Model|API|HTTP|SSE|And|Or|Via|Through|Requires?|Needs?|Building|Creating|Prefer|Leverage|Call|Connect)$/

/** The MCP server that is named before a place where "MCP" stands, where it is used there. */
export const readServer = (text: string, at: number): PlacedName | undefined => {
  const start = Math.max(0, at - 70)
  const before = text.slice(start, at)
  const [all, quoted, proper = ''] = SERVER_BEFORE.exec(before) ?? []
  if (all === undefined) return undefined
  // A verb may stand in front: `Use Azure MCP tools`.
  const words = proper.split(' ')
  const firsts = words.findIndex((word) => !NO_SERVER_NAME.test(word))
  const name = quoted?.slice(1, -1) ?? (firsts < 0 ? '' : words.slice(firsts).join(' '))
  if (name === '' || IS_ADJECTIVE.test(name)) return undefined
  const place = at - (all.length - all.lastIndexOf(name))
  const lead =
    text
      .slice(start, place)
      .replace(/[`*_"']+$/, '')
      .split('\n')
      .at(-1) ?? ''
  const isUsed = USES_BEFORE.test(lead) || USES_BEHIND.test(text.slice(at, at + 60))
  return isUsed && !IS_BUILT.test(lead) ? { name, at: place } : undefined
}
