import type { VersionRow } from './plan.ts'

/** Every version of every slug that has or had versions. */
export type VersionPlan = ReadonlyMap<string, readonly VersionRow[]>

/** Renders the list of all versions, a line of JSON for each. */
export const renderPublished = (plan: VersionPlan): string =>
  [...plan]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([slug, versions]) =>
      versions.flatMap(({ name, day, standing, to }) =>
        name === undefined ? [] : `${JSON.stringify({ slug, name, day, standing, to })}\n`,
      ),
    )
    .join('')
