import type { RootContent, Table, TableRow } from 'mdast'
import type { PartName } from '../../catalog/parts.ts'
import type { Block } from '../guest/read.ts'
import { listOf } from '../tree.ts'
import type { FoundPart } from './passages.ts'
import { areRelated } from './sections.ts'
import type { TextSection } from './sections.ts'

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
