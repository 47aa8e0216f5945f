import matter from 'gray-matter'
import { isAlias, isCollection, isMap, isScalar, isSeq, parse, parseDocument, visit } from 'yaml'
import type { Document, Node, YAMLError, YAMLMap } from 'yaml'
import { SPECIFIED_LIMITS, isSpecifiedName } from './specification.ts'
import { countNewlines, showValue } from './text.ts'
import type { Skill } from './skill.ts'

/** Longest front matter that is parsed, in characters; the specification's own fields need about 2,000. */
export const FRONT_MATTER_LIMIT = 65_536

/** Maximum number of lines of front matter that are parsed; more would be an attack on the parser, not metadata. */
const FRONT_MATTER_LINES = 1_000

/** Maximum number of aliases (`*name`) in a front matter. */
const ALIAS_LIMIT = 50

interface FrontMatterFault {
  reason: string
  /** What the author should do; absent if the reason says enough to correct the YAML. */
  remedy?: string
  /** `syntax`: the YAML itself is broken, but its fields can perhaps be recognized line by line. */
  kind?: 'absent' | 'syntax'
  /** Line in the file; 1 by default. */
  line?: number
}

/** The front matter of a SKILL.md cannot be read; the message says why and what to do. */
export class FrontMatterError extends Error {
  readonly reason: string
  readonly remedy: string | undefined
  readonly kind: FrontMatterFault['kind']
  readonly line: number
  constructor({ reason, remedy, kind, line = 1 }: FrontMatterFault) {
    super(reason + (remedy === undefined ? '' : `; ${remedy}`))
    this.reason = reason
    this.remedy = remedy
    this.kind = kind
    this.line = line
  }
}

/** Fields of the agentskills.io specification that the registry reads. */
const SKILL_FIELDS = ['name', 'description', 'license', 'compatibility', 'allowed-tools'] as const

/**
 * All fields that the registry reads: the fields above, and common extensions for category, arguments, use, needs,
 * invocation and version.
 */
export const READ_FIELDS = [
  ...SKILL_FIELDS,
  'argument-hint',
  'when_to_use',
  'disable-model-invocation',
  'user-invocable',
  'category',
  'metadata.category',
  'metadata.internal',
  'metadata.requires.bins',
  'metadata.requires.env',
  'metadata.openclaw.requires.bins',
  'metadata.openclaw.requires.env',
  'metadata.openclaw.requires.anyBins',
  'metadata.openclaw.primaryEnv',
  'metadata.openclaw.envVars',
  'metadata.openclaw.install',
  'metadata.openclaw.os',
  'metadata.os',
  'metadata.requires.skills',
  'metadata.related-skills',
  'metadata.version',
  'requires.mcp',
  'metadata.requires.mcp',
  'related-skills',
  'inputs',
  'version',
] as const

/** Front matter fields of a SKILL.md, as the author's text; empty fields are left out. */
export type FrontMatter = Partial<Record<(typeof READ_FIELDS)[number], string>>

/** Words that Claude Code reads as true and false, in any case. YAML 1.2 has only the first of each. */
const BOOLEAN_WORDS = { true: ['true', 'yes', 'on', '1'], false: ['false', 'no', 'off', '0'] }

/** Reads a field as true or false; undefined if it is neither. */
export const readBoolean = (text = ''): boolean | undefined => {
  const word = text.trim().toLowerCase()
  if (BOOLEAN_WORDS.true.includes(word)) return true
  return BOOLEAN_WORDS.false.includes(word) ? false : undefined
}

/** Whether YAML 1.2, and so every client, reads a text as true or false. */
export const isPlainBoolean = (text: string): boolean =>
  /^(?:true|True|TRUE|false|False|FALSE)$/.test(text)

/** Who may invoke a skill. A skill that nobody may invoke counts as `user`, because no agent lists it. */
export const readStartedBy = (front: FrontMatter): NonNullable<Skill['startedBy']> => {
  if (readBoolean(front['disable-model-invocation'])) return 'user'
  return readBoolean(front['user-invocable']) === false ? 'agent' : 'both'
}

/** YAML's spellings of "no value": `name: null` means that the skill has no name. */
const NOTHING = new Set(['', '~', 'null', 'Null', 'NULL'])

/** Top-level fields whose value may be a list. */
export const LIST_FIELDS: ReadonlySet<string> = new Set([
  'allowed-tools',
  'related-skills',
  'inputs',
])

interface SplitSkillMd {
  /** Text between the delimiters; absent without a front matter. */
  block?: string
  /** Offset of the block in the file, in UTF-16 units. */
  start?: number
  body: string
}

const OPENING = /^(?:[ \t]*\r?\n)*---([^\n\r]*)\r?\n/
const CLOSING = /^(?:---|\.\.\.)[ \t]*\r?$/m

