import { isRename, makeRow } from './depart.ts'
import type { Departure, DepartureReport } from './depart.ts'

/** What the steps of a departure come to, paths inside the content folder. */
interface Changes {
  renamed?: { from: string; to: string }
  removed: string[]
  written: string[]
}

const sumUp = ({ departure, steps }: DepartureReport): Changes => {
  const changes: Changes = { removed: [], written: [] }
  for (const step of steps) {
    if (step.do === 'write') changes.written.push(step.path)
    // A folder that is put aside is removed in the end.
    else if (step.do === 'rename' && departure && isRename(departure)) {
      changes.renamed = { from: step.path, to: step.to }
    } else if (step.do === 'rename') changes.removed.push(step.path)
  }
  return { ...changes, written: [...new Set(changes.written)] }
}

const renderChanges = ({ renamed, removed, written }: Changes, dryRun: boolean): string[] => {
  const say = (done: string, planned: string, path: string): string =>
    `${dryRun ? `would ${planned}` : done} ${path}`
  return [
    ...(renamed ? [say('renamed', 'rename', `${renamed.from} to ${renamed.to}`)] : []),
    ...removed.map((path) => say('removed', 'remove', path)),
    ...written.map((path) => say('wrote', 'write', path)),
  ]
}

const renderOutcome = (departure: Departure, dryRun: boolean): string => {
  const { id, slug, movedTo, heir } = departure
  const start = `${dryRun ? 'would have ' : ''}${movedTo === undefined ? 'retired' : 'moved'}`
  if (movedTo === undefined) {
    return `${start} ${slug} (id ${id}); its slug and id are never given again`
  }
  const skill = heir === undefined ? `still id ${id}` : `id ${heir}; id ${id} is retired`
  return `${start} ${slug} to ${movedTo} (${skill}); the old addresses answer 308 after the next build`
}

/** Renders what a retirement or a move did, for a person. */
export const renderDeparture = (report: DepartureReport): string => {
  const { departure, dryRun } = report
  return departure === undefined
    ? 'nothing to do: it was done before'
    : [
        ...renderChanges(sumUp(report), dryRun),
        `row in retired.json: ${JSON.stringify(makeRow(departure))}`,
        renderOutcome(departure, dryRun),
      ].join('\n')
}

/** Describes what a retirement or a move did, for a script. */
export const describeDeparture = (report: DepartureReport): object => {
  const { departure, dryRun } = report
  return {
    dryRun,
    done: departure === undefined ? 'before' : 'now',
    ...(departure === undefined ? {} : { row: makeRow(departure), heir: departure.heir }),
    ...sumUp(report),
  }
}
