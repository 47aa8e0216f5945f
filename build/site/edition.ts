import type { WordTable } from '../../src/catalog/word-table.ts'
import { planSitePages } from '../../src/documents/all-documents.ts'
import { createSiteOf } from '../../src/documents/site.ts'
import type { Changes } from './changes.ts'
import { listAffected, listChangedFacts } from './affected.ts'
import { compareSkills } from './comparing.ts'
import type { Crew } from './crew.ts'
import { planIndex } from './index-plan.ts'
import type { Inputs } from './inputs.ts'
import { listPopular } from './popular-order.ts'
import { areDownloadsSame, listKeptFiles } from './kept-files.ts'
import { printMachineFiles, renderDownloads } from './machine-files.ts'
import { namesOfPages, namesOfRow, subtractNames } from './names.ts'
import { DOWNLOADS_NAME } from './outputs.ts'
import type { PrintTask, Press, Printed } from './printer.ts'
import type { Progress } from './progress.ts'
import { printPages } from './site-pages.ts'
import { openShelf, openSkill, planPrinting } from './skill-keys.ts'
import type { KnownSkill } from './skill-keys.ts'
import { searchDocuments } from './search-documents.ts'
import { isUntracedRow } from './state.ts'
import type { BuildState, Counts, StateHead } from './state.ts'
import type { RenderedTemplates } from './templates.ts'
import { listTouchedLists } from './touched-lists.ts'
import { openTree, removeNames } from './tree.ts'

/** A build under way: what it works with and what it found so far. */
export interface Run {
  inputs: Inputs
  progress: Progress
  crew: Crew
  /** What is in the folder that is written into: the last build's files, or none. */
  base: BuildState | undefined
  /** The same where the same code made it, so that its rows still hold. */
  last: BuildState | undefined
  changes: Changes
}

/** What was put into the folder of the next site, and what the next build may know of it. */
export interface Edition {
  head: Omit<StateHead, 'before' | 'files'>
  /** The words by which skills are compared, where they are others than they were. */
  words: WordTable | undefined
  /** Ids of the listed skills in popular order. */
  popular: Float64Array
  written: string[]
  removed: string[]
}

/** Where an edition is printed, and with what. */
export interface PrintShop {
  folder: string
  rendered: RenderedTemplates
}

/** Says whether nothing but the files of skills changed, so that no list, table or index does. */
export const isLocal = ({ inputs, last, changes }: Run): boolean =>
  last !== undefined &&
  changes.areFactsSame &&
  last.head.frame === inputs.frameKey &&
  last.head.copies === inputs.copies

const removeStaleSkills = ({ base, last, changes }: Run, folder: string): string[] => {
  if (!base) return []
  const touched = last ? [...changes.changed, ...changes.removed] : [...base.rows.keys()]
  const before = touched.flatMap((slug) => namesOfRow(base.rows.get(slug)))
  const stale = subtractNames(
    before,
    changes.changed.flatMap((slug) => namesOfRow(changes.rows.get(slug))),
  )
  removeNames(folder, stale)
  return stale
}

const printSkills = async (
  { inputs, progress, crew, base, changes }: Run,
  { folder, rendered }: PrintShop,
  tasks: readonly PrintTask[],
): Promise<string[]> => {
  const press: Press = {
    folder,
    isEmpty: base === undefined,
    template: rendered.templates.skill,
    origin: inputs.origin,
    siteName: inputs.frame.site.name,
  }
  const written: string[] = []
  const take = ({ slug, sha256, size, written: names }: Printed): void => {
    const row = changes.rows.get(slug)
    if (row && sha256 !== undefined && size !== undefined) Object.assign(row, { sha256, size })
    for (const name of names) written.push(name)
    progress.step()
  }
  await crew.print(press, tasks, (printed) => printed.forEach(take))
  return written
}

const planSkills = (
  { inputs, last, changes }: Run,
  skills: readonly KnownSkill[],
  find: (id: number) => KnownSkill | undefined,
): PrintTask[] => {
  const changed = new Set(changes.changed)
  return skills.flatMap((skill) => {
    const { key, task } = planPrinting(skill, inputs.look, inputs.frame.copies, find)
    const isChanged = changed.has(skill.row.slug)
    if (!isChanged && skill.row.key === key) return []
    skill.row.key = key
    return [{ ...task, isPageOnly: last !== undefined && !isChanged }]
  })
}

const countSkills = ({ changes }: Run): Counts => {
  const counts: Counts = { skills: 0, files: 0, untraced: [] }
  for (const row of changes.rows.values()) {
    if (isUntracedRow(row)) counts.untraced.push(row.slug)
    else {
      counts.skills += 1
      counts.files += row.files
    }
  }
  return counts
}

