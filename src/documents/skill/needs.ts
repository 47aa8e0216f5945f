import type { NeedKind, Mention, Need } from '../../catalog/needs/found.ts'
import { SKILL_MD } from '../../catalog/skill.ts'
import type { Skill } from '../../catalog/skill.ts'
import { countOf, revealHidden } from '../../catalog/text.ts'
import { ANY_COMMAND, readGrant } from '../../catalog/touches.ts'
import type { FileAddress } from '../on-request/file.ts'
import type { EvidenceRow } from '../document.ts'
import { readLicenceWords, showSize } from './facts.ts'
import { skillPath } from '../paths.ts'
import { codeSpan, joinWords, link, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'

/** A row shows at most this many names; the others are counted. */
const SHOWN_NAMES = 20
/** Longest name that is shown in full, in characters. Untrusted names can be longer. */
const NAME_LIMIT = 160

/** Makes untrusted text a single line without hidden characters. */
export const showLine = (text: string): string =>
  revealHidden(text.toWellFormed())
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Makes an untrusted name a single line of limited length without hidden characters. */
export const showName = (text: string): string => {
  const line = showLine(text)
  return line.length > NAME_LIMIT ? `${line.slice(0, NAME_LIMIT).toWellFormed()}…` : line
}

/** Links to the line in which a name was found. A no-break space keeps “line” and its number together. */
const linkPlace = ({ file, line }: Need, addressOf: FileAddress): Markdown => {
  const place = md`line\u00A0${line}`
  const words = file === SKILL_MD ? place : md`${showName(file)}, ${place}`
  return link(words, addressOf(file, line))
}

const describeUse = ({ from, machineWide, declared, required }: Need): string =>
  [
    declared && (required ? 'required' : 'optional'),
    from && `from ${from}`,
    machineWide && 'for the whole machine',
  ]
    .filter(Boolean)
    .join(', ')

/** The kinds of names in files, in the order of the page: kind, label, and a function that writes a note. */
const NAMED_NEEDS: readonly (readonly [
  NeedKind,
  string,
  ((need: Mention) => string | false | undefined)?,
])[] = [
  ['commands', 'Commands', describeUse],
  ['packages', 'Packages', describeUse],
  ['variables', 'Variables', describeUse],
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
  ['unasked', 'Runs by itself'],
  ['skills', 'Other skills', ({ slug }) => slug === undefined && 'not in this registry'],
  ['missing', 'Not included'],
]

/** Writes names. A name with a note is a separate item. `unlisted` is the number of names not in `needs`. */
const writeItems = (
  needs: readonly Mention[],
  unlisted: number,
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
  const omitted = unlisted + Math.max(0, needs.length - SHOWN_NAMES)
  return [
    ...noted,
    ...(plain.length > 0 ? [joinWords(plain)] : []),
    ...(omitted > 0 ? [md`and ${omitted} more`] : []),
  ]
}

const writeFiles = ({ files }: Skill, addressOf: FileAddress): EvidenceRow => {
  const shown = files
    .slice(0, SHOWN_NAMES)
    .map(({ path, size }) => md`${link(showName(path), addressOf(path))} (${showSize(size)})`)
  const omitted = files.length - shown.length
  const sum = showSize(files.reduce((all, { size }) => all + size, 0))
  return {
    label: 'Files',
    lead: `${countOf(files.length, 'file')}, ${sum}`,
    items: [...shown, ...(omitted > 0 ? [md`and ${omitted} more`] : [])],
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

/** What the section shows besides the skill itself. */
interface NeedsInput {
  /** Other skills that the text of the skill names. */
  mentioned: readonly Mention[]
  addressOf: FileAddress
  /** The row about versions. */
  versions?: EvidenceRow | undefined
}

/** Lists the rows of "What it brings and needs": the names in the files, each with its place, and the files. */
export const listEvidence = (
  skill: Skill,
  { mentioned, addressOf, versions }: NeedsInput,
): readonly EvidenceRow[] => {
  const { needs, files } = skill
  if (files.length === 0) return writeLicence(skill)
  const nameRows = NAMED_NEEDS.flatMap(([kind, label, note]): EvidenceRow[] => {
    const names = kind === 'skills' ? mentioned : (needs?.[kind] ?? [])
    if (names.length === 0) return []
    const items = writeItems(names, needs?.more?.[kind] ?? 0, note, addressOf)
    return [{ label, items }]
  })
  return [
    ...nameRows,
    ...writeTestCases(skill, addressOf),
    ...writeLicence(skill),
    writeFiles(skill, addressOf),
    ...(versions ? [versions] : []),
  ]
}
