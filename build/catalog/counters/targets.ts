import { DOWNLOAD_PATH } from '../../../src/documents/paths.ts'
import { resolveMoves } from '../../../src/catalog/moves.ts'
import { SKILLS_PATH } from '../../../src/documents/paths.ts'
import type { Stored } from '../store/records.ts'

/** What a request does to a skill's counters. */
export type Kind = 'views' | 'installs'

/** A request for a skill's page or zip. */
interface Target {
  id: number
  kind: Kind
}

/** Finds the skill whose page or zip an address is; undefined for every other address. */
export type TargetFinder = (address: string) => Target | undefined

const PAGE = new RegExp(`^${SKILLS_PATH}/([^/]+?)(?:\\.md|\\.html)?/?$`)
const ZIP = new RegExp(`^${DOWNLOAD_PATH}/([1-9]\\d*)$`)
const ORIGIN = /^https?:\/\/[^/?#]*/i

const pathOf = (address: string): string => {
  const local = address.startsWith('/') ? address : address.replace(ORIGIN, '')
  const end = local.search(/[?#]/)
  return end < 0 ? local : local.slice(0, end)
}

/** Decodes what a log shows percent-encoded; a slug has nothing to encode, so all else stays. */
const decodePath = (path: string): string =>
  path.includes('%')
    ? path.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : path

/** Makes the finder of a catalog: a slug or id that moved counts for the skill it leads to. */
export const createFinder = ({ records, retired }: Stored): TargetFinder => {
  const skills = records.map(({ slug, record: { id } }) => ({ slug, id }))
  const moves = resolveMoves(retired, skills)
  const bySlug = new Map(
    [...skills, ...moves.map(({ slug, to }) => ({ slug, id: to.id }))].map(({ slug, id }) => [
      slug,
      id,
    ]),
  )
  const byId = new Map([
    ...moves.map(({ id, to }): [string, number] => [String(id), to.id]),
    ...skills.map(({ id }): [string, number] => [String(id), id]),
  ])
  return (address) => {
    const path = decodePath(pathOf(address))
    const page = PAGE.exec(path)?.[1]
    const id = page === undefined ? byId.get(ZIP.exec(path)?.[1] ?? '') : bySlug.get(page)
    if (id === undefined) return undefined
    return { id, kind: page === undefined ? 'installs' : 'views' }
  }
}
