import { isProgram } from '../../catalog/needs/files.ts'
import { nameNeed } from '../../catalog/needs/found.ts'
import type { Mention, Need } from '../../catalog/needs/found.ts'
import { SKILL_MD } from '../../catalog/skill.ts'
import type { Skill, SkillFile } from '../../catalog/skill.ts'
import { countOf, showNumber, stripMarks, truncateAtWord } from '../../catalog/text.ts'
import { ANY_COMMAND, readGrant } from '../../catalog/touches.ts'
import type { LabelLine, LabelView } from '../document.ts'
import { PATHS, skillPath } from '../paths.ts'
import { codeSpan, joinWords, link, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'
import { readLicenceWords, showSize } from './facts.ts'
import { estimateContext, describeScan, labelOf } from './label.ts'
import type { Label } from './label.ts'
import { showName } from './needs.ts'

/** A label that was read. `page` is the page with the evidence, or empty for the same page. */
type ReadLabel = Label & { page: string }

/** A line shows at most this many names. The evidence has more. */
const NAMES_SHOWN = 5

const LANGUAGES = { ko: 'Korean', ja: 'Japanese', zh: 'Chinese' } as const

const STARTERS = {
  both: 'your agent, or you',
  user: 'only you',
  agent: 'only your agent',
} as const

/** The input for one line of a label. */
interface LineInput {
  skill: Skill
  label: ReadLabel
  changed: LabelInput['changed']
}

type LineWriter = (input: LineInput) => Omit<LabelLine, 'key'>

const soft = (words: string): ReturnType<LineWriter> => ({ value: md`${words}`, isSoft: true })

/** Writes a name for use in a link. It is not code if it has brackets, because some parsers end the link there. */
const asCode = (need: Pick<Need, 'name'>): Markdown => {
  const name = showName(need.name)
  return /[[\]`\\]/.test(name) ? md`${name}` : codeSpan(name)
}

/** Writes the first names of a kind, and the number of the others. `unlisted` are not in `names`. */
const nameSome = (names: readonly Pick<Need, 'name'>[], unlisted = 0, write = asCode): Markdown => {
  const shown = names.slice(0, NAMES_SHOWN)
  return joinWords(shown.map(write), ', ', names.length - shown.length + unlisted)
}

/** Anchor of the evidence, the same in HTML and Markdown. */
const EVIDENCE = '#what-it-brings-and-needs'

const evidence = (words: Markdown, { page }: Pick<ReadLabel, 'page'>): Markdown =>
  link(words, page + EVIDENCE)

const asPlain = ({ name }: Pick<Need, 'name'>): Markdown => md`${showName(name)}`

/** Writes the commands that `allowed-tools` lets an agent run without asking. */
const writeUnasked = (label: ReadLabel): Markdown[] => {
  const granted = [...new Set((label.tools ?? []).flatMap(({ name }) => readGrant(name) ?? []))]
  if (granted.length === 0) return []
  const names = granted.includes(ANY_COMMAND)
    ? md`${ANY_COMMAND}`
    : nameSome(granted.map((name) => ({ name })))
  return [evidence(md`without asking: ${names}`, label)]
}

const writeServers = (label: ReadLabel): Markdown[] => {
  const { servers = [], more } = label
  if (servers.length === 0) return []
  const names = nameSome(servers, more?.servers, asPlain)
  const noun = servers.length === 1 ? 'MCP server' : 'MCP servers'
  return [md`calls the ${evidence(md`${noun} ${names}`, label)}`]
}

const writeCommands: LineWriter = ({ label }) => {
  const { commands = [], more } = label
  const names = nameSome(commands, more?.commands)
  const found = commands.length > 0 ? evidence(names, label) : undefined
  const others = [...writeUnasked(label), ...writeServers(label)]
  if (found === undefined && others.length === 0) return soft('none found')
  return { value: joinWords([found ?? md`none found`, ...others], '; ') }
}

/** Matches the name that src/catalog/needs gives to a script that is downloaded and run. */
const SCRIPT = /^a script of /
const INSTALL = /\binstall$/

type Outside = 'installs' | 'runs' | 'writes' | 'names'

const verbOf = ({ name, from, onlyNamed }: Need): Outside => {
  if (onlyNamed) return 'names'
  if (from !== undefined || INSTALL.test(name)) return 'installs'
  return /^[~/%]/.test(name) ? 'writes' : 'runs'
}

/** Kinds of effects outside the project, in the order of the line, and their wording. */
const OUTSIDE: Readonly<Record<Outside, (names: readonly Need[]) => Markdown>> = {
  installs: (names) => md`installs ${nameSome(names)} for the whole machine`,
  runs: (names) =>
    md`runs ${nameSome(names, 0, (need) => (SCRIPT.test(need.name) ? asPlain(need) : asCode(need)))}`,
  writes: (names) => md`writes ${nameSome(names)}`,
  names: (names) => md`names ${nameSome(names)}`,
}

const writeOutside: LineWriter = ({ label }) => {
  const { outside = [], more } = label
  if (outside.length === 0) return soft('nothing found')
  // A package from several installers counts once.
  const byName = new Map(outside.map((need) => [`${verbOf(need)} ${need.name}`, need]))
  const groups = Map.groupBy(byName.values(), verbOf)
  const verbs = Object.keys(OUTSIDE) as Outside[]
  const parts = verbs.flatMap((verb) => {
    const names = groups.get(verb)
    return names ? OUTSIDE[verb](names) : []
  })
  const others = more?.outside ? md` and ${more.outside} more` : md``
  return { value: evidence(md`${joinWords(parts, '; ')}${others}`, label) }
}

const writeHosts: LineWriter = ({ label }) => {
  const { hosts = [], more, client, local } = label
  const named = [
    ...(hosts.length > 0 ? [nameSome(hosts, more?.hosts, asPlain)] : []),
    ...(hosts.length === 0 && client ? [md`unnamed hosts, through ${asCode(client)}`] : []),
    ...(local ? [asPlain(local)] : []),
  ]
  if (named.length === 0) return soft('none found')
  return { value: evidence(joinWords(named), label) }
}

/** Returns the service to which a login or a variable such as `RESEND_API_KEY` belongs, or an empty string. */
const findService = ({ name, service }: Need, services: readonly string[]): string => {
  if (service !== undefined) return service
  const first = name.split('_', 1)[0]!.toLowerCase()
  return services.find((known) => known.toLowerCase().split(/\W/, 1)[0] === first) ?? ''
}

const writeAccounts: LineWriter = ({ label }) => {
  const { accounts = [], more } = label
  if (accounts.length === 0) return soft('none found')
  const services = accounts.flatMap(({ service }) => service ?? [])
  const groups = [...Map.groupBy(accounts, (need) => findService(need, services))]
  const parts = groups.map(([service, names]) => {
    const unlisted = service === '' ? (more?.accounts ?? 0) : 0
    return md`${service === '' ? '' : `${showName(service)}: `}${nameSome(names, unlisted)}`
  })
  return { value: evidence(joinWords(parts, '; '), label) }
}

/** Longest compatibility note of an author in a label, in characters. The JSON has more of it. */
const COMPATIBILITY_SHOWN = 120

const writeSystems: LineWriter = ({ label: { systems = [], compatibility = '', page } }) => {
  const words = truncateAtWord(stripMarks(compatibility), COMPATIBILITY_SHOWN)
  const quoted = words === '' ? undefined : { aside: md`“${words}”, says its author` }
  if (systems.length === 0) return { ...soft('not stated'), ...quoted }
  // If the author states systems, systems named only by install commands do not count.
  const stated = systems.filter(({ declared }) => declared)
  const shown = (stated.length > 0 ? stated : systems).map(nameNeed).map(showName)
  return { value: evidence(md`${shown.join(', ')}`, { page }), ...quoted }
}

const isRunnable = ({ path, isExecutable }: SkillFile): boolean =>
  path !== SKILL_MD && (isExecutable === true || isProgram(path))

const writeFiles: LineWriter = ({ skill: { files }, label }) => {
  const size = showSize(files.reduce((sum, file) => sum + file.size, 0))
  if (files.length === 1)
    return { value: md`${evidence(md`${SKILL_MD}, ${size}`, label)}, nothing else` }
  // Executable files count as programs even if they were not read.
  const count = Math.max(label.programs ?? 0, files.filter(isRunnable).length)
  const what = count === 0 ? 'no programs' : countOf(count, 'program')
  return { value: md`${evidence(md`${files.length} files, ${size}`, label)}, ${what}` }
}

const writeScan: LineWriter = ({ skill, label: { page } }) => {
  const words = describeScan(skill)
  if (skill.findings.length === 0) return { value: md`${words}` }
  const value = link(words, `${page}#findings`)
  return skill.safety === 'Review' ? { value, isWarning: true } : { value }
}

const writeContext: LineWriter = ({ skill }) => {
  const { always, use, all } = estimateContext(skill)
  const value = md`${showNumber(always)} tokens always, ${showNumber(use)} in use`
  const listed = skill.whenToUse && always > 0 ? [md`always: where clients list when_to_use`] : []
  const whole = all > use ? [md`${showNumber(all)} with all its files`] : []
  const asides = [...listed, ...whole]
  return asides.length > 0 ? { value, aside: joinWords(asides, '; ') } : { value }
}

const writeVersion: LineWriter = ({ label: { version } }) =>
  version === undefined
    ? soft('not stated')
    : { value: md`${version}`, aside: md`the author’s own number` }

const writeDay: LineWriter = ({ skill: { updated }, changed, label }) => {
  if (updated === undefined) return soft('not known')
  if (changed === undefined) return { value: md`${updated}` }
  return { value: md`${evidence(md`${updated}`, label)}: ${changed}` }
}

const writeLicence: LineWriter = ({ skill }) => {
  const words = readLicenceWords(skill)
  if (words === undefined) return soft('not stated')
  const isOfRepository = skill.source.kind === 'upstream' && !skill.statesLicence
  return {
    value: md`${words.short}`,
    ...(isOfRepository ? { aside: md`from its repository` } : {}),
  }
}

/** Writes what a client runs by itself, such as a hook. Few skills have any. */
const writeItself: LineWriter = ({ label }) => ({
  value: evidence(nameSome(label.unasked ?? [], label.more?.unasked), label),
  isWarning: true,
})

/** The lines of every label. A text that is not English has one more line, its language. */
const LINES: readonly (readonly [key: string, write: LineWriter])[] = [
  ['Runs commands', writeCommands],
  ['Outside the project', writeOutside],
  ['Network', writeHosts],
  ['Account or key', writeAccounts],
  ['Operating system', writeSystems],
  ['Brings', writeFiles],
  ['Scan', writeScan],
  ['Started by', ({ label }) => ({ value: md`${STARTERS[label.startedBy ?? 'both']}` })],
  ['Context', writeContext],
  ['Version', writeVersion],
  ['Last changed', writeDay],
  ['Licence', writeLicence],
]

/** What a label shows besides the skill itself. */
interface LabelInput {
  /** Other skills that the text of the skill names. */
  mentioned: readonly Mention[]
  /** The number of files that changed since the previous version, in words, if known. */
  changed?: string | undefined
  /** The page of the skill, if the label is shown on another page. */
  page?: string
}

/** Writes which files were read: `Read: 12 of its 14 files (not: x.jar, y.bin).` */
const writeRead = ({ read: { files, of, not = [] } }: Label): Markdown => {
  if (files === of) return md`Read: its ${of === 1 ? SKILL_MD : countOf(of, 'file')}.`
  const names = not.map((name) => ({ name }))
  const unread = nameSome(names, of - files - names.length, asPlain)
  return md`Read: ${files} of its ${countOf(of, 'file')} (not: ${unread}).`
}

/** Writes the label of a skill; undefined if the registry does not have its text. */
export const writeLabel = (
  skill: Skill,
  { mentioned, changed, page = '' }: LabelInput,
): LabelView | undefined => {
  const read = labelOf(skill, mentioned)
  if (read === undefined) return undefined
  const label = { ...read, page }
  const misses = link('What this can miss', `${PATHS.safetyDocs}#what-a-label-can-miss`)
  return {
    title: 'At a glance',
    origin: md`${writeRead(read)} ${misses}`,
    lines: [
      ...(label.unasked
        ? [Object.assign({ key: 'Runs by itself' }, writeItself({ skill, label, changed }))]
        : []),
      ...LINES.map(([key, write]) => Object.assign({ key }, write({ skill, label, changed }))),
      ...(label.language ? [{ key: 'Language', value: md`${LANGUAGES[label.language]}` }] : []),
    ],
  }
}

/** The first lines of a label, about effects on a machine and its operating system. */
const MAIN_LINES = 5

/** Longest value of a line for which the home page has room, in characters. */
const SHORT_VALUE = 64

const countInformative = ({ lines }: LabelView): number =>
  lines
    .slice(0, MAIN_LINES)
    .filter(({ isSoft, value }) => !isSoft && stripMarks(String(value)).length <= SHORT_VALUE)
    .length

/**
 * Picks the sample label for the home page: from the first starter skill, or else from the skill with the most main
 * lines that are informative and short. Of equal skills, the newest is picked.
 */
export const pickSampleLabel = (
  [starter]: readonly Skill[],
  newest: Iterable<Skill>,
): LabelView | undefined => {
  let best: LabelView | undefined
  for (const skill of starter ? [starter] : newest) {
    const page = skillPath(skill.slug)
    const label = writeLabel(skill, { mentioned: [], page })
    if (!label || (best && countInformative(label) <= countInformative(best))) continue
    best = { ...label, origin: md`${link(asCode(skill), page)}` }
    if (countInformative(best) === MAIN_LINES) break
  }
  return best
}
