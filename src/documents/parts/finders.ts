import type { RootContent, Table, TableRow } from 'mdast'
import type { PartName } from '../../catalog/parts.ts'
import type { Block } from '../guest/read.ts'
import { listOf } from '../tree.ts'
import { IS_TEXT } from './fits.ts'
import {
  DEEPEST_LEVEL_READ,
  NAMES_SKILL,
  areRelated,
  listJoined,
  normalizeHeading,
  partOfHeading,
  rankOfHeading,
} from './sections.ts'
import { IS_RULE, isMostly, listStatements, listWords, plainStart } from './passages.ts'
import type { FoundPart, Passage } from './passages.ts'
import type { TextSection } from './sections.ts'
import { isEnd, isNamed, isStep, toSteps } from './steps.ts'

/** How a line that introduces a list begins, where it says more than a heading would. */
const BEGINNINGS: Readonly<Partial<Record<PartName, RegExp>>> = {
  whenNotToUse:
    /^(?:(?:please )?(?:do not|don t|never) (?:use|invoke|apply|load|trigger|activate) (?:this skill|this|it|when|for|if)\b|(?:this skill is )?not (?:for|intended for|meant for|suitable for)\b|use (?:\p{L}+ ){1,6}instead (?:for|when|if)\b)/u,
  whenToUse:
    /^(?:(?:use|invoke|apply|activate|load|trigger) (?:this skill|this|it|when|the skill)\b|this skill (?:(?:should be|is|can be) (?:used|for|when|useful)|applies|activates|triggers)\b|(?:当|在以下|以下).*(?:使用|适用|触发))/u,
  limitations: /^(?:(?:this skill|it) (?:does not|doesn t|cannot|can t|will not)\b)/u,
  capabilities:
    /^(?:this (?:skill|guide|agent|command) (?:provides|covers|enables|helps|supports|can|includes|handles|offers|will)\b)/u,
  inputs:
    /^(?:(?:please )?(?:ask|gather|collect|get|request|clarify|confirm|elicit|understand) .*\b(?:user|context|information|info|details|inputs?|following)\b|(?:collect|gather)(?: and (?:confirm|validate|document))?$|before (?:\p{L}+ ){1,4}(?:understand|gather|ask|collect|clarify)$|(?:the )?user (?:provides|must provide|should provide|gives|may provide|can provide)\b)/u,
  outputs:
    /^(?:(?:(?:this|this skill|the skill|the script) (?:will )?(?:creates?|generates?|produces?|outputs?|writes?|returns?)\b|report sections$|present the (?:\p{L}+ )?(?:analysis|profile|plan|report) as\b|(?:always )?(?:output|return|respond|reply|present|report|deliver|structure|format|provide|produce) (?:the |your |a |an |all )?(?:following|results?|findings|output|outputs|response|report|answer|summary|review|deliverables?|with|in this|using this|as)\b))/u,
}

/** What introduces rules, which say no more than how far a skill goes. */
const IS_OF_RULES = /\b(?:rules?|only)\b/i

const LONGEST_LABEL = 120

const readLabel = (block: Block, skillName: string): PartName | undefined => {
  if (block.type !== 'paragraph' || block.raw.length > 2 * LONGEST_LABEL) return undefined
  const text = block.raw.trim()
  if (text.length > LONGEST_LABEL || text.includes('\n')) return undefined
  const isBold = /^(?:\*\*[^*]+\*\*|__[^_]+__)[:：]?$/.test(text)
  if (!isBold && !/[:：]\W*$/.test(text)) return undefined
  const part = partOfHeading(text, skillName)
  if (part !== undefined) return part
  if (IS_OF_RULES.test(text)) return undefined
  const label = normalizeHeading(text)
  return (Object.keys(BEGINNINGS) as PartName[]).find((name) => BEGINNINGS[name]?.test(label))
}

/** What is asked of a reader wherever it stands; other labels speak of their section alone. */
const isSureLabel = (name: PartName, text: string): boolean =>
  (name !== 'capabilities' && NAMES_SKILL.test(text)) ||
  (name === 'inputs' &&
    /\buser\b|^\W*(?:before|(?:gather|collect)(?! (?:additional|further|more)\b))\b/i.test(text))

