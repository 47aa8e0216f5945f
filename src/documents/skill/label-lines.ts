import { isProgram } from '../../catalog/needs/files.ts'
import { nameNeed } from '../../catalog/needs/found.ts'
import type { Mention, Need } from '../../catalog/needs/found.ts'
import { SKILL_MD } from '../../catalog/skill.ts'
import type { Skill, SkillFile } from '../../catalog/skill.ts'
import { countOf, showNumber } from '../../catalog/text.ts'
import type { LabelLine, LabelView } from '../document.ts'
import { PATHS, skillPath } from '../paths.ts'
import { codeSpan, link, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'
import { readLicenceWords, showSize } from './facts.ts'
import { estimateContext, describeScan, labelOf } from './label.ts'
import type { Label } from './label.ts'
import { showName } from './needs.ts'

/** A label that was read, and the page that has its evidence; empty for the same page. */
type ReadLabel = Extract<Label, { read: true }> & { page: string }

/** Most names in one line; the row of the evidence has the others. */
const NAMES_SHOWN = 5

const LANGUAGES = { ko: 'Korean', ja: 'Japanese', zh: 'Chinese' } as const

const STARTERS = {
  both: 'your agent, or you',
  user: 'only you',
  agent: 'only your agent',
} as const

const soft = (key: string, words: string): LabelLine => ({
  key,
  value: md`${words}`,
  isSoft: true,
})

/** A name within a link: some readers of Markdown end one at a bracket in code, too. */
const asCode = (need: Pick<Need, 'name'>): Markdown => {
  const name = showName(need.name)
  return /[[\]`\\]/.test(name) ? md`${name}` : codeSpan(name)
}

const joinParts = (parts: readonly Markdown[], sign = ', '): Markdown =>
  md`${parts.map((part, at) => md`${at > 0 ? sign : ''}${part}`)}`

/** Some names of a kind, and how many more there are. */
const nameSome = (
  names: readonly Need[],
  more: number,
  write: (need: Need) => Markdown = asCode,
): Markdown => {
  const shown = joinParts(names.slice(0, NAMES_SHOWN).map(write))
  const rest = names.length + more - Math.min(names.length, NAMES_SHOWN)
  return rest > 0 ? md`${shown} and ${rest} more` : shown
}

/** Both forms of a page have the anchor of this heading. */
const EVIDENCE = '#what-it-brings-and-needs'

const evidence = (words: Markdown, { page }: Pick<ReadLabel, 'page'>): Markdown =>
  link(words, page + EVIDENCE)

/** What a shell may run without a question, by the tools that its front matter asks for. */
const SHELL_TOOL = /^(?:Bash|Shell|PowerShell)(?:\((.*)\))?$/is

/** Names the commands that `allowed-tools` lets run without a question. */
const listUnasked = (tools: readonly Need[]): string[] => {
  const granted = tools.flatMap(({ name }) => {
    const found = SHELL_TOOL.exec(name)
    if (!found) return []
    const command = (found[1] ?? '').replace(/[:*\s]+$/, '').trim()
    return [command === '' ? 'any command' : command]
  })
  const names = [...new Set(granted)]
  return names.includes('any command') ? ['any command'] : names
}

/** A command of the SKILL.md itself, or a required one, says more than one of another file. */
const byWeight = (a: Need, b: Need): number => Number(b.required ?? 0) - Number(a.required ?? 0)

const writeUnasked = (label: ReadLabel): Markdown[] => {
  const names = listUnasked(label.tools)
  if (names.length === 0) return []
  const shown = names.slice(0, NAMES_SHOWN).map((name) => {
    return name === 'any command' ? md`any command` : asCode({ name })
  })
  const rest = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : ''
  return [evidence(md`without asking: ${joinParts(shown)}${rest}`, label)]
}

const writeServers = (label: ReadLabel): Markdown[] => {
  const { servers, more } = label
  if (servers.length === 0) return []
  const names = nameSome(servers, more?.servers ?? 0, ({ name }) => md`${showName(name)}`)
  const noun = servers.length === 1 ? 'MCP server' : 'MCP servers'
  return [md`calls the ${evidence(md`${noun} ${names}`, label)}`]
}

const writeCommands = (label: ReadLabel): LabelLine => {
  const key = 'Runs commands'
  const { commands, more } = label
  const names = nameSome(commands.toSorted(byWeight), more?.commands ?? 0)
  const found = commands.length > 0 ? evidence(names, label) : undefined
  const others = [...writeUnasked(label), ...writeServers(label)]
  if (found === undefined && others.length === 0) return soft(key, 'none found')
  return { key, value: joinParts([found ?? md`none found`, ...others], '; ') }
}

/** How the reader of needs calls a script that is fetched and run at once. */
const SCRIPT = /^a script of /

/** What can be outside of the project, and how its line says it. */
const OUTSIDE: readonly {
  is: (name: string) => boolean
  say: (names: readonly Need[]) => Markdown
}[] = [
  {
    is: (name) => !SCRIPT.test(name) && !/^[~/%]/.test(name),
    say: (names) => md`installs ${nameSome(names, 0)} for the whole machine`,
  },
  {
    is: (name) => SCRIPT.test(name),
    say: (names) => md`runs ${nameSome(names, 0, ({ name }) => md`${showName(name)}`)}`,
  },
  { is: (name) => /^[~/%]/.test(name), say: (names) => md`writes ${nameSome(names, 0)}` },
]

const writeOutside = (label: ReadLabel): LabelLine => {
  const { outside, more } = label
  const key = 'Outside the project'
  if (outside.length === 0) return soft(key, 'nothing found')
  const parts = OUTSIDE.flatMap(({ is, say }) => {
    const names = outside.filter(({ name }) => is(name))
    return names.length > 0 ? say(names) : []
  })
  const rest = more?.outside ? md` and ${more.outside} more` : md``
  return { key, value: evidence(md`${joinParts(parts, '; ')}${rest}`, label) }
}

const writeHosts = (label: ReadLabel): LabelLine => {
  const { hosts, more } = label
  const key = 'Network'
  if (hosts.length === 0) return soft(key, 'none found')
  const names = nameSome(hosts, more?.hosts ?? 0, ({ name }) => md`${showName(name)}`)
  return { key, value: evidence(names, label) }
}

/** The service that a login or a variable such as `RESEND_API_KEY` belongs to; empty if it is not known. */
const findService = ({ name, service }: Need, services: readonly string[]): string => {
  if (service !== undefined) return service
  const first = name.split('_', 1)[0]!.toLowerCase()
  return services.find((one) => one.toLowerCase().split(/\W/, 1)[0] === first) ?? ''
}

const writeAccounts = (label: ReadLabel): LabelLine => {
  const { accounts, more } = label
  const key = 'Account or key'
  if (accounts.length === 0) return soft(key, 'none found')
  const services = accounts.flatMap(({ service }) => service ?? [])
  const groups = [...Map.groupBy(accounts, (one) => findService(one, services))]
  const parts = groups.map(([service, names]) => {
    const cut = service === '' ? (more?.accounts ?? 0) : 0
    return md`${service === '' ? '' : `${showName(service)}: `}${nameSome(names, cut)}`
  })
  return { key, value: evidence(joinParts(parts, '; '), label) }
}

const writeSystems = (label: ReadLabel): LabelLine => {
  const key = 'Operating system'
  if (label.systems.length === 0) return soft(key, 'not stated')
  // What its author states is truer than for which systems there are install lines.
  const stated = label.systems.filter(({ declared }) => declared)
  const systems = stated.length > 0 ? stated : label.systems
  return { key, value: evidence(md`${systems.map(nameNeed).map(showName).join(', ')}`, label) }
}

const isStarted = ({ path, isExecutable }: SkillFile): boolean =>
  path !== SKILL_MD && (isExecutable === true || isProgram(path))

const writeFiles = ({ files }: Skill, { programs, page }: ReadLabel): LabelLine => {
  const key = 'Brings'
  const size = showSize(files.reduce((sum, file) => sum + file.size, 0))
  if (files.length === 1)
    return { key, value: md`${link(`${SKILL_MD}, ${size}`, page + EVIDENCE)}, nothing else` }
  // Those that no reader opens count too.
  const count = Math.max(programs, files.filter(isStarted).length)
  const what = count === 0 ? 'no programs' : countOf(count, 'program')
  return { key, value: md`${link(`${files.length} files, ${size}`, page + EVIDENCE)}, ${what}` }
}

const writeScan = (skill: Skill, { page }: ReadLabel): LabelLine => {
  const key = 'Scan'
  const words = describeScan(skill)
  if (skill.findings.length === 0) return { key, value: md`${words}` }
  const value = link(words, `${page}#findings`)
  return skill.safety === 'Review' ? { key, value, isWarning: true } : { key, value }
}

const writeContext = (skill: Skill): LabelLine => {
  const { always, use, all } = estimateContext(skill)
  const words = md`${showNumber(always)} tokens always, ${showNumber(use)} in use`
  const aside = all > use ? { aside: md`${showNumber(all)} with all its files` } : {}
  return { key: 'Context', value: words, ...aside }
}

const writeVersion = ({ version }: ReadLabel): LabelLine =>
  version === undefined
    ? soft('Version', 'not stated')
    : { key: 'Version', value: md`${version}`, aside: md`the author’s own number` }

const writeDay = ({ updated }: Skill): LabelLine =>
  updated === undefined
    ? soft('Last changed', 'not known')
    : { key: 'Last changed', value: md`${updated}` }

const writeLicence = (skill: Skill): LabelLine => {
  const words = readLicenceWords(skill)
  if (words === undefined) return soft('Licence', 'not stated')
  const isOfRepository = skill.source.kind === 'upstream' && !skill.statesLicence
  const aside = isOfRepository ? { aside: md`of its repository` } : {}
  return { key: 'Licence', value: words.short, ...aside }
}

/** What a label is made of besides the skill. */
interface LabelInput {
  /** The other skills that its text names. */
  mentioned: readonly Mention[]
  /** The page of the skill, where the label stands on another. */
  page?: string
}

/** The label of a skill, in the same lines for every one; undefined where its text is not here. */
export const writeLabel = (
  skill: Skill,
  { mentioned, page = '' }: LabelInput,
): LabelView | undefined => {
  const read = labelOf(skill, mentioned)
  if (!read.read) return undefined
  const label = { ...read, page }
  const files = skill.files.length === 1 ? 'its SKILL.md' : `its ${skill.files.length} files`
  const misses = link('What this can miss', `${PATHS.safetyDocs}#what-a-label-can-miss`)
  return {
    title: 'At a glance',
    origin: md`Read from ${files}. ${misses}`,
    lines: [
      writeCommands(label),
      writeOutside(label),
      writeHosts(label),
      writeAccounts(label),
      writeSystems(label),
      writeFiles(skill, label),
      writeScan(skill, label),
      { key: 'Started by', value: md`${STARTERS[label.startedBy]}` },
      writeContext(skill),
      writeVersion(label),
      writeDay(skill),
      writeLicence(skill),
      ...(label.language ? [{ key: 'Language', value: md`${LANGUAGES[label.language]}` }] : []),
    ],
  }
}

/** Lines that may be soft: what it touches, and its system. */
const TELLING_LINES = 5

const countTold = ({ lines }: LabelView): number =>
  lines.slice(0, TELLING_LINES).filter(({ isSoft }) => !isSoft).length

/**
 * The label that stands for all on the start page: that of the first starter, else of the newest skill of which every line
 * tells something, or the most lines do.
 */
export const findSpecimen = (
  [starter]: readonly Skill[],
  newest: Iterable<Skill>,
): LabelView | undefined => {
  let best: LabelView | undefined
  for (const skill of starter ? [starter] : newest) {
    const page = skillPath(skill.slug)
    const label = writeLabel(skill, { mentioned: [], page })
    if (!label || (best && countTold(label) <= countTold(best))) continue
    best = { ...label, origin: md`${link(asCode(skill), page)}` }
    if (countTold(best) === TELLING_LINES) break
  }
  return best
}
