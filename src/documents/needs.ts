import type { PhrasingContent, RootContent } from 'mdast'
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
import { inlineCode, joinWords, linkTo, listOf, paragraph, strong, tableOf } from './tree.ts'
import type { Words } from './tree.ts'

/** Names of one kind that are shown; how many more there are is said. */
const NAMES_SHOWN = 8

/** Characters that are shown of a name or a comment; a stranger may write longer ones. */
const NAME_LIMIT = 160

/** Makes a stranger's words one line in which everything is seen. */
const showLine = (text: string): string => {
  const line = revealHidden(text.toWellFormed()).replace(/[\s\p{Cc}]+/gu, ' ')
  return line.length > NAME_LIMIT ? `${line.slice(0, NAME_LIMIT).toWellFormed()}…` : line
}

const row = (label: string, ...words: Words): Words => [strong(label), ': ', ...words]

const writePlace = ({ file, line }: Named, addressOf: FileAddress): PhrasingContent =>
  linkTo(
    file === SKILL_MD ? `line ${line}` : `${showLine(file)}, line ${line}`,
    addressOf(file, line),
  )

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

const writeTools = (tools: readonly string[], { commands }: Needs): Words => {
  if (tools.length > 0)
    return row(
      'Tools',
      ...joinWords(
        tools,
        (tool) => [inlineCode(showLine(tool)), ANY_COMMAND.test(tool) ? ' (any command)' : ''],
        NAMES_SHOWN,
      ),
    )
  return row(
    'Tools',
    commands.length > 0 ? 'none declared, though commands are named' : 'none declared',
  )
}

const writeScripts = ({ scripts }: Needs, addressOf: FileAddress): Words[] =>
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
            NAMES_SHOWN,
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

/** Files that the table lists. */
const FILES_SHOWN = 50

/** Tokens of a file that a model reads whole; the SKILL.md has a row of its own. */
const costOf = (path: string, bytes: Uint8Array | undefined): number | undefined =>
  bytes && path !== SKILL_MD && isProse(path) ? estimateTokens(decodeLoosely(bytes)) : undefined

/** The files with their sizes; what texts cost when they are read. */
const writeFiles = (
  { files }: Skill,
  bytesOf: ReadonlyMap<string, Uint8Array>,
  addressOf: FileAddress,
): { line: Words[]; table: RootContent[] } => {
  const listed = files.slice(0, FILES_SHOWN).map(({ path, size }) => ({
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
  const table = tableOf(
    [[['File'], ['Size'], ['Tokens, about']], ...rows],
    [null, 'right', 'right'],
  )
  const rest = files.length - rows.length
  return {
    line: [],
    table: rest > 0 ? [table, paragraph(`And ${countOf(rest, 'more file')} in the zip.`)] : [table],
  }
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
): RootContent[] => {
  if (skill.files.length === 0) return [listOf(writeCost(skill, undefined))]
  const bytesOf = new Map(files.map(({ path, bytes }) => [path, bytes]))
  const skillMd = bytesOf.get(SKILL_MD)
  const needs = collectNeeds([skill.name, skill.slug], files)
  const isTold = ({ kind }: (typeof ROWS)[number]): boolean => needs[kind].length > 0
  const write = ({ kind, label }: (typeof ROWS)[number]): Words =>
    row(
      label,
      ...joinWords(
        needs[kind],
        (named) => [
          inlineCode(showLine(named.name)),
          ' (',
          writePlace(named, addressOf),
          named.context === undefined ? ')' : `, ${named.context})`,
        ],
        NAMES_SHOWN,
      ),
    )
  const filesOf = writeFiles(skill, bytesOf, addressOf)
  const silent = ROWS.filter((one) => !isTold(one)).map(({ none }) => none)
  return [
    listOf([
      ...writeCost(skill, skillMd && decodeLoosely(skillMd)),
      ...filesOf.line,
      ...ROWS.slice(0, TOOLS_BEFORE).filter(isTold).map(write),
      writeTools(tools, needs),
      ...ROWS.slice(TOOLS_BEFORE).filter(isTold).map(write),
      ...writeScripts(needs, addressOf),
      ...(silent.length > 0 ? [[`No ${NAMES.format(silent)} was found in its files.`]] : []),
    ]),
    ...filesOf.table,
  ]
}
