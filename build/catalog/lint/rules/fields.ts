import { isAlias, isMap, isPair, isScalar, isSeq, parse } from 'yaml'
import type { Scalar } from 'yaml'
import { LISTING_BUDGETS, costInListing } from '../../../../src/catalog/tokens.ts'
import { isSlug, showValue } from '../../../../src/catalog/text.ts'
import { slugify } from '../../import/skill-md.ts'
import type { Edit, Match, RuleTable } from '../rule.ts'
import { findPair, matchNode, rangeOf, textOf } from './front-matter.ts'
import type { Fields } from './front-matter.ts'

/** The fields, and the folder's name if the skill's must equal it. */
interface Subject extends Fields {
  folder: string | undefined
}

/** The longest values that the specification of skills allows, in characters. */
const LIMITS = { name: 64, description: 1_024, compatibility: 500 } as const

/** Minimum length for a description of what the skill does and when to use it. */
const SHORT_DESCRIPTION = 20

/** Share of a client's listing beyond which one description is long: a dozen such fill it; 8 of 100 skills have one. */
const MOST_OF_LISTING = 0.08

/** Fields of the specification of skills. */
const SPECIFIED: ReadonlySet<string> = new Set(
  'name description license compatibility metadata allowed-tools'.split(' '),
)

/** Text fields, which may contain a template's placeholder. */
const TEXTS = ['name', 'description', 'license', 'compatibility'] as const
type TextField = (typeof TEXTS)[number]

/** Additional fields that well-known assistants read. */
const CLIENT_FIELDS: ReadonlySet<string> = new Set(
  (
    'when_to_use argument-hint arguments disable-model-invocation user-invocable ' +
    'disallowed-tools model effort context agent hooks paths shell'
  ).split(' '),
)

/** Types that YAML parsers infer for unquoted values. */
type ReadAs = 'text' | 'number' | 'boolean' | 'date' | 'nothing'

/** Other scalars are always text. */
const MAY_BE_MORE = /^(?:[-+]?\.?\d[\w.:+ -]*|[-+]?\.(?:inf|nan)|~|true|false|yes|no|on|off|null)$/i

/** Longest number or date. */
const LONGEST = 64

/** Reads a scalar as YAML 1.2 and as YAML 1.1 do. */
const readScalar = ({ type, value }: Scalar): unknown[] => {
  const source = String(value)
  return type === 'PLAIN' && source.length <= LONGEST && MAY_BE_MORE.test(source)
    ? (['core', 'yaml-1.1'] as const).map((schema) => parse(source, { schema, logLevel: 'silent' }))
    : [source]
}

const kindOf = (value: unknown): ReadAs => {
  if (value === null) return 'nothing'
  if (value instanceof Date) return 'date'
  return typeof value === 'number' || typeof value === 'boolean' ? (typeof value as ReadAs) : 'text'
}

/** The non-text type of a scalar in YAML 1.1 or 1.2, if any. */
const readAs = (node: Scalar): ReadAs =>
  readScalar(node)
    .map(kindOf)
    .find((kind) => kind !== 'text') ?? 'text'

/** Whether parsing changes the text, as with 1.10 or a date. */
const isLossy = (node: Scalar): boolean =>
  readScalar(node).some(
    (value) =>
      value instanceof Date || (typeof value === 'number' && String(value) !== String(node.value)),
  )

const isNothing = (node: unknown): boolean => {
  if (isMap(node) || isSeq(node)) return false
  return (textOf(node) ?? '').trim() === '' || (isScalar(node) && readAs(node) === 'nothing')
}

const quote = (node: unknown): Edit => ({
  ...rangeOf(node),
  text: `"${textOf(node) ?? ''}"`,
})

/** A field's value, as written and with its alias resolved. */
interface Entry {
  written: unknown
  node: unknown
  text: string
}