/** Prints the skills whose files changed, and the table of zips; everything else stays. */
const printLocally = async (run: Run, shop: PrintShop, last: BuildState): Promise<Edition> => {
  const { progress, changes } = run
  const byId = new Map([...changes.rows.values()].map((row) => [row.id, row]))
  const find = (id: number): KnownSkill | undefined => {
    const row = byId.get(id)
    return row && !isUntracedRow(row) ? openSkill(row) : undefined
  }
  const skills = changes.changed.flatMap((slug) => find(changes.rows.get(slug)?.id ?? 0) ?? [])
  const removed = removeStaleSkills(run, shop.folder)
  const tasks = planSkills(run, skills, find)
  progress.stage('Printing skills', tasks.length)
  const written = await printSkills(run, shop, tasks)
  const tree = openTree(shop.folder, false)
  if (!areDownloadsSame(run)) tree.place(DOWNLOADS_NAME, renderDownloads(changes.rows.values()))
  return {
    head: { ...last.head, counts: countSkills(run) },
    words: undefined,
    popular: last.popular,
    written: [...written, ...tree.takeWritten()],
    removed,
  }
}

/** From this many changed skills on, it is as quick to look at the pages of all. */
const WORTH_ALL = 200

const NO_PAGES: StateHead['pages'] = {}

/** Prints whatever may have changed anywhere in the site. */
const printAll = async (run: Run, shop: PrintShop): Promise<Edition> => {
  const { inputs, progress, base, last, changes } = run
  progress.stage('Comparing skills')
  const known = listChangedFacts(run)
  const index = planIndex(run, known)
  const shelf = openShelf(changes.rows.values())
  const isFew = known !== undefined && known.length < WORTH_ALL
  const site = createSiteOf(
    inputs.frame,
    listPopular(shelf, isFew ? { order: last!.popular, changed: known } : undefined),
    inputs.origin,
  )
  const isComparedSo = last?.head.copies === inputs.copies
  const { words, moved } = compareSkills({
    shelf,
    copies: inputs.frame.copies,
    since:
      last && known && isComparedSo ? { changed: known, readWords: last.readWords } : undefined,
  })
  const affected =
    isFew && isComparedSo && last?.head.look === inputs.look
      ? listAffected(run, known, moved).flatMap(({ id }) => shelf.find(id) ?? [])
      : shelf.listAll()
  const tasks = planSkills(run, affected, shelf.find)
  const plans = [...planSitePages(site, inputs.api)]
  const removed = removeStaleSkills(run, shop.folder)
  progress.stage('Printing', tasks.length + plans.length)
  const tree = openTree(shop.folder, base === undefined)
  const printing = printSkills(run, shop, tasks)
  const [written, pages] = await Promise.all([
    printing,
    printPages(
      plans,
      {
        templates: shop.rendered.templates,
        origin: inputs.origin,
        siteName: inputs.frame.site.name,
        frame: inputs.frameKey,
        last: last?.head.pages ?? NO_PAGES,
        toldOf: (id) => shelf.find(id)?.row.told ?? '',
        touched:
          isFew && last?.head.frame === inputs.frameKey ? listTouchedLists(site, known) : undefined,
        tree,
      },
      progress.step,
    ),
  ])
  progress.stage('Writing the index and the files for machines')
  const { assets } = shop.rendered
  const others = await printMachineFiles(
    {
      inputs,
      site,
      listSkills: shelf.listAll,
      pages,
      assets,
      kept: listKeptFiles(run, known, pages, index.isSame),
      makeIndex: () => index.make(searchDocuments(site)),
    },
    tree,
  )
  const before = base ? [...namesOfPages(base.head.pages), ...base.head.others] : []
  const stale = subtractNames(before, [...namesOfPages(pages), ...others])
  removeNames(shop.folder, stale)
  return {
    head: {
      code: inputs.code,
      frame: inputs.frameKey,
      copies: inputs.copies,
      look: inputs.look,
      index: index.digest,
      pages,
      others,
      counts: countSkills(run),
    },
    words,
    popular: Float64Array.from(site.listed, ({ id }) => id),
    written: [...written, ...tree.takeWritten()],
    removed: [...removed, ...stale],
  }
}

/** Prints the next edition into its folder: only what may have changed is made, only what did is written. */
export const printEdition = (run: Run, shop: PrintShop): Promise<Edition> =>
  run.last && isLocal(run) ? printLocally(run, shop, run.last) : printAll(run, shop)
