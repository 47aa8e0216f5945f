/** A name in a text, and where it stands. */
interface Place {
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
export const readPlainName = (text: string, from: number): Place | undefined => {
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
export const listRelated = (text: string, at: number): Place[] => {
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
  const places: Place[] = []
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
export const listSentTo = (frontMatter: string): Place[] =>
  Array.from(frontMatter.matchAll(SENT), ({ 0: all, 1: name = '', index }) => ({
    name,
    at: index + all.indexOf(name),
  })).filter(({ name }) => !IS_ADJECTIVE.test(name))

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
const NO_NAME =
  /^(?:The|An?|No|Your|My|This|That|These|Each|Any|Some|All|Every|If|When|Once|While|Use|Using|With|For|Core|Official|Remote|Local|Configured|Custom|New|Go|Kotlin|Java|PHP|Rust|Python|TypeScript|Swift|Ruby|NET|\.NET|Node(?:\.js)?|C|Both|Other|Multiple|Required|Available|Existing|Exact|Model|API|HTTP|SSE|And|Or|Via|Through|Requires?|Needs?|Building|Creating|Prefer|Leverage|Call|Connect)$/

/** The MCP server that is named before a place where "MCP" stands, where it is used there. */
export const readServer = (text: string, at: number): Place | undefined => {
  const start = Math.max(0, at - 70)
  const before = text.slice(start, at)
  const [all, quoted, proper = ''] = SERVER_BEFORE.exec(before) ?? []
  if (all === undefined) return undefined
  // A verb may stand in front: `Use Azure MCP tools`.
  const words = proper.split(' ')
  const firsts = words.findIndex((word) => !NO_NAME.test(word))
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