/** The value of a field, unless it is empty. */
const findEntry = ({ root, document }: Subject, field: string): Entry | undefined => {
  const written = findPair(root, field)?.value
  const node = isAlias(written) ? written.resolve(document) : written
  return isNothing(node) ? undefined : { written, node, text: (textOf(node) ?? '').trim() }
}

const sourceOf = ({ block }: Subject, { written }: Entry): string => {
  const { start, end } = rangeOf(written)
  return block.slice(start, end)
}

/** Finds a pattern in the source of a value, the header line of a block scalar left out. */
const findInSource = (subject: Subject, entry: Entry | undefined, pattern: RegExp): Match[] => {
  if (entry === undefined) return []
  const source = sourceOf(subject, entry)
  const { written } = entry
  const isBlock = isScalar(written) && written.type?.startsWith('BLOCK')
  const header = isBlock ? source.indexOf('\n') + 1 : 0
  const found = pattern.exec(source.slice(header))
  if (!found) return []
  const start = rangeOf(written).start + header + found.index
  return [{ start, end: start + found[0].length }]
}

/** Checks a field that is one text; `judge` says more about what is wrong, or false. */
const inText =
  (
    field: TextField,
    judge: (text: string, subject: Subject, entry: Entry) => Partial<Match> | boolean,
  ) =>
  (subject: Subject): Match[] => {
    const entry = findEntry(subject, field)
    const found = entry && isScalar(entry.node) && judge(entry.text, subject, entry)
    if (!found) return []
    return [matchNode(entry.written, found === true ? {} : found)]
  }

const isTooLong = (field: keyof typeof LIMITS) =>
  inText(field, (text) => {
    const { length } = [...text]
    return length > LIMITS[field] && { detail: `it has ${length}` }
  })

const isMissing =
  (field: TextField) =>
  (subject: Subject): Match[] => {
    // A merge key may provide it; another rule reports anchors.
    const isThere = findEntry(subject, field) ?? findPair(subject.root, '<<')
    return isThere ? [] : [rangeOf(findPair(subject.root, field)?.key)]
  }

/** Short descriptions of a name's faults. */
const OFFENCES: readonly { shows: (name: string) => boolean; words: string }[] = [
  { shows: (name) => name !== name.toLowerCase(), words: 'capitals' },
  { shows: (name) => /\s/.test(name), words: 'spaces' },
  { shows: (name) => name.includes('_'), words: 'underscores' },
  { shows: (name) => /^-|-$/.test(name), words: 'a hyphen at an end' },
  { shows: (name) => name.includes('--'), words: 'two hyphens in a row' },
  { shows: (name) => /[^\p{ASCII}]/u.test(name), words: 'letters other than a to z' },
  { shows: (name) => /[^\w\s\P{ASCII}-]/u.test(name), words: 'signs' },
]

const isWellFormed = (name: string): boolean => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)

const describeName = (name: string): Partial<Match> => {
  const found = OFFENCES.filter(({ shows }) => shows(name)).map(({ words }) => words)
  const better = slugify(name)
  return {
    detail: `${showValue(name)} has ${found.join(', ')}`,
    ...(better && { remedy: `write it as "${better}" and name the folder so` }),
  }
}

const isFolderName = (name: string, folder: string): boolean =>
  // Report a name once, not also as different from the folder's.
  name.normalize('NFKC') === folder.normalize('NFKC') || slugify(name) === folder

/** Characters of scripts in which one is worth several letters. */
const DENSE = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/gu

/** Finds a value that YAML parsers do not read as text. */
const checkType = (subject: Subject, field: TextField): Match[] => {
  const { written, node } = findEntry(subject, field) ?? {}
  if (isMap(node)) return [matchNode(written, { detail: `${field} is a mapping` })]
  if (isSeq(node)) return [matchNode(written, { detail: `${field} is a list` })]
  // The target of an alias is elsewhere.
  if (!isScalar(written) || readAs(written) === 'text') return []
  const detail = `${field} is a ${readAs(written)}`
  return [matchNode(written, { detail, edit: quote(written) })]
}

