import type { BlockContent, PhrasingContent, RootContent } from 'mdast'
import { LISTING_BUDGETS, costInListing, estimateTokens } from '../catalog/tokens.ts'
import { collectNeeds } from '../catalog/needs/needs.ts'
import type { Named, Needs } from '../catalog/needs/needs.ts'
import { isProse } from '../catalog/needs/passages.ts'
import { SKILL_MD } from '../catalog/skill.ts'
import type { Skill } from '../catalog/skill.ts'
import { countCharacters, countOf, decodeLoosely, revealHidden } from '../catalog/text.ts'
import { showSize } from './facts.ts'
import { createFileAddress } from './answered/file.ts'
import type { FileAddress, SkillBytes } from './answered/file.ts'
import { skillPath, twinPath } from './paths.ts'
import {
  inlineCode,
  joinWords,
  linkTo,
  listOf,
  onlyIn,
  paragraph,
  strong,
  tableOf,
} from './tree.ts'
import type { Words } from './tree.ts'

/** How much of everything is shown; how much more there is is said. */
interface Room {
  /** Names of one kind. */
  names: number
  /** Places that are linked; the rest are said alone, as a link takes ten times their room. */
  links: number
  /** Files of the table in HTML, and characters of their names: each costs twice its name and 70 more. */
  files: number
  paths: number
}

/** On a page that has more to show than others, the narrow one. */
const ROOMS: Readonly<Record<'usual' | 'narrow', Room>> = {
  usual: { names: 8, links: 10, files: 20, paths: 700 },
  narrow: { names: 3, links: 4, files: 6, paths: 200 },
}

/** Characters that are shown of a name or a comment; a stranger may write longer ones. */
const NAME_LIMIT = 160

/** Makes a stranger's words one line in which everything is seen. */
const showLine = (text: string): string => {
  const line = revealHidden(text.toWellFormed()).replace(/[\s\p{Cc}]+/gu, ' ')
  return line.length > NAME_LIMIT ? `${line.slice(0, NAME_LIMIT).toWellFormed()}…` : line
}

const row = (label: string, ...words: Words): Words => [strong(label), ': ', ...words]

/** Makes what writes the place of each name; the first places are links. */
const createPlaceWriter = (
  addressOf: FileAddress,
  links: number,
): ((named: Named) => PhrasingContent | string) => {
  let left = links
  return ({ file, line }) => {
    const label = file === SKILL_MD ? `line ${line}` : `${showLine(file)}, line ${line}`
    left -= 1
    return left >= 0 ? linkTo(label, addressOf(file, line)) : label
  }
}

/** What files can name, in the order of the page, and what is said where none does. */
const ROWS: readonly { kind: Exclude<keyof Needs, 'scripts'>; label: string; none: string }[] = [
  { kind: 'commands', label: 'Commands', none: 'command' },
  { kind: 'packages', label: 'Packages', none: 'package that a command installs' },
  { kind: 'variables', label: 'Environment variables', none: 'environment variable' },
  { kind: 'hostsCalled', label: 'Hosts in commands and code', none: 'host in a command' },
  { kind: 'hostsLinked', label: 'Hosts in links and text', none: 'host in a link' },
  { kind: 'paths', label: 'Paths', none: 'path outside the project' },
  { kind: 'servers', label: 'MCP servers', none: 'MCP server' },
  { kind: 'skills', label: 'Other skills', none: 'other skill' },
  { kind: 'strayLinks', label: 'Files that it names and does not bring', none: 'missing file' },
]

/** The tools and the servers stand behind what commands reach. */
const TOOLS_BEFORE = ROWS.findIndex(({ kind }) => kind === 'servers')

/** A shell without limits, however it is asked for. */
const ANY_COMMAND = /^(?:Bash|Shell|PowerShell)(?:\(\s?(?:\*|:\*|\*:\*)?\s?\))?$/i

const writeTools = (tools: readonly string[], { commands }: Needs, { names }: Room): Words => {
  if (tools.length > 0)
    return row(
      'Tools',
      ...joinWords(
        tools,
        (tool) => [inlineCode(showLine(tool)), ANY_COMMAND.test(tool) ? ' (any command)' : ''],
        names,
      ),
    )
  return row(
    'Tools',
    commands.length > 0 ? 'none declared, though commands are named' : 'none declared',
  )
}

const writeScripts = ({ scripts }: Needs, addressOf: FileAddress, { names }: Room): Words[] =>
  scripts.length === 0
    ? []
    : [
        row(
          'Scripts',
          ...joinWords(
            scripts,
            ({ path, comment }) => [
              linkTo(path, addressOf(path)),
              comment === '' ? ' (says nothing of itself)' : `: “${showLine(comment)}”`,
            ],
            names,
          ),
        ),
      ]

// Creating a formatter costs more than the rest of a row.
const ROUGH = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 })
const NUMBERS = new Intl.NumberFormat('en')
const NAMES = new Intl.ListFormat('en', { type: 'disjunction' })

/** Rounds an estimate to two significant digits. */
const showRoughly = (count: number): string => ROUGH.format(count)

const showTokens = (text: string): string => `about ${showRoughly(estimateTokens(text))} tokens`

const showLength = (text: string): string => `${NUMBERS.format(countCharacters(text))} characters`

/** Files up to which they are named in a line; more are a table. */
const FEW_FILES = 3

/** Files that the table lists in the twin, where a row costs little. */
const TWIN_FILES = 200

/** Tokens of a file that a model reads whole; the SKILL.md has a row of its own. */
const costOf = (path: string, bytes: Uint8Array | undefined): number | undefined =>
  bytes && path !== SKILL_MD && isProse(path) ? estimateTokens(decodeLoosely(bytes)) : undefined