/**
 * Splits a SKILL.md at its front matter delimiters without parsing the block between them.
 * Throws FrontMatterError if the opening delimiter names a language other than YAML, or if the block is not closed.
 */
export const splitSkillMd = (text: string): SplitSkillMd => {
  const opening = OPENING.exec(text)
  if (!opening || opening[1]?.startsWith('-')) return { body: text }
  const language = (opening[1] ?? '').trim()
  if (language !== '' && language !== 'yaml' && language !== 'yml') {
    throw new FrontMatterError({
      reason: `front matter in the language ${showValue(language)} is not supported`,
      remedy: 'use YAML',
    })
  }
  const rest = text.slice(opening[0].length)
  const closing = CLOSING.exec(rest)
  if (!closing)
    throw new FrontMatterError({ reason: 'front matter is opened by --- and never closed' })
  return {
    block: rest.slice(0, closing.index),
    start: opening[0].length,
    body: rest.slice(closing.index + closing[0].length).replace(/^\r?\n/, ''),
  }
}

/** Splits as above, but returns the whole text as the body if the front matter cannot be separated. */
export const splitLoosely = (text: string): SplitSkillMd => {
  try {
    return splitSkillMd(text)
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    return { body: text }
  }
}

const refuseEngine = (): never => {
  throw new FrontMatterError({ reason: 'only YAML front matter is read' })
}

const readScalar = (node: unknown, document: Document): string | undefined => {
  const resolved = isAlias(node) ? node.resolve(document) : node
  if (!isScalar(resolved)) return undefined
  const text = String(resolved.value)
  // A quoted "null" is a text; without quotes it means no value.
  return resolved.type === 'PLAIN' && NOTHING.has(text) ? '' : text
}

/** The fields that are read from a mapping in a list. */
const ITEM_FIELDS = ['kind', 'name', 'package', 'formula', 'module']

/** Lists all texts of a value at any depth, and the keys of mappings: `Bash: git` allows at most what `Bash` allows. */
const listTexts = (node: unknown, document: Document): string[] => {
  if (isMap(node)) return node.items.flatMap(({ key }) => listTexts(key, document))
  if (isSeq(node)) return node.items.flatMap((item) => listTexts(item, document))
  // An alias of a list is not resolved: aliases in aliases grow exponentially.
  return [readScalar(node, document) ?? String(node ?? '')].filter((text) => text !== '')
}

/** Reads a text, or a list of texts joined by commas; a mapping in a list counts as its ITEM_FIELDS. */
const readTexts = (node: unknown, document: Document): string | undefined => {
  if (!isSeq(node)) return readScalar(node, document)
  const texts = node.items.map((item) =>
    isMap(item)
      ? ITEM_FIELDS.flatMap((field) => readScalar(item.get(field, true), document) ?? []).join(' ')
      : readScalar(item, document),
  )
  return texts.includes(undefined) ? undefined : texts.join(', ')
}

/** The fields to read (`a.b` for a field inside a mapping), and the fields that must be a single text. */
interface FieldSelection {
  fields: readonly string[]
  strict: ReadonlySet<string>
  /** A text of the registry itself: duplicate fields are errors, and unknown top-level fields are kept as ''. */
  isOurs?: boolean
}

type Found = Record<string, string>

const TOOLS_FIELD = 'allowed-tools'

/** A field whose text is often written in brackets without quotes, which YAML reads as a list. */
const BRACKETED = 'argument-hint'

/** Reads a field that should be a text as its author meant it: a list is joined, and a mapping stays as it is written. */
const readMeant = (field: string, node: Node, document: Document, block: string): string => {
  if (field === TOOLS_FIELD) return listTexts(node, document).join(', ')
  const joined = field === BRACKETED ? undefined : readTexts(node, document)
  return joined ?? block.slice(...(node.range ?? [0, 0])).trim()
}

/** A parsed front matter with its source. */
interface Parsed {
  document: Document
  block: string
}

const collectFields = (
  map: YAMLMap,
  parsed: Parsed,
  selection: FieldSelection,
  found: Found,
  prefix = '',
): void => {
  const { document, block } = parsed
  for (const { key, value } of map.items) {
    const field = prefix + (isScalar(key) ? String(key.value) : '')
    const resolved = isAlias(value) ? value.resolve(document) : value
    if (isMap(resolved) && selection.fields.some((wanted) => wanted.startsWith(`${field}.`))) {
      collectFields(resolved, parsed, selection, found, `${field}.`)
    }
    if (selection.isOurs && Object.hasOwn(found, field))
      throw new FrontMatterError({
        reason: `${field} appears twice`,
        remedy: 'remove one of the two',
      })
    if (!selection.fields.includes(field)) {
      if (selection.isOurs && prefix === '') found[field] = ''
      continue
    }
    if (selection.strict.has(field) && readScalar(value, document) === undefined)
      refuseType(field, resolved)
    const isText = prefix === '' && (field === TOOLS_FIELD || !LIST_FIELDS.has(field))
    const text =
      isText && isCollection(resolved)
        ? readMeant(field, resolved, document, block)
        : readTexts(resolved, document)
    if (text !== undefined && text !== '') found[field] = text
  }
}

