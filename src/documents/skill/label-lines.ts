import { LANGUAGE_NAMES } from '../../catalog/language.ts'
import { isProgram, isProse } from '../../catalog/needs/files.ts'
import type { Mention, Need, NeedKind } from '../../catalog/needs/found.ts'
import { SKILL_MD } from '../../catalog/skill.ts'
import type { Skill, SkillFile } from '../../catalog/skill.ts'
import { countOf, showNumber, truncateAtWord } from '../../catalog/text.ts'
import { ANY_COMMAND, tellsService, readGrant } from '../../catalog/touches.ts'
import { PAGED_BYTES } from '../on-request/file.ts'
import type { FileAddress } from '../on-request/file.ts'
import { PATHS, filePagePath, skillFilePath, skillPath } from '../paths.ts'
import { html } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'
import { joinBlocks, list, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'
import { inCode, joinPhrases, linked, phrase } from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'
import type { SampleLabel } from '../document.ts'
import { readLicenceWords, showSize } from './facts.ts'
import { sayAcceptance, sayFinding } from './findings.ts'
import { labelOf } from './label.ts'
import type { Label } from './label.ts'
import { countFitting, showName } from './words.ts'

/** One thing that was found, and its place. */
interface Item {
  words: Phrase
  at?: Phrase
}

/** A line of a label. A single item is shown at once; HTML folds several behind the lead. */
interface Row {
  key: string
  items: readonly Item[]
  lead?: Phrase
  /** Whether the lead says something that the items do not. If not, Markdown leaves it out. */
  isTold?: true
  /** Shown as a warning. */
  isWarning?: true
  /** Explains the line. */
  note?: string | undefined
}

/** The input for one line of a label. */
interface LineInput {
  skill: Skill
  label: Label
  addressOf: FileAddress
}

/** Writes a line of the label; undefined if nothing was found for it. */
type LineWriter = (input: LineInput) => Row | undefined

/** A line has at most this many items; the others are counted. */
const MOST_ITEMS = 20

/** The names before the fold have at most this many characters, so that most fit on one line with the count of others. */
const LEAD_LIMIT = { all: 32, some: 20 }

/** The name of a file; of the SKILL.md in a folder of the skill, with its folder. */
const nameFile = (file: string): string =>
  file
    .split('/')
    .slice(file.endsWith('/SKILL.md') ? -2 : -1)
    .join('/')

/** Links to the line in which a name was found. A no-break space keeps “line” and its number together. */
const linkPlace = ({ file, line }: Pick<Need, 'file' | 'line'>, addressOf: FileAddress): Phrase => {
  const words =
    file === SKILL_MD ? phrase`line\u00A0${line}` : phrase`${showName(nameFile(file))}:${line}`
  return linked(words, addressOf(file, line))
}

const codeOf = ({ name }: Pick<Need, 'name'>): Phrase => inCode(showName(name))

const plainOf = ({ name }: Pick<Need, 'name'>): Phrase => phrase`${showName(name)}`

const limit = (items: readonly Item[], unlisted = 0): Item[] => {
  const omitted = unlisted + Math.max(0, items.length - MOST_ITEMS)
  const rest = omitted > 0 ? [{ words: phrase`and ${omitted} more` }] : []
  return [...items.slice(0, MOST_ITEMS), ...rest]
}

/** Lists what was found of a kind, each name with a note and its place. */
const listNames = (
  { label, addressOf }: LineInput,
  key: string,
  kind: NeedKind,
  noteOf: (need: Mention) => string | false | undefined = () => undefined,
  write: (need: Mention) => Phrase = codeOf,
  needs: readonly Mention[] = label[kind] ?? [],
): Row | undefined => {
  if (needs.length === 0) return undefined
  const items = needs.map((need): Item => {
    const note = noteOf(need)
    return {
      words: phrase`${write(need)}${note ? ` ${note}` : ''}`,
      at: linkPlace(need, addressOf),
    }
  })
  const unlisted = label.more?.[kind] ?? 0
  const names = needs.map(({ name }) => name)
  const isShort = names.join(', ').length <= LEAD_LIMIT.all
  const shown = isShort ? names.length : countFitting(names, ', ', LEAD_LIMIT.some)
  const lead = joinPhrases(
    needs.slice(0, shown).map((need) => write(need)),
    ', ',
    needs.length - shown + unlisted,
  )
  return { key, items: limit(items, unlisted), lead }
}

const describeUse = ({ from, required }: Need): string | undefined => (required ? 'required' : from)

type Outside = 'installs' | 'runs' | 'writes' | 'names'

const verbOf = ({ name, from, onlyNamed }: Need): Outside => {
  if (onlyNamed) return 'names'
  if (from !== undefined) return 'installs'
  return /^[~/%]/.test(name) ? 'writes' : 'runs'
}

/** Says what is done to a name. A program that is downloaded and run has a description as its name. */
const sayOutside = (need: Need, others = 0): Phrase => {
  const verb = verbOf(need)
  const name = need.name.startsWith('a program of ') ? plainOf(need) : codeOf(need)
  if (verb === 'names' && others > 0) return phrase`names ${others + 1} paths`
  return phrase`${verb} ${joinPhrases([name], '', others)}`
}

const writeOutside: LineWriter = (input) => {
  // A package from several installers is said once.
  const byName = new Map(input.label.outside?.map((need) => [`${verbOf(need)} ${need.name}`, need]))
  const named = [...byName.values()]
  const row = listNames(input, 'Outside the project', 'outside', undefined, sayOutside, named)
  if (!row) return undefined
  const groups = Map.groupBy(named, verbOf)
  const lead = (['installs', 'runs', 'writes', 'names'] as const).flatMap((verb) => {
    const [first, ...others] = groups.get(verb) ?? []
    return first ? sayOutside(first, others.length) : []
  })
  return { ...row, lead: joinPhrases(lead, '; ') }
}

/** Whether an account is a key, not a login: a variable, or words such as "API key". */
const isKey = ({ service }: Need): boolean => service === undefined

/** Names a service and the program that logs in to it. */
const sayService = ({ name, service = '' }: Need): Phrase =>
  phrase`${showName(service)} through ${inCode(showName(name).split(' ', 1)[0]!)}`

/** Whether a host is named like the service of an account: `github.com` of GitHub. */
const isHostOf = ({ service = '' }: Need, { name }: Need): boolean =>
  name.includes(`${service.toLowerCase()}.`)

/** Lists where data may go: hosts and services. MCP servers have a row of their own, and can run on the same machine. */
const writeHosts: LineWriter = (input) => {
  const { hosts = [], local, accounts = [] } = input.label
  const named = [
    ...hosts.map((need) => [need, plainOf(need)] as const),
    ...accounts
      .filter((need) => tellsService(need) && !hosts.some((host) => isHostOf(need, host)))
      .map((need) => [need, sayService(need)] as const),
  ]
  const onMachine = local ? [[local, plainOf(local)] as const] : []
  const words = new Map([...named, ...onMachine])
  const write = (need: Mention): Phrase => words.get(need)!
  return listNames(input, 'Hosts', 'hosts', undefined, write, [...words.keys()])
}

const writeAccounts: LineWriter = (input) => {
  const { accounts = [] } = input.label
  const keys = accounts.filter(isKey).length
  const key = keys === accounts.length ? 'Keys' : keys === 0 ? 'Login' : 'Keys, login'
  return listNames(input, key, 'accounts', undefined, (need) =>
    need.service === undefined
      ? codeOf(need)
      : phrase`${showName(need.service)} with ${codeOf(need)}`,
  )
}

/** Lists the variables that are no keys. */
const writeVariables: LineWriter = (input) => {
  const keys = new Set(input.label.accounts?.map(({ name }) => name))
  const others = input.label.variables?.filter(({ name }) => !keys.has(name))
  return listNames(input, 'Variables', 'variables', describeUse, codeOf, others)
}

/** Lists what the front matter allows without asking: commands, or tools that run none. */
const writeTools: LineWriter = (input) =>
  listNames(
    input,
    'Without asking',
    'tools',
    ({ name }) => readGrant(name) === ANY_COMMAND && ANY_COMMAND,
  )

const writeSkills: LineWriter = (input) =>
  listNames(input, 'Other skills', 'skills', undefined, (need) =>
    need.slug === undefined ? codeOf(need) : linked(showName(need.name), skillPath(need.slug)),
  )

/** Longest words of an author in a label, in characters. The JSON has more of them. */
const WORDS_SHOWN = 120

const quoteAuthor = (key: string, text: string | undefined): Row | undefined =>
  text === undefined
    ? undefined
    : { key, items: [{ words: phrase`“${truncateAtWord(text, WORDS_SHOWN)}”` }] }

const listFiles = (
  key: string,
  files: readonly SkillFile[],
  { addressOf }: LineInput,
): Row | undefined => {
  if (files.length === 0) return undefined
  const items = files.map(({ path, size }) => ({
    words: linked(showName(path), addressOf(path)),
    at: phrase`${showSize(size)}`,
  }))
  const sum = showSize(files.reduce((all, { size }) => all + size, 0))
  return {
    key,
    items: limit(items),
    lead: phrase`${countOf(files.length, 'file')}, ${sum}`,
    isTold: true,
  }
}

const isRunnable = ({ path, isExecutable }: SkillFile): boolean =>
  !isProse(path) && (isExecutable === true || isProgram(path))

/** Lists findings that no notice shows, because none of them needs a review. */
const writeNotes: LineWriter = ({ skill: { findings, safety }, addressOf }) => {
  if (safety === 'Review' || findings.length === 0) return undefined
  const items = findings.map((finding) => {
    const says = linked(sayFinding(finding), `${PATHS.safetyDocs}#${finding.rule}`)
    return {
      words: phrase`${says}.${sayAcceptance(finding)}`,
      at: linkPlace(finding, addressOf),
    }
  })
  return { key: 'Notes', items: limit(items), lead: phrase`${findings.length} places to look` }
}

const writeContext: LineWriter = ({
  label: {
    context: { always, use, all },
  },
}) => {
  const whole = all > use ? `, ${showNumber(all)} with all its files` : ''
  const words = `${showNumber(always)} tokens always, ${showNumber(use)} in use${whole}`
  return { key: 'Context', items: [{ words: phrase`${words}` }] }
}

const STARTERS = { user: 'only you', agent: 'only your agent' } as const

const say = (key: string, words: string | undefined): Row | undefined =>
  words === undefined ? undefined : { key, items: [{ words: phrase`${words}` }] }

const warn = (row: Row | undefined): Row | undefined => row && { ...row, isWarning: true }

/** The lines of a label, in order. */
const LINES: readonly LineWriter[] = [
  (input) => warn(listNames(input, 'Runs by itself', 'unasked')),
  (input) => listNames(input, 'Commands', 'commands', describeUse),
  writeTools,
  (input) => listNames(input, 'Packages', 'packages', describeUse),
  writeOutside,
  writeHosts,
  writeAccounts,
  writeVariables,
  (input) => listNames(input, 'MCP servers', 'servers', undefined, plainOf),
  (input) => listFiles('Programs', input.skill.files.filter(isRunnable), input),
  ({ label }) => quoteAuthor('Needs', label.compatibility),
  (input) => listNames(input, 'Systems', 'systems', undefined, plainOf),
  (input) =>
    listNames(
      input,
      'Clients',
      'clients',
      undefined,
      (need) => phrase`${codeOf(need)} of ${showName(need.service ?? '')}`,
    ),
  ({ label: { startedBy } }) =>
    say('Started by', startedBy && startedBy !== 'both' ? STARTERS[startedBy] : undefined),
  writeSkills,
  (input) => listFiles('Files', input.skill.files, input),
  ({ label: { testCases } }) =>
    say(
      'Tests',
      testCases === undefined ? undefined : `${countOf(testCases, 'test case')} by its author`,
    ),
  (input) => warn(listNames(input, 'Missing', 'missing')),
  writeNotes,
  ({ skill }) => {
    const words = readLicenceWords(skill)
    return words?.isCut ? quoteAuthor('Licence', words.whole) : undefined
  },
  ({ label: { language } }) => say('Language', language && LANGUAGE_NAMES[language]),
  writeContext,
]

const renderItem = ({ words, at }: Item, kind = 'found'): Html =>
  html`<span class="${kind}">${words.html}</span> ${at && html`<span class="at">${at.html}</span>`}`

const renderRow = ({ key, items, lead, isWarning, note }: Row): Html => {
  const kind = isWarning ? 'warn' : 'found'
  const fold = html`<dd>
    <details>
      <summary><span class="${kind}">${lead?.html}</span></summary>
      <ul>
        ${items.map((item) => html`<li>${renderItem(item)}</li> `)}
      </ul>
    </details>
  </dd>`
  return html`<div>
    <dt>${key}</dt>
    ${items.length > 1 ? fold : html`<dd class="one">${renderItem(items[0]!, kind)}</dd>`}
    ${note && html`<dd class="note">${note}</dd>`}
  </div> `
}

const printRow = ({ key, items, lead, isTold, note }: Row): Markdown => {
  const found = items.map(({ words, at }) => (at ? phrase`${words} (${at})` : words))
  const before = isTold && items.length > 1 ? phrase`${lead!}: ` : ''
  const explained = note ? phrase`. ${note}` : ''
  return phrase`${key}: ${before}${joinPhrases(found)}${explained}`.markdown
}

const printLabel = (rows: readonly Row[], beside: Phrase | undefined, end: Phrase): Phrase => ({
  markdown: joinBlocks([
    md`**At a glance.**${beside ? md` ${beside.markdown}` : ''}`,
    list(rows.map(printRow)),
    end.markdown,
  ]),
  html: html`<section class="label bare${rows.some(({ note }) => note) ? ' annotated' : ''}" aria-labelledby="label">
    <header class="spread">
      <p class="title" id="label">At a glance</p>
      ${beside?.html}
    </header>
    <dl>${rows.map(renderRow)}</dl>
    <p>${end.html}</p>
  </section> `,
})

const listRows = (input: LineInput): Row[] => LINES.flatMap((write) => write(input) ?? [])

/** The sentence of what was read names at most this many files that were not. */
const UNREAD_SHOWN = 5

/** Writes the label of a skill; undefined if the registry does not have its text. */
export const writeLabel = (
  skill: Skill,
  mentioned: readonly Mention[],
  addressOf: FileAddress,
): Phrase | undefined => {
  const label = labelOf(skill, mentioned)
  if (!label) return undefined
  const { files, of, not = [] } = label.read
  const all =
    of === 1 ? 'its SKILL.md' : files === of ? `its ${of} files` : `${files} of its ${of} files`
  const shown = not.slice(0, UNREAD_SHOWN)
  const others = of - files - shown.length
  const more = others > 0 ? ` and ${others} more` : ''
  const missed = files < of ? ` (not: ${shown.join(', ')}${more})` : ''
  const misses = linked('What this can miss', `${PATHS.safetyDocs}#what-a-label-can-miss`)
  return printLabel(
    listRows({ skill, label, addressOf }),
    undefined,
    phrase`Read: ${all}${missed}. ${misses}`,
  )
}

const ACCOUNT_NOTE =
  'An account that you need first. Whether it costs money, only its author can say.'

/** What the lines of a label mean, for those who see one for the first time. */
const NOTES: Readonly<Record<string, string>> = {
  'Runs by itself': 'A client starts this without asking, such as a hook.',
  Commands:
    'Programs that its text or its code runs. If its author lets them run unasked, a line of its own says so.',
  'Without asking': 'Tools that its author lets an agent use unasked.',
  Packages: 'Code of others that it installs.',
  'Outside the project': 'What stays when you delete the skill, and files in your home folder.',
  Hosts: 'Where data may go. A program can call others.',
  Keys: ACCOUNT_NOTE,
  Login: ACCOUNT_NOTE,
  'Keys, login': ACCOUNT_NOTE,
  'MCP servers': 'Its text or settings name them. Whether your agent has them is up to you.',
  Clients: 'It names what one client has; others may lack it.',
  Needs: 'What its author says that it needs.',
  Files: 'All that is installed.',
  Missing: 'Its text names them and the copy has none. The skill may still work, or not.',
  Notes: 'The scan found places to look at. A serious one is a Review, above Install.',
  Context: 'What it takes of your agent’s memory: always, and when it is used.',
}

/** Effects on a machine, of which the sample label of the home page should show many kinds. */
const TELLING: readonly NeedKind[] = ['commands', 'outside', 'hosts', 'accounts', 'systems']

const countTelling = ({ needs }: Skill): number =>
  TELLING.filter((kind) => needs?.[kind].length).length

/** Shows only the first item, so that nothing is folded. */
const shorten = (row: Row): Row => {
  const {
    items: [first],
    lead,
  } = row
  const at = first?.at && !/^(?:Files|Programs)$/.test(row.key) ? { at: first.at } : {}
  return { ...row, items: [{ words: lead ?? first!.words, ...at }] }
}

/**
 * Picks the sample label for the home page and /docs: from the first starter skill, or else from the skill with the most kinds
 * of effects on a machine. Of equal skills, the newest is picked.
 */
export const pickSampleLabel = (
  [starter]: readonly Skill[],
  newest: readonly Skill[],
  isStatic = false,
): SampleLabel | undefined => {
  const read = (starter ? [starter] : newest).filter(({ needs }) => needs !== undefined)
  const [skill] = read.toSorted((a, b) => countTelling(b) - countTelling(a))
  const label = skill && labelOf(skill, [])
  if (!label) return undefined
  const { slug, name, files } = skill
  const sizes = new Map(files.map(({ path, size }) => [path, size]))
  const addressOf: FileAddress = (path, line = 1) =>
    isStatic || sizes.get(path)! > PAGED_BYTES
      ? skillFilePath(slug, path)
      : `${filePagePath(slug, path)}#L${line}`
  const rows = listRows({ skill, label, addressOf }).map(shorten)
  const beside = linked(inCode(showName(name)), skillPath(slug))
  const how = linked('How to read it', `${PATHS.docs}#read-a-label`)
  return {
    short: printLabel(
      rows,
      beside,
      phrase`Every skill has this label: what was found in its files, each with the line. ${how}`,
    ),
    annotated: printLabel(
      rows.map((row) => Object.assign({ note: NOTES[row.key] }, row)),
      beside,
      linked('What this can miss', `${PATHS.safetyDocs}#what-a-label-can-miss`),
    ),
  }
}