/** The files with their sizes; what texts cost when they are read. */
const writeFiles = (
  { files, slug }: Skill,
  bytesOf: ReadonlyMap<string, Uint8Array>,
  addressOf: FileAddress,
  room: Room,
): { line: Words[]; table: RootContent[] } => {
  const listed = files.slice(0, TWIN_FILES).map(({ path, size }) => ({
    link: linkTo(showLine(path), addressOf(path)),
    size: showSize(size),
    tokens: costOf(path, bytesOf.get(path)),
  }))
  if (files.length <= FEW_FILES) {
    const line = joinWords(listed, ({ link, size, tokens }) => [
      link,
      ` (${size}${tokens === undefined ? '' : `, about ${showRoughly(tokens)} tokens`})`,
    ])
    return { line: [row('Files', ...line)], table: [] }
  }
  const rows = listed.map(({ link, size, tokens }): Words[] => [
    [link],
    [size],
    [tokens === undefined ? '–' : showRoughly(tokens)],
  ])
  const tabulate = (count: number) =>
    tableOf(
      [[['File'], ['Size'], ['Tokens, about']], ...rows.slice(0, count)],
      [null, 'right', 'right'],
    )
  const tell = (count: number, ...where: Words): BlockContent[] =>
    files.length > count
      ? [paragraph(`And ${countOf(files.length - count, 'more file')}`, ...where, '.')]
      : []
  const fit = countFitting(
    files.map(({ path }) => path),
    room,
  )
  const twin = [tabulate(rows.length), ...tell(rows.length, ' in the zip')]
  if (fit >= rows.length) return { line: [], table: twin }
  const html = [
    tabulate(fit),
    ...tell(fit, ', in ', linkTo('this page as Markdown', twinPath(skillPath(slug)))),
  ]
  return {
    line: [],
    table: [
      ...html.map((block) => onlyIn('html', block)),
      ...twin.map((block) => onlyIn('twin', block)),
    ],
  }
}

/** How many files the table of HTML has room for. */
const countFitting = (paths: readonly string[], room: Room): number => {
  let left = room.paths
  const end = paths.findIndex(
    (path, at) => at >= room.files || (left -= encodeURI(path).length) < 0,
  )
  return end < 0 ? paths.length : Math.max(1, end)
}

const showShare = (part: number, whole: number): string => {
  const share = (part / whole) * 100
  return `${share < 10 ? share.toFixed(1) : Math.round(share)} %`
}

/** How much of the listings of clients a description takes. */
const writeBudgets = (description: string): Words =>
  LISTING_BUDGETS.flatMap((budget, at): Words => {
    const { client, all, unit, one, window, source, day } = budget
    const cost = costInListing(description, budget)
    const cut =
      one !== undefined && cost === one ? `, cut at the ${NUMBERS.format(one)} of one skill` : ''
    return [
      at === 0 ? ' The description takes ' : ', and ',
      `${showShare(cost, all)} of the ${NUMBERS.format(all)} ${unit} that `,
      linkTo(client, source),
      ` keeps of all descriptions (window of ${window / 1_000}k, `,
      day,
      `)${cut}`,
    ]
  })

/** What it costs of a model's context to have the skill, and to use it. */
const writeCost = ({ name, description }: Skill, skillMd: string | undefined): Words[] => {
  const always = `${name}: ${description}`
  return [
    row(
      'Always in context',
      `name and description, ${showLength(always)}, ${showTokens(always)} (estimated, o200k).`,
      ...writeBudgets(description),
      '.',
    ),
    ...(skillMd === undefined
      ? []
      : [row('When it is used', `its SKILL.md, ${showLength(skillMd)}, ${showTokens(skillMd)}`)]),
  ]
}

/**
 * Writes "What it brings and needs": what its context costs, and what can be read off its files. Of a skill whose
 * text is not passed on nothing is known but its name and description.
 */
export const writeNeeds = (
  skill: Skill,
  files: readonly SkillBytes[],
  tools: readonly string[],
  addressOf = createFileAddress(skill.slug, files),
  isNarrow = false,
): RootContent[] => {
  if (skill.files.length === 0) return [listOf(writeCost(skill, undefined))]
  const room = ROOMS[isNarrow ? 'narrow' : 'usual']
  const bytesOf = new Map(files.map(({ path, bytes }) => [path, bytes]))
  const skillMd = bytesOf.get(SKILL_MD)
  const needs = collectNeeds([skill.name, skill.slug], files)
  const isTold = ({ kind }: (typeof ROWS)[number]): boolean => needs[kind].length > 0
  const writePlace = createPlaceWriter(addressOf, room.links)
  const write = ({ kind, label }: (typeof ROWS)[number]): Words =>
    row(
      label,
      ...joinWords(
        needs[kind],
        (named) => [
          inlineCode(showLine(named.name)),
          ' (',
          writePlace(named),
          named.context === undefined ? ')' : `, ${named.context})`,
        ],
        room.names,
      ),
    )
  const filesOf = writeFiles(skill, bytesOf, addressOf, room)
  const silent = ROWS.filter((one) => !isTold(one)).map(({ none }) => none)
  return [
    listOf([
      ...writeCost(skill, skillMd && decodeLoosely(skillMd)),
      ...filesOf.line,
      ...ROWS.slice(0, TOOLS_BEFORE).filter(isTold).map(write),
      writeTools(tools, needs, room),
      ...ROWS.slice(TOOLS_BEFORE).filter(isTold).map(write),
      ...writeScripts(needs, addressOf, room),
      ...(silent.length > 0 ? [[`No ${NAMES.format(silent)} was found in its files.`]] : []),
    ]),
    ...filesOf.table,
  ]
}
