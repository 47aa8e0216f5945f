import type { AskSite } from './ask.ts'
import { CONTRACT_GROUPS } from './contract.ts'
import type { ContractClause } from './clause.ts'
import { needsRawTarget } from './clause.ts'
import { findBreaches, titleOf } from './judge.ts'

const renderRow = (group: string, kept: number, lost: number): string =>
  `${group.padEnd(34)}${String(kept).padStart(4)} of ${String(kept + lost).padStart(3)}`

/** Renders how many clauses of the contract a host keeps, as a table, and which of those that it keeps in part. */
export const renderKept = async (ask: AskSite): Promise<string> => {
  const rows: { group: string; kept: string[]; lost: string[] }[] = []
  for (const [group, clauses] of Object.entries(CONTRACT_GROUPS)) {
    const row = { group, kept: [] as string[], lost: [] as string[] }
    for (const clause of clauses) {
      const isKept = findBreaches(clause, await ask(clause)).length === 0
      row[isKept ? 'kept' : 'lost'].push(titleOf(clause))
    }
    rows.push(row)
  }
  const [kept, lost] = [rows.flatMap((row) => row.kept), rows.flatMap((row) => row.lost)]
  return [
    ...rows.map((row) => renderRow(row.group, row.kept.length, row.lost.length)),
    renderRow('all', kept.length, lost.length),
    // Of each group that is kept in part, the shorter list.
    ...rows.flatMap((row) => {
      if (row.kept.length === 0 || row.lost.length === 0) return []
      const name = row.kept.length < row.lost.length ? 'kept' : 'lost'
      return [`\n${name} of ${row.group}:`, row[name]].flat()
    }),
  ].join('\n')
}

/** The result of a clause at a running host. */
export interface HeldClause {
  title: string
  /** Empty where the clause is kept. */
  breaches: readonly string[]
}

/** Checks clauses one by one; skips some for a host that gets parsed addresses. */
export const holdTo = async (
  clauses: readonly ContractClause[],
  ask: AskSite,
  { origin, isParsed = false }: { origin: string; isParsed?: boolean },
): Promise<HeldClause[]> => {
  const held: HeldClause[] = []
  for (const clause of clauses.filter((one) => !isParsed || !needsRawTarget(one))) {
    const breaches = await ask(clause).then(
      (answered) => findBreaches(clause, answered, origin),
      (error: Error) => [`no answer: ${error.message}`],
    )
    held.push({ title: titleOf(clause), breaches })
  }
  return held
}

/** Renders each clause as kept or lost with its faults, and the totals. */
export const renderHeld = (held: readonly HeldClause[]): string => {
  const lost = held.filter(({ breaches }) => breaches.length > 0)
  return [
    ...held.flatMap(({ title, breaches }) => [
      `${breaches.length === 0 ? 'kept' : 'LOST'}  ${title}`,
      ...breaches.map((breach) => `        ${breach.replace(/\p{Cc}/gu, ' ')}`),
    ]),
    `${held.length - lost.length} of ${held.length} clauses kept`,
  ].join('\n')
}