const describeNode = (node: unknown): string => {
  if (isMap(node)) return 'a mapping'
  if (isSeq(node)) return 'a list'
  return 'an alias without an anchor (a text that starts with *)'
}

const refuseType = (field: string, node: unknown): never => {
  throw new FrontMatterError({
    reason: `${field} is ${describeNode(node)}, but must be text`,
    remedy: 'put it in quotes',
    ...(!isMap(node) && !isSeq(node) && { kind: 'syntax' }),
  })
}

/** The usual cause of broken YAML, and its cure. */
const QUOTE =
  'put a value that contains ": ", or starts with a special character such as [ or *, in quotes'

const NESTED_TOO_DEEPLY = 'front matter is nested too deeply'

const describeYamlError = (error: YAMLError): FrontMatterError => {
  // gray-matter's block starts with the line end of the opening delimiter, so line numbers match the file.
  const line = error.linePos?.[0].line ?? 1
  // The parser's stack is full.
  if (error.code === 'RESOURCE_EXHAUSTION')
    return new FrontMatterError({ reason: NESTED_TOO_DEEPLY, line })
  const reason = error.message.split('\n')[0]?.replace(/ at line \d+.*$/, '') ?? error.code
  return new FrontMatterError({ reason: `YAML: ${reason}`, remedy: QUOTE, kind: 'syntax', line })
}

/** Parser options that resolve no types, construct no objects and run nothing. */
export const YAML_OPTIONS = {
  // Failsafe: every scalar stays the author's text. No dates, no 1e3 = 1000, no yes = true.
  schema: 'failsafe',
  uniqueKeys: false,
  logLevel: 'silent',
} as const

/** Throws FrontMatterError for merge keys and for too many aliases: both can expand a short text to a huge one. */
const refuseAliases = (document: Document): void => {
  let aliases = 0
  visit(document, {
    Alias: () => void (aliases += 1),
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === '<<')
        throw new FrontMatterError({
          reason: 'merge keys (<<) are not supported',
          remedy: 'write the fields out',
        })
    },
  })
  if (aliases > ALIAS_LIMIT)
    throw new FrontMatterError({
      reason: `${aliases} aliases (*name)`,
      remedy: `write values out; at most ${ALIAS_LIMIT} aliases are allowed`,
    })
}

const parseYaml = (block: string, selection: FieldSelection): object => {
  const document = parseDocument(block, { ...YAML_OPTIONS, prettyErrors: true })
  const error = document.errors[0] ?? document.warnings[0]
  if (error) throw describeYamlError(error)
  refuseAliases(document)
  const root = document.contents as Node | null
  if (root === null) return {}
  if (!isMap(root))
    throw new FrontMatterError({
      reason: 'front matter is not a list of `key: value` lines',
      line: 2,
    })
  const found: Found = {}
  collectFields(root, { document, block }, selection, found)
  return found
}

/** Throws FrontMatterError if a block has too many characters or lines. */
const refuseOversize = (block: string): void => {
  const lines = block.split(/\r\n?|[\n\u2028\u2029]/).length
  if (block.length > FRONT_MATTER_LIMIT || lines > FRONT_MATTER_LINES) {
    throw new FrontMatterError({
      reason: `front matter of ${block.length} characters in ${lines} lines`,
      remedy: `at most ${FRONT_MATTER_LIMIT} in ${FRONT_MATTER_LINES} lines are allowed`,
    })
  }
}

const readFields = (text: string, selection: FieldSelection): object => {
  const { block } = splitSkillMd(text)
  if (block === undefined)
    throw new FrontMatterError({ reason: 'no front matter between --- lines', kind: 'absent' })
  refuseOversize(block)
  const yaml = (source: string): object => parseYaml(source, selection)
  try {
    return matter(`---\n${block}\n---\n`, {
      engines: { yaml, json: refuseEngine, javascript: refuseEngine, coffee: refuseEngine },
    }).data
  } catch (error) {
    // A stack overflow in the parser.
    if (error instanceof RangeError) throw new FrontMatterError({ reason: NESTED_TOO_DEEPLY })
    throw error
  }
}

const SKILL_FIELD_SELECTION: FieldSelection = {
  fields: READ_FIELDS,
  strict: new Set(['name', 'description']),
}

/**
 * Reads the READ_FIELDS from a SKILL.md's front matter. Nothing in the text can run.
 * Throws FrontMatterError (message and line) if the front matter is missing, too large or not YAML.
 */