const FOLLOWS_LABEL = new Set(['list', 'table', 'code'])

/** Finds lists that a line in bold or with a colon introduces: `Use this skill when:`. */
export const listLabelled = (sections: readonly TextSection[], skillName: string): FoundPart[] =>
  sections
    .filter(({ isSample }) => !isSample)
    .flatMap((section) =>
      section.blocks.flatMap((block, at): FoundPart[] => {
        const name = readLabel(block, skillName)
        if (name === undefined) return []
        if (
          !section.isWhole &&
          !(section.level === 1 && areRelated(section.part, name)) &&
          !isSureLabel(name, block.raw) &&
          !(name === 'outputs' && isEnd(section))
        )
          return []
        const next = section.blocks[at + 1]
        // A menu in a fence asks one thing of many.
        const isMenu = name === 'inputs' && next?.type === 'code'
        if (next && FOLLOWS_LABEL.has(next.type) && !isMenu && !isRulesOf(name, next)) {
          return [{ name, passage: { heading: section.heading, blocks: [next], below: [] } }]
        }
        // What is asked for may stand below headings: `Gather this context:` and `### Goals`.
        return name === 'inputs' && !next && section.below.length > 1
          ? [{ name, passage: { heading: section.heading, blocks: [], below: section.below } }]
          : []
      }),
    )

const isRulesOf = (name: PartName, block: Block): boolean =>
  name === 'limitations' && isMostly(listWords([block]), IS_RULE)

/** Leaves out what a line among the blocks gives to another part: `Do not use it for:` and its list. */
const withoutOthers = (name: PartName, blocks: readonly Block[], skillName: string): Block[] => {
  let other = false
  return blocks.filter((block, at) => {
    const label = readLabel(block, skillName)
    if (label !== undefined) other = label !== name && areRelated(label, name)
    else if (block.type === 'paragraph' && blocks[at - 1]?.type !== 'paragraph') other = false
    return !other
  })
}

/** Parts that code says nothing of: a graph of decisions is for a program. */
const IN_WORDS: ReadonlySet<PartName> = new Set([
  'activation',
  'capabilities',
  'whenToUse',
  'whenNotToUse',
  'limitations',
])

const isGraph = ({ node }: Block): boolean =>
  node?.type === 'code' && /^(?:dot|graphviz|mermaid)$/.test(node.lang ?? '')

