import type { NeedKind, Mention, Need } from '../../catalog/needs/found.ts'
import type { Skill } from '../../catalog/skill.ts'
import { countOf, revealHidden } from '../../catalog/text.ts'
import { ANY_COMMAND, readGrant } from '../../catalog/touches.ts'
import type { FileAddress } from '../on-request/file.ts'
import type { EvidenceRow } from '../document.ts'
import { readLicenceWords, showSize } from './facts.ts'
import { skillPath } from '../paths.ts'
import { codeSpan, joinWords, link, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'

/** Most names of one kind that are shown; the rest is given as a number. */
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

/** Where a name was read; the number stays with its word. */
const linkPlace = ({ file, line }: Need, addressOf: FileAddress): Markdown => {
  const place = md`line\u00A0${line}`
  const words = file === 'SKILL.md' ? place : md`${showName(file)}, ${place}`
  return link(words, addressOf(file, line))
}

const describeMarks = ({ from, machineWide, declared, required }: Need): string =>
  [
    declared && (required ? 'required' : 'optional'),
    from && `from ${from}`,
    machineWide && 'for the whole machine',
  ]
    .filter(Boolean)
    .join(', ')

/** The kinds of names in files, in the order of the page, with the words about a name besides its place. */
export const NAMED_NEEDS: readonly (readonly [
  NeedKind,
  string,
  ((need: Mention) => string | false | undefined)?,
])[] = [
  ['commands', 'Commands', describeMarks],
  ['packages', 'Packages', describeMarks],
  ['variables', 'Variables', describeMarks],
  ['hosts', 'Hosts'],
  ['servers', 'MCP servers'],
  ['accounts', 'Logins and keys', ({ service }) => service && `logs in to ${showName(service)}`],
  [
    'outside',
    'Outside the project',
    ({ from, onlyNamed }) => (onlyNamed ? 'only named' : from && `from ${from}`),
  ],
  ['systems', 'Systems'],
  ['tools', 'Declared tools', ({ name }) => readGrant(name) === ANY_COMMAND && ANY_COMMAND],
  ['skills', 'Other skills', ({ slug }) => slug === undefined && 'not in this registry'],
  ['missing', 'Not included'],
]

/** Writes names in one item, and those with further facts in an item each; `more` are not listed. */
const writeItems = (
  needs: readonly Mention[],
  more: number,
  noteOf: (typeof NAMED_NEEDS)[number][2],
  addressOf: FileAddress,
): Markdown[] => {
  const plain: Markdown[] = []
  const noted: Markdown[] = []
  for (const need of needs.slice(0, SHOWN_NAMES)) {
    const [words, place] = [showName(need.name), linkPlace(need, addressOf)]
    const name = need.slug === undefined ? codeSpan(words) : link(words, skillPath(need.slug))
    const note = noteOf?.(need)
    if (note) noted.push(md`${name} ${note}, ${place}`)
    else plain.push(md`${name} ${place}`)
  }
  const rest = more + Math.max(0, needs.length - SHOWN_NAMES)
  return [
    ...noted,
    ...(plain.length > 0 ? [joinWords(plain)] : []),
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

/** The input of the section besides the skill. */
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
  const named = NAMED_NEEDS.flatMap(([kind, label, note]): EvidenceRow[] => {
    const names = kind === 'skills' ? mentioned : (needs?.[kind] ?? [])
    if (names.length === 0) return []
    const items = writeItems(names, needs?.more?.[kind] ?? 0, note, addressOf)
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