export const parseFrontMatter = (text: string): FrontMatter =>
  readFields(text, SKILL_FIELD_SELECTION)

/** Like `parseFrontMatter`, but returns the error. */
export const tryFrontMatter = (text: string): FrontMatter | FrontMatterError => {
  try {
    return parseFrontMatter(text)
  } catch (error) {
    if (error instanceof FrontMatterError) return error
    throw error
  }
}

/** Reads the front matter of the registry's own page: the named fields, and '' for unknown fields. Throws as above. */
export const parseTextFields = (text: string, fields: readonly string[]): object =>
  readFields(text, { fields, strict: new Set(fields), isOurs: true })

/** How `npx skills` 1.7.4 finds the front matter, which it parses as YAML 1.2. */
const CLIENT_FRONT = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/

/** A parsed front matter, as far as clients need it. */
type ClientFields = { name?: unknown; description?: unknown } | null | undefined

/**
 * Why `npx skills` and Codex refuse a SKILL.md, as a predicate of its front matter; undefined if they accept it. `read`
 * is what the registry reads, which is more than they do.
 */
export const explainRefusal = (
  text: string,
  read: FrontMatter | FrontMatterError,
): string | undefined => {
  if (read instanceof FrontMatterError) return `cannot be read (line ${read.line}: ${read.reason})`
  const block = CLIENT_FRONT.exec(text)?.[1]
  if (block === undefined) return 'does not start with --- on line 1'
  let fields: ClientFields
  try {
    fields = parse(block, { logLevel: 'error' }) as ClientFields
  } catch (error) {
    const [reason = ''] = (error as Error).message.split(/ at line \d|\n/)
    return `is not valid YAML (${reason})`
  }
  for (const field of ['name', 'description'] as const) {
    const value = fields?.[field]
    if (value === undefined || value === null || value === '') return `has no ${field}`
    if (typeof value !== 'string') return `has a ${field} that is not text (${showValue(value)})`
  }
  return undefined
}

/** Lists the strings of a front matter with their lines; empty if the front matter exceeds the limits. */
export const listStrings = (text: string): { text: string; line: number }[] => {
  const { block = '', start = 0 } = splitLoosely(text)
  if (block.length > FRONT_MATTER_LIMIT || countNewlines(block) > FRONT_MATTER_LINES) return []
  const first = countNewlines(text.slice(0, start)) + 1
  const found: { text: string; line: number }[] = []
  visit(parseDocument(block, YAML_OPTIONS), {
    Scalar: (_, { value, range }) => {
      const line = first + countNewlines(block.slice(0, range?.[0] ?? 0))
      found.push({ text: String(value), line })
    },
  })
  return found
}

type Metadata = Pick<
  Skill,
  'slug' | 'name' | 'author' | 'category' | 'updated' | 'licence' | 'licenceWords' | 'source'
>

// A JSON string is a double-quoted YAML scalar, so no value can end its line or its quotes.
const field = (key: string, value: string): string => `${key}: ${JSON.stringify(value)}`

const explainAbsence = ({ source }: Metadata): string => {
  if (source.kind === 'own') return 'The registry has no copy of the original file.'
  const link = `<${source.url.replace(/[<>]/g, encodeURIComponent)}>`
  if (source.status !== 'gone') return `The original text is not copied here; it is at ${link}.`
  return `The original, at ${link}, is gone; it was missing on ${source.checked}.`
}

/**
 * Makes a SKILL.md from catalog metadata for a skill whose file is gone or may not be copied. The text says that it is
 * synthesized. Agents should not choose it over a skill with instructions, so `disable-model-invocation` is set, and
 * the description says only where the original text is.
 */
export const synthesizeSkillMd = (skill: Metadata): string => {
  const licence = skill.licenceWords ?? skill.licence
  const absence = explainAbsence(skill)
  const lines = [
    '---',
    field(
      'name',
      isSpecifiedName(skill.name)
        ? skill.name
        : skill.slug.slice(0, SPECIFIED_LIMITS.name).replace(/-+$/, ''),
    ),
    field('description', [...absence].slice(0, SPECIFIED_LIMITS.description).join('')),
    'disable-model-invocation: true',
    ...(licence ? [field('license', licence)] : []),
    '---',
    '',
    `# ${skill.name}`,
    '',
    '## About this file',
    '',
    `This SKILL.md is synthesized from catalog metadata. ${absence} It has none of the author's instructions.`,
    '',
    `- Author: ${skill.author}`,
    `- Category: ${skill.category}`,
    ...(skill.updated === undefined ? [] : [`- Last updated: ${skill.updated}`]),
    '',
  ]
  return lines.join('\n')
}

/** Whether a skill is meant only for those who work on its repository. */
export const isInternal = (front: FrontMatter): boolean =>
  readBoolean(front['metadata.internal']) === true