/** `Your task is to compare $ARGUMENTS`: what is done, above what it is done with. */
const ROLE_WITH_GAP = /^\W*(?:your task is|you are|act as|you['’]re)\b[^]*\$(?:ARGUMENTS|\{)/i

const toPassage = (name: PartName, section: TextSection, skillName: string): Passage => {
  if (name === 'howItWorks') return toSteps(section)
  const named = section.below.filter(
    ({ part }, at) =>
      isNamed(section.below[at] as TextSection) &&
      (name !== 'inputs' || !isStep(section.below[at] as TextSection)) &&
      (part === undefined || part === name || !areRelated(part, name)),
  )
  const { heading } = section
  const own = withoutOthers(name, section.blocks, skillName).filter(
    ({ node }) => node?.type !== 'code' || !IN_WORDS.has(name) || !node.lang,
  )
  // What a graph says, the words beside it do not.
  if (IN_WORDS.has(name) && section.blocks.some(isGraph)) return { heading, blocks: [], below: [] }
  const given = name === 'inputs' ? own.filter(({ raw }) => !ROLE_WITH_GAP.test(raw)) : own
  const blocks = given.length > 0 ? given : own
  // One name alone is an aside of its section, or its whole.
  return {
    heading,
    blocks,
    below:
      blocks.length === 0 || (name !== 'whenNotToUse' && (IS_TEXT.has(name) || named.length > 1))
        ? named
        : [],
  }
}

/** Headings that speak of the whole skill wherever they stand. */
const SURE =
  /^(?:prerequisites?|(?:known )?limitations?|(?:example|sample) (?:prompts?|requests|questions|queries|conversation)|.*\bthis skill\b.*|triggers?|trigger (?:phrases|words|conditions)|out of scope|non goals|installation|install|installing|api key setup|environment variables|dependencies|gather (?:information|inputs?|requirements|context)|intake|clarifying questions|(?:expected |final )?outputs?(?: format| formats| structure| template)|deliverables?|(?:key |core )?capabilities|analysis steps|execution steps|setup and (?:installation|authentication)|authentication setup|required environment variables|you(?: will|ll)? need|what you need|report (?:format|template|structure)|response (?:format|template)|summary format|input parameters|required inputs?)$/

export const listPartsByHeading = (
  sections: readonly TextSection[],
  skillName: string,
): FoundPart[] =>
  sections
    .filter(({ part, level, isSample }) => part && level === 1 && !isSample)
    .map((section) => ({ section, rank: rankOfHeading(section.heading?.text ?? '') }))
    .sort((one, other) => one.rank - other.rank)
    .flatMap(({ section }) => {
      const { part } = section
      return part ? [{ name: part, passage: toPassage(part, section, skillName) }] : []
    })

/** Parts that a step of the work may be: the first gathers what is given, the last writes what comes back. */
const OF_A_STEP: ReadonlySet<PartName> = new Set(['inputs', 'outputs', 'prerequisites'])

/** Deeper down most headings speak of their section, and one of several would stand for its section alone. */
export const listDeeper = (sections: readonly TextSection[], skillName: string): FoundPart[] => {
  const found = sections.filter(
    ({ part, level, isSample, parent, heading }) =>
      part !== undefined &&
      level > 1 &&
      (level === DEEPEST_LEVEL_READ || NAMES_SKILL.test(heading?.text ?? '')) &&
      !isSample &&
      (parent?.isWhole === true ||
        (parent?.part === 'howItWorks' && OF_A_STEP.has(part)) ||
        areRelated(parent?.part, part) ||
        SURE.test(normalizeHeading(heading?.text ?? ''))),
  )
  return found.flatMap((section) => {
    const { part } = section
    const same = found.filter((one) => one.part === part)
    const isOne =
      same[0] === section &&
      same.every(
        ({ parent }) => parent === section.parent && (same.length === 1 || parent?.isWhole),
      )
    return part && (isOne || NAMES_SKILL.test(section.heading?.text ?? ''))
      ? [{ name: part, passage: toPassage(part, section, skillName) }]
      : []
  })
}

/** Headings that say a part in more words than the table has. */
const LIKE: Readonly<Partial<Record<PartName, RegExp>>> = {
  outputs:
    /\b(?:output|report|response|deliverables?) (?:format|template|structure|style|schema|specification|files?|location|format template|format and structure)$/,
  limitations:
    /^what .{2,40} (?:can ?not|can t|does not|doesn t|won t) (?:do|support|cover|handle|include)$/,
  examples: /\b(?:sample|example|test(?:ing)?) (?:prompts|requests|queries)$/,
}

export const listAlike = (sections: readonly TextSection[], skillName: string): FoundPart[] =>
  sections.flatMap((section): FoundPart[] => {
    const { heading, level, isSample, part } = section
    if (!heading || level === 0 || level > DEEPEST_LEVEL_READ || isSample || part) return []
    const words = normalizeHeading(heading.text).replace(/^(?:step|phase|stage) /, '')
    const name = (Object.keys(LIKE) as PartName[]).find((one) => LIKE[one]?.test(words))
    if (name === undefined) return []
    return [{ name, passage: toPassage(name, section, skillName) }]
  })

type Use = 'whenToUse' | 'whenNotToUse'

/** Heads of two columns, of which the one says when to use a skill and the other when not. */
const HEADS: Readonly<Record<Use, RegExp>> = {
  whenToUse:
    /^\W*(?:(?:when to )?(?:use|do use)(?: (?:when|it|this|for|this skill))*|good (?:for|fit)|best for|yes)\W*$/i,
  whenNotToUse:
    /^\W*(?:(?:when not to|when to not|do not|don['’]t) use(?: (?:when|it|this|for|this skill))*|not (?:for|a fit)|avoid(?: when)?|skip(?: when)?|no|bad fit|poor fit)\W*$/i,
}

const SAYS: Readonly<Record<Use, RegExp>> = {
  whenToUse: /^\W*(?:yes|✅|✓|✔️?)\b|^\s*(?:✅|✓|✔)/iu,
  whenNotToUse: /^\W*no\b|^\s*(?:❌|✗|✘|🚫|⛔)/iu,
}

const cellText = (row: TableRow | undefined, at: number, block: Block): string => {
  const place = row?.children[at]?.position
  const start = block.node?.position?.start.offset ?? 0
  return place
    ? block.raw
        .slice((place.start.offset ?? 0) - start, (place.end.offset ?? 0) - start)
        .replace(/^[|\s]+|[|\s]+$/g, '')
    : ''
}

const listCells = (rows: readonly TableRow[], at: number): RootContent | undefined => {
  const cells = rows.map((row) => row.children[at]?.children ?? []).filter((one) => one.length > 0)
  return cells.length > 0 ? (listOf(cells) as RootContent) : undefined
}

/** Lists by their use the rows of a table with a column of yes and no, or the cells of two columns. */
const splitTable = (table: Table, block: Block): Partial<Record<Use, RootContent>> => {
  const [head, ...rows] = table.children
  const heads = (head?.children ?? []).map((_, at) => cellText(head, at, block))
  const columns = Object.fromEntries(
    Object.entries(HEADS).map(([use, pattern]) => [
      use,
      heads.findIndex((one) => pattern.test(one)),
    ]),
  ) as Record<Use, number>
  if (columns.whenToUse >= 0 && columns.whenNotToUse >= 0)
    return {
      ...pick('whenToUse', listCells(rows, columns.whenToUse)),
      ...pick('whenNotToUse', listCells(rows, columns.whenNotToUse)),
    }
  const said = (row: TableRow, at: number, use: Use): boolean =>
    SAYS[use].test(cellText(row, at, block))
  const column = heads.findIndex(
    (_, at) =>
      at > 0 && rows.every((row) => said(row, at, 'whenToUse') || said(row, at, 'whenNotToUse')),
  )
  if (column < 0) return {}
  const of = (use: Use): readonly TableRow[] => rows.filter((row) => said(row, column, use))
  return {
    ...pick('whenToUse', listCells(of('whenToUse'), 0)),
    ...pick('whenNotToUse', listCells(of('whenNotToUse'), 0)),
  }
}

const pick = (use: Use, list: RootContent | undefined): Partial<Record<Use, RootContent>> =>
  list ? { [use]: list } : {}

/** Whether a table below a heading may say when to use the skill. */
const isAboutUse = ({ part, heading }: TextSection): boolean =>
  areRelated(part, 'whenNotToUse') ||
  /\bwhen to use\b|\bshould (?:you|i) use\b/i.test(heading?.text ?? '')

/** Finds in tables when to use a skill and when not; both or none, or it is a table of something else. */
export const listTabled = (sections: readonly TextSection[]): FoundPart[] =>
  sections
    .filter((section) => !section.isSample && section.level <= 1 && isAboutUse(section))
    .flatMap(({ heading, blocks }) =>
      blocks.flatMap((block): FoundPart[] => {
        if (block.node?.type !== 'table') return []
        const lists = Object.entries(splitTable(block.node, block))
        return lists.length < 2
          ? []
          : lists.map(([name, node]) => ({
              name: name as PartName,
              passage: { heading, blocks: [{ ...block, type: 'list' as const, node }], below: [] },
            }))
      }),
    )

/** `**Requires:** Node 20`: a label and what it introduces on one line. */
const INLINE_LABEL =
  /^(?:>\s*)?(?:\*\*|__)([^*_\n]{3,60}?)(?:[.:：](?:\*\*|__)|(?:\*\*|__)\s*[:：—–-])\s*(?=\S)/

/** Where a sentence may stand to speak of the skill: in the whole, or anywhere near the top. */
type Place = 'whole' | 'anywhere'

const NAME = String.raw`(?:\[|\x60|\*\*)*[a-z0-9]+(?:[-:][a-z0-9]+)+(?:\]\([^)\s]{0,200}\))?(?:\]|\x60|\*\*)*`
/** What is said not to be done, but is no limit. */
const NO_LIMIT = String.raw`(?!just|only|depend|rely|execute|require|need|store|send|collect|modify|change|activate|trigger|apply)`
/** How a sentence or an item begins that states a part, by where it may stand; the plainest parts first. */
const STATES: Readonly<Record<Place, Partial<Record<PartName, string>>>> = {
  anywhere: {
    whenNotToUse: String.raw`(?:please )?(?:do not|don['’]t|never) use this skill\b|this skill is \*{0,2}not\*{0,2} (?:for|intended|meant|suitable|a replacement|a substitute)\b`,
    limitations: String.raw`(?:important: |note: )?this (?:skill|tool|plugin) (?:currently )?\*{0,2}(?:only (?:works|supports|handles|covers|generates|reads|applies|describes)|(?:does not|doesn['’]t) ${NO_LIMIT}|cannot|can['’]t|is (?:limited|restricted) to|is (?:strictly )?read-only|never\*{0,2} (?:runs|writes|modifies|creates|deletes|sends|changes|edits|touches)|will not|won['’]t)\b`,
    prerequisites: String.raw`this (?:skill|plugin) (?:also )?(?:requires|needs|depends on) (?!no\b|\w+ing\b)`,
  },
  whole: {
    whenNotToUse: String.raw`(?:only )?use (?:this skill |this |it )?only (?:for|when|if|with)\b|for [^.;,]{3,100},? use (?:the )?${NAME} (?:skill|instead)\b|(?:\*\*)?(?:for|if) [^.;]{3,160}?,(?:\*\*)? (?:see|use|load|prefer|invoke|switch to|go to) (?:the )?${NAME}(?: skill\b| instead\b|\.?$)|(?:\*\*)?if [^.;]{3,160}?,(?:\*\*)? use [^.]{2,80} instead of this skill\b|this (?:skill )?is \*{0,2}not\*{0,2} (?:for|intended|meant|suitable|a replacement|a substitute)\b|(?:please )?(?:do not|don['’]t|never) (?:use|invoke|trigger|activate|apply|load) (?:this skill|this|it|for|when)\b|(?:this skill|it) is not (?:for|intended|meant|suitable|a replacement)\b`,
    limitations: String.raw`(?:it|the (?:script|scripts|tool|cli|api|server|extension|parser|converter)) (?:currently )?(?:only (?:works|supports)|(?:does not|doesn['’]t) (?:support|replace|cover|handle)|is limited to)\b|[^.]{3,80} (?:is|are) not (?:yet |currently )?supported\b|(?:this skill|it|the skill|the (?:script|tool)) (?:currently )?(?:(?:does not|doesn['’]t) ${NO_LIMIT}|cannot|can['’]t|only (?:works|supports)|is limited to)\b`,
    prerequisites: String.raw`(?:this (?:skill|plugin|workflow|tool)|the (?:skill|scripts?|tool|cli)|it) (?:also )?(?:requires|needs|depends on) (?!no\b)|you(?:['’]ll| will| must| should)? (?:need|have) (?:an? |the |access |to have |to install |to be )|requires (?!no\b|\w+(?:ing|ful)\b)|(?:this skill |it |the skill )?(?:requires|depends on) (?!no\b|\w+ing\b)|this skill needs\b|(?:make sure|ensure) (?:that )?[^.]{2,80}\b(?:is|are) (?:installed|configured|authenticated|logged in|running|available)\b|you(?:['’]ll| will)? need\b|if (?:it is |it['’]s )?not (?:yet |already )?installed\b|install:\*{0,2} \x60`,
  },
}

const COMPILED = Object.entries(STATES).flatMap(([place, parts]) =>
  Object.entries(parts).map(
    ([name, begins]) =>
      [name as PartName, place as Place, new RegExp(`^(?:${begins})`, 'i')] as const,
  ),
)

/** What a block holds, anywhere but where the whole is told, that may state a part. */
const mayState = ({ raw }: Block): boolean => /\b[Tt]his (?:skill|tool|plugin)\b/.test(raw)

/** Blocks of a section that state one part at most; more are no aside. */
const STATED_AT_MOST = 8

const LONGEST_STATEMENT = 600

/** Says which part a sentence or an item states. */
const readStatement = (
  text: string,
  places: ReadonlySet<Place>,
  skillName: string,
): PartName | undefined => {
  if (text.length > LONGEST_STATEMENT || /[:：]\W*$/.test(text)) return undefined
  const label = places.has('whole') ? INLINE_LABEL.exec(text)?.[1] : undefined
  // `Results:` among other labels is a field of what something returns.
  const labelled =
    label === undefined || /^results?$/i.test(label) ? undefined : partOfHeading(label, skillName)
  if (labelled !== undefined) return labelled
  const start = plainStart(text)
  return COMPILED.find(([, place, begins]) => places.has(place) && begins.test(start))?.[0]
}

/** Finds single sentences and items that state a part, those of one section together. */
export const listStated = (sections: readonly TextSection[], skillName: string): FoundPart[] =>
  sections.flatMap((section): FoundPart[] => {
    const { heading, level, isSample, isWhole, part, blocks } = section
    if (isSample || level > DEEPEST_LEVEL_READ) return []
    const isOnUse = areRelated(part, 'whenNotToUse')
    if (part && part !== 'howItWorks' && part !== 'capabilities' && !isOnUse) return []
    const places = new Set<Place>(['anywhere'])
    if (isWhole || isOnUse) places.add('whole')
    const read = (text: string): PartName | undefined => readStatement(text, places, skillName)
    const joined = listJoined(heading?.text ?? '')
    const stated = new Map<PartName, { blocks: Block[]; of: Block[] }>()
    for (const block of blocks) {
      if (places.size === 1 && !mayState(block)) continue
      for (const [name, one] of listStatements(block, read)) {
        const { blocks: found, of } = stated.get(name) ?? { blocks: [], of: [] }
        if (joined.length > 0 && !joined.includes(name)) continue
        if (name === part || name === 'examples' || of.length > STATED_AT_MOST) continue
        stated.set(name, { blocks: [...found, one], of: [...of, block] })
      }
    }
    return [...stated].map(([name, { blocks: found, of }]) => ({
      name,
      passage: { heading, blocks: found, below: [], of },
    }))
  })

/** A place that a client fills in, with a name: `${selection}`, `${input:Purpose|plan}`, `${DEPTH="full|short"}`; `$ARGUMENTS` has none. */
const GAP =
  /\$\{(?:(selection|file)|input:\s?([\w -]{1,60})(?:[:|][^}\n]{0,80})?|([A-Z][A-Z_]{2,40})=["\w][^}\n]{0,200})\}/g

/** One that only a program of the author fills in, so where a text speaks of the whole: `{{topic}}`. */
const OWN_GAP = /(?<![`{$])\{\{\s?([a-z][a-z_ -]{1,40})\s?\}\}(?!`)/g

const GAPS_SHOWN = 12

/** Sets their names for the places of a text that are filled in. */
export const nameGaps = (text: string): string =>
  text.replace(
    GAP,
    (_, part?: string, name = '', variable?: string) => part ?? variable ?? name.trim(),
  )

const listGaps = (text: string, isWhole: boolean): string[] => [
  ...Array.from(
    text.matchAll(GAP),
    ([, part, name = '', variable]) => part ?? variable ?? name.trim(),
  ),
  ...(isWhole ? Array.from(text.matchAll(OWN_GAP), ([, name = '']) => name.trim()) : []),
]

/** Blocks of words; what stands in code is for a shell or a template. */
const isSaid = ({ type }: Block): boolean =>
  type === 'paragraph' || type === 'list' || type === 'blockquote'

/** Finds what a skill is given by the names of the places that are filled in with it. */
export const listNamedInputs = (sections: readonly TextSection[]): FoundPart[] => {
  const found = sections
    .filter(({ isSample }) => !isSample)
    .flatMap(({ heading, blocks, isWhole }) =>
      blocks
        .filter((block) => isSaid(block) && (block.raw.includes('${') || block.raw.includes('{{')))
        .map((block) => ({ heading, block, names: listGaps(block.raw, isWhole) })),
    )
    .filter(({ names }) => names.length > 0)
  const names = [...new Set(found.flatMap((one) => one.names))].slice(0, GAPS_SHOWN)
  const [first] = found
  // One alone is the place of what is worked on: `selection`.
  if (!first || names.length < 2) return []
  const node = listOf(names.map((name) => [name])) as RootContent
  const raw = names.map((name) => `- ${name}`).join('\n')
  const list: Block = { ...first.block, type: 'list', raw, node }
  return [{ name: 'inputs', passage: { heading: first.heading, blocks: [list], below: [] } }]
}
