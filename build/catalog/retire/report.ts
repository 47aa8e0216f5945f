import type { Step } from '../journal.ts'
import { makeRow } from './plan.ts'
import type { Departure } from './plan.ts'
import type { DepartureReport } from './run.ts'

const VERBS = {
  write: ['wrote', 'would write'],
  rename: ['renamed', 'would rename'],
  remove: ['removed', 'would remove'],
} as const

const renderStep = (step: Step, dryRun: boolean): string => {
  const verb = VERBS[step.do][dryRun ? 1 : 0]
  return step.do === 'rename' ? `${verb} ${step.path} to ${step.to}` : `${verb} ${step.path}`
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

/** Renders what a retirement or a move did for a person. */
export const renderDeparture = ({ departure, steps, dryRun }: DepartureReport): string =>
  departure === undefined
    ? 'nothing to do: it was done before'
    : [
        ...steps.map((step) => renderStep(step, dryRun)),
        `retired.json row: ${JSON.stringify(makeRow(departure))}`,
        renderOutcome(departure, dryRun),
      ].join('\n')

/** Describes the same for a script. */
export const describeDeparture = ({ departure, steps, dryRun }: DepartureReport): object => ({
  dryRun,
  done: departure === undefined ? 'before' : 'now',
  ...(departure === undefined ? {} : { row: makeRow(departure), heir: departure.heir }),
  steps: steps.map((step) => ({
    do: step.do,
    path: step.path,
    ...(step.do === 'rename' ? { to: step.to } : {}),
  })),
})
