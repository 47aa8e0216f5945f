import type { NeedKind, Mention, Need } from '../../catalog/needs/found.ts'
import type { Skill } from '../../catalog/skill.ts'
import { countOf, revealHidden } from '../../catalog/text.ts'
import type { FileAddress } from '../answered/file.ts'
import type { EvidenceRow } from '../document.ts'
import { readLicenceWords, showSize } from './facts.ts'
import { skillPath } from '../paths.ts'
import { codeSpan, link, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'

/** Most names of one kind that are shown; how many more there are is said. */
const SHOWN_NAMES = 20
/** Characters that are shown of a name; a stranger may write longer ones. */
const NAME_LIMIT = 160

/** Makes a stranger's words one line in which everything is seen. */
export const showLine = (text: string): string =>
  revealHidden(text.toWellFormed())
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** A name that a stranger wrote, as a line that is not too long. */
export const showName = (text: string): string => {
  const line = showLine(text)
  return line.length > NAME_LIMIT ? `${line.slice(0, NAME_LIMIT).toWellFormed()}…` : line
}

const asCode = ({ name }: Need): Markdown => codeSpan(showName(name))

/** Where a name was read; the number stays with its word. */
const linkPlace = ({ file, line }: Need, addressOf: FileAddress): Markdown => {
  const place = md`line\u00A0${line}`
  const words = file === 'SKILL.md' ? place : md`${showName(file)}, ${place}`
  return link(words, addressOf(file, line))
}

/** What is known of a name besides its place. */
const describeMarks = ({ from, machineWide, declared, required }: Need): string => {
  const stated = declared ? (required ? 'required' : 'optional') : ''
  const source = from === undefined ? '' : `from ${from}`
  return [stated, source, machineWide ? 'for the whole machine' : ''].filter(Boolean).join(', ')
}

/** A shell without limits, however it is asked for. */
const ANY_COMMAND = /^(?:Bash|Shell|PowerShell)(?:\(\s?(?:\*|:\*|\*:\*)?\s?\))?$/i

/** The words for a name, and what is said of it. */
interface Written {
  name: Markdown
  note?: string
}

const writeNamed = (need: Need): Written => ({ name: asCode(need), note: describeMarks(need) })

const writePlain = (need: Need): Written => ({ name: asCode(need) })

const writeMention = (need: Mention): Written =>
  need.slug === undefined
    ? { name: asCode(need), note: 'not in this registry' }
    : { name: link(showName(need.name), skillPath(need.slug)) }

const writeTool = (need: Need): Written => ({
  name: asCode(need),
  note: ANY_COMMAND.test(need.name) ? 'any command' : '',
})

const writeOutside = (need: Need): Written => ({
  name: asCode(need),
  note: need.onlyNamed ? 'only named' : need.from === undefined ? '' : `from ${need.from}`,
})

const writeAccount = (need: Need): Written => ({
  name: asCode(need),
  note: need.service === undefined ? '' : `logs in to ${showName(need.service)}`,
})

/** What the files name, in the order of the page. */
export const NAMED_NEEDS: readonly (readonly [NeedKind, string, (need: Mention) => Written])[] = [
  ['commands', 'Commands', writeNamed],
  ['packages', 'Packages', writeNamed],
  ['variables', 'Variables', writeNamed],
  ['hosts', 'Hosts', writePlain],
  ['servers', 'MCP servers', writePlain],
  ['accounts', 'Logins and keys', writeAccount],
  ['outside', 'Outside the project', writeOutside],
  ['systems', 'Systems', writePlain],
  ['tools', 'Declared tools', writeTool],
  ['skills', 'Other skills', writeMention],
  ['missing', 'Not included', writePlain],
]

/** Names in one item, those of which more is known in an item each; `more` are not listed. */
const writeItems = (
  needs: readonly Mention[],
  more: number,
  write: (need: Mention) => Written,
  addressOf: FileAddress,
): Markdown[] => {
  const plain: Markdown[] = []
  const noted: Markdown[] = []
  for (const need of needs.slice(0, SHOWN_NAMES)) {
    const { name, note = '' } = write(need)
    const place = linkPlace(need, addressOf)
    if (note === '') plain.push(md`${plain.length > 0 ? ', ' : ''}${name} ${place}`)
    else noted.push(md`${name} ${note}, ${place}`)
  }
  const rest = more + Math.max(0, needs.length - SHOWN_NAMES)
  return [
    ...noted,
    ...(plain.length > 0 ? [md`${plain}`] : []),
    ...(rest > 0 ? [md`and ${rest} more`] : []),
  ]
}

const writeFiles = ({ files }: Skill, addressOf: FileAddress): EvidenceRow => {
  const shown = files
    .slice(0, SHOWN_NAMES)
    .map(({ path, size }) => md`${link(showName(path), addressOf(path))} (${showSize(size)})`)
  const rest = files.length - shown.length
  const sum = showSize(files.reduce((all, { size }) => all + size, 0))
  return {
    label: 'Files',
    lead: `${countOf(files.length, 'file')}, ${sum}`,
    items: [...shown, ...(rest > 0 ? [md`and ${rest} more`] : [])],
  }
}

const writeLicence = (skill: Skill): EvidenceRow[] => {
  const words = readLicenceWords(skill)
  if (!words?.isCut) return []
  return [{ label: 'Licence', items: [md`“${words.whole}”`] }]
}

const writeTestCases = ({ testCases }: Skill, addressOf: FileAddress): EvidenceRow[] => {
  if (testCases === undefined) return []
  const cases = link(countOf(testCases, 'test case'), addressOf('evals/evals.json'))
  return [{ label: 'Test cases', items: [md`${cases} by its author`] }]
}

/** What the section shows beside the skill. */
interface NeedsInput {
  /** The other skills that its text names. */
  mentioned: readonly Mention[]
  addressOf: FileAddress
  /** The row of its versions. */
  versions?: EvidenceRow | undefined
}

/** The rows of "What it brings and needs": what its files name, each name with its place, and its files. */
export const listEvidence = (
  skill: Skill,
  { mentioned, addressOf, versions }: NeedsInput,
): readonly EvidenceRow[] => {
  const { needs, files } = skill
  if (files.length === 0) return writeLicence(skill)
  const named = NAMED_NEEDS.flatMap(([kind, label, write]): EvidenceRow[] => {
    const names = kind === 'skills' ? mentioned : (needs?.[kind] ?? [])
    if (names.length === 0) return []
    const items = writeItems(names, needs?.more?.[kind] ?? 0, write, addressOf)
    return [{ label, items }]
  })
  return [
    ...named,
    ...writeTestCases(skill, addressOf),
    ...writeLicence(skill),
    writeFiles(skill, addressOf),
    ...(versions ? [versions] : []),
  ]
}