/** The pairs of metadata, where it is a mapping. */
const listMetadata = (subject: Subject) => {
  const { node } = findEntry(subject, 'metadata') ?? {}
  return isMap(node) ? node.items.filter(isPair) : []
}

/** The pairs that the specification does not have. */
const listOthers = ({ root }: Subject) =>
  root.items.filter(isPair).filter(({ key }) => {
    const field = textOf(key) ?? ''
    return field !== '<<' && !SPECIFIED.has(field)
  })

const listFields = (subject: Subject, matches: (field: string) => boolean): Match[] =>
  listOthers(subject)
    .filter(({ key }) => matches(textOf(key) ?? ''))
    .map(({ key }) => matchNode(key, { detail: showValue(textOf(key) ?? '') }))

/** What can be wrong with the fields of a front matter. */
export const FIELD_RULES = {
  'name-missing': {
    severity: 'error',
    message: 'the front matter has no name',
    remedy: 'add a line "name: …" with the name of the folder',
    check: isMissing('name'),
  },
  'name-format': {
    severity: 'error',
    message: 'the name may contain only a-z, 0-9 and single hyphens between words',
    remedy: 'write lower-case words joined by hyphens',
    check: inText('name', (name) => !isWellFormed(name) && describeName(name)),
  },
  'name-length': {
    severity: 'error',
    message: `the name is longer than ${LIMITS.name} characters`,
    remedy: 'shorten it',
    check: isTooLong('name'),
  },
  'name-folder': {
    severity: 'error',
    message: 'the name is not that of the folder',
    remedy: 'rename the folder, or the skill',
    check: inText(
      'name',
      (name, { folder }) =>
        folder !== undefined &&
        !isFolderName(name, folder) && { detail: `${showValue(name)} in ${showValue(folder)}` },
    ),
  },
  'name-reserved': {
    severity: 'warning',
    message: 'the name is a device of Windows or a page of the registry, which no folder can be',
    remedy: 'add a word to it',
    check: inText(
      'name',
      (name) => isWellFormed(name) && name.length <= LIMITS.name && !isSlug(name),
    ),
  },
  'description-missing': {
    severity: 'error',
    message: 'the front matter has no description',
    remedy: 'add a line "description: …" that says what the skill does and when to use it',
    check: isMissing('description'),
  },
  'description-length': {
    severity: 'error',
    message: `the description is longer than ${LIMITS.description} characters`,
    remedy: 'shorten it; the details belong in the text below',
    check: isTooLong('description'),
  },
  'description-budget': {
    severity: 'warning',
    message: `the description takes more than ${MOST_OF_LISTING * 100} % of what a client keeps of all skills' descriptions`,
    remedy:
      'shorten it; keep what the skill does, when to use it and when not, in words that a user would say, and leave how it works to the text below',
    check: inText('description', (text) => {
      const shareOf = (budget: (typeof LISTING_BUDGETS)[number]): number =>
        costInListing(text, budget) / budget.all
      const most = LISTING_BUDGETS.toSorted((a, b) => shareOf(b) - shareOf(a))[0]!
      if (shareOf(most) <= MOST_OF_LISTING) return false
      const { client, all, unit } = most
      const percent = Math.round(shareOf(most) * 100)
      return {
        detail: `${costInListing(text, most)} of the ${all} ${unit} of ${client}, ${percent} %`,
      }
    }),
  },
  'description-short': {
    severity: 'note',
    message: 'the description is very short',
    remedy: 'say what the skill does and when to use it',
    check: inText(
      'description',
      (text) => text.replace(DENSE, '$&$&$&').length < SHORT_DESCRIPTION,
    ),
  },
  'description-controls': {
    severity: 'warning',
    message: 'the description holds control characters once its escapes are read',
    remedy: 'write it without them',
    // Line breaks, literal or escaped, are allowed.
    check: inText('description', (text) => /(?!\n)\p{Cc}/u.test(text)),
  },
  'description-lines': {
    severity: 'note',
    message: 'the description runs over several lines, of which simple readers show the first',
    remedy: 'write it on one line, in quotes where it holds ": "',
    check: inText('description', (_, subject, entry) =>
      sourceOf(subject, entry).trimEnd().includes('\n'),
    ),
  },
  'description-markup': {
    severity: 'warning',
    message: 'an angle bracket in the description, which packers of skills refuse',
    remedy: 'write it in words',
    check: inText(
      'description',
      (_, subject, entry) => findInSource(subject, entry, /[<>]/)[0] ?? false,
    ),
  },
  'compatibility-length': {
    severity: 'error',
    message: `the compatibility is longer than ${LIMITS.compatibility} characters`,
    remedy: 'shorten it',
    check: isTooLong('compatibility'),
  },
  'text-type': {
    severity: 'error',
    message: 'a value that YAML parsers do not read as text',
    remedy: 'write one text, in quotes',
    fix: 'puts a number, a date or a yes in quotes',
    check: (subject) => TEXTS.flatMap((field) => checkType(subject, field)),
  },
  'lossy-value': {
    severity: 'warning',
    message: 'a value that YAML parsers read as a different text',
    remedy: 'put it in quotes',
    fix: 'puts it in quotes',
    check: (subject) =>
      [...listMetadata(subject), ...listOthers(subject)]
        .map(({ value }) => value)
        .filter(isScalar)
        .filter(isLossy)
        .map((node) =>
          matchNode(node, {
            detail: `${showValue(textOf(node))} is a ${readAs(node)}`,
            edit: quote(node),
          }),
        ),
  },
  'tools-format': {
    severity: 'warning',
    message: 'allowed-tools is not one text with spaces between the tools',
    remedy: 'write them on one line with spaces between: allowed-tools: Read Bash(git:*)',
    check: (subject) => {
      const entry = findEntry(subject, 'allowed-tools')
      if (entry === undefined) return []
      // A comma inside brackets belongs to one tool's own pattern.
      const isCut = entry.text.replace(/\([^()]*\)/g, '').includes(',')
      return isScalar(entry.node) && !isCut ? [] : [rangeOf(entry.written)]
    },
  },
  'metadata-type': {
    severity: 'error',
    message: 'metadata is not a list of "key: value" lines',
    remedy: 'write "key: value" lines below it, indented',
    check: (subject) => {
      const entry = findEntry(subject, 'metadata')
      return !entry || isMap(entry.node) ? [] : [rangeOf(entry.written)]
    },
  },
  'metadata-value': {
    severity: 'warning',
    message: 'a value of metadata that is not text',
    remedy: 'write one text',
    check: (subject) =>
      listMetadata(subject)
        .filter(({ value }) => isMap(value) || isSeq(value))
        .map(({ key, value }) =>
          matchNode(value, {
            detail: `${showValue(textOf(key))} is ${isMap(value) ? 'a mapping' : 'a list'}`,
          }),
        ),
  },
  placeholder: {
    severity: 'warning',
    message: 'a placeholder of a template',
    remedy: 'write what belongs there',
    check: (subject) =>
      TEXTS.flatMap((field) =>
        findInSource(
          subject,
          findEntry(subject, field),
          /(?<!\$)\{\{[^{}\n]*\}\}|\[TODO\b|<%=|\$\{(?!\{)/,
        ),
      ),
  },
  'client-field': {
    severity: 'note',
    message: 'a field that only some assistants know',
    remedy: 'keep it if you write for those; the others ignore it',
    check: (subject) => listFields(subject, (field) => CLIENT_FIELDS.has(field)),
  },
  'unknown-field': {
    severity: 'warning',
    message: 'a field that the specification does not have',
    remedy: 'move it below metadata',
    check: (subject) => listFields(subject, (field) => !CLIENT_FIELDS.has(field)),
  },
} as const satisfies RuleTable<Subject>
