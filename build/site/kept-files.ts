import { isListed } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import type { Run } from './edition.ts'
import { DOWNLOADS_NAME, INDEX_NAME } from './outputs.ts'
import type { ChangedFacts } from './search-index.ts'
import { isSitemap } from './sitemap.ts'
import type { SkillRow, StateHead } from './state.ts'

type Pages = StateHead['pages']

const isMappedSo = (page: Pages[string] | undefined, old: Pages[string] | undefined): boolean =>
  page === old || (page?.[1] === old?.[1] && page?.[2] === old?.[2])

const arePagesMappedSo = (pages: Pages, old: Pages): boolean => {
  const [paths, oldPaths] = [Object.keys(pages), Object.keys(old)]
  return (
    paths.length === oldPaths.length &&
    // Their order is that of the sitemap.
    paths.every((path, at) => path === oldPaths[at] && isMappedSo(pages[path], old[path]))
  )
}

const isMapped = (one: SkillFacts | undefined): boolean => one !== undefined && isListed(one)

const isSkillMappedSo = ({ before, after }: ChangedFacts): boolean =>
  before?.id === after?.id &&
  before?.slug === after?.slug &&
  before?.updated === after?.updated &&
  isMapped(before) === isMapped(after)

const isPackedSo = (row: SkillRow | undefined, old: SkillRow | undefined): boolean =>
  row?.id === old?.id && row?.sha256 === old?.sha256 && row?.size === old?.size

/** Says whether no skill's zip is other than the table of zips says; asked once the zips are packed. */
export const areDownloadsSame = ({ last, changes }: Run): boolean =>
  [...changes.changed, ...changes.removed].every((slug) =>
    isPackedSo(changes.rows.get(slug), last?.rows.get(slug)),
  )

/**
 * Names the files for machines that the last build made of the same: they need not be made to be compared.
 * `changed` says what is told of skills otherwise since the last build, where that is known.
 */
export const listKeptFiles = (
  run: Run,
  changed: readonly ChangedFacts[] | undefined,
  pages: Pages,
  isIndexSame: boolean,
): ReadonlySet<string> => {
  const { last, inputs } = run
  if (!last || !changed) return new Set()
  // The origin is of the frame, and what else it says is no part of the index and the zips.
  const isMapSame =
    last.head.frame === inputs.frameKey &&
    arePagesMappedSo(pages, last.head.pages) &&
    changed.every(isSkillMappedSo)
  return new Set([
    ...(isIndexSame ? [INDEX_NAME] : []),
    ...(isMapSame ? last.head.others.filter(isSitemap) : []),
    ...(areDownloadsSame(run) ? [DOWNLOADS_NAME] : []),
  ])
}
