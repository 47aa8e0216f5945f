import { isListed } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { planSitePages } from '../../src/documents/all-documents.ts'
import { createSite } from '../../src/documents/site.ts'
import type { Changes } from './changes.ts'
import type { Crew } from './crew.ts'
import type { Inputs } from './inputs.ts'
import { DOWNLOADS_NAME, printMachineFiles, renderDownloads } from './machine-files.ts'
import { namesOfPages, namesOfRow, subtractNames } from './names.ts'
import type { PrintTask, Press, Printed } from './printer.ts'
import type { Progress } from './progress.ts'
import { printPages } from './site-pages.ts'
import { digestNearness, findNearest, openSkill, openSkills, planPrinting } from './skill-keys.ts'
import type { KnownSkill } from './skill-keys.ts'
import { digestText } from './digest.ts'
import { searchDocument, searchDocuments } from './search-documents.ts'
import { listChangedDocuments, makeIndex } from './search-index.ts'
import type { ChangedFacts } from './search-index.ts'
import { readDetails } from './state.ts'
import type { BuildState, Counts, SkillRow, StateHead } from './state.ts'
import type { RenderedTemplates } from './templates.ts'
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
  head: Omit<StateHead, 'before'>
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
    const { paths, isUntraced } = readDetails(row)
    if (isUntraced) counts.untraced.push(row.slug)
    else {
      counts.skills += 1
      counts.files += paths.length + 1
    }
  }
  return counts
}

const recountFiles = ({ changes, last }: Run, counts: Counts): Counts => {
  const filesOf = (slug: string, rows = changes.rows): number => namesOfRow(rows.get(slug)).length
  const more = changes.changed.map((slug) => filesOf(slug) - filesOf(slug, last?.rows))
  return { ...counts, files: more.reduce((sum, count) => sum + count, counts.files) }
}

/** Prints the skills whose files changed, and the table of zips; everything else stays. */
const printLocally = async (run: Run, shop: PrintShop, head: StateHead): Promise<Edition> => {
  const { progress, changes } = run
  const byId = new Map([...changes.rows.values()].map((row) => [row.id, row]))
  const find = (id: number): KnownSkill | undefined => {
    const row = byId.get(id)
    const skill = row && openSkill(row)
    return skill?.details.isUntraced ? undefined : skill
  }
  const skills = changes.changed.flatMap((slug) => changes.rows.get(slug) ?? []).map(openSkill)
  const removed = removeStaleSkills(run, shop.folder)
  const tasks = planSkills(
    run,
    skills.filter(({ details }) => !details.isUntraced),
    find,
  )
  progress.stage('Printing skills', tasks.length)
  const written = await printSkills(run, shop, tasks)
  const tree = openTree(shop.folder, false)
  tree.place(DOWNLOADS_NAME, renderDownloads(changes.rows.values()))
  return {
    head: { ...head, counts: recountFiles(run, head.counts) },
    written: [...written, ...tree.takeWritten()],
    removed,
  }
}

const factsOf = (row: SkillRow | undefined): SkillFacts | undefined => {
  const skill = row && openSkill(row)
  return skill?.details.isUntraced ? undefined : skill?.facts
}

/** Says what lists and search told of the changed skills and tell now, where nothing else changed it. */
const listChangedFacts = ({ last, changes }: Run): ChangedFacts[] | undefined => {
  if (!last) return undefined
  const { changed, recounted, removed } = changes
  return [...changed, ...recounted, ...removed].map((slug) => ({
    before: factsOf(last.rows.get(slug)),
    after: factsOf(changes.rows.get(slug)),
  }))
}

const isSame = ({ before, after }: ChangedFacts): boolean =>
  before !== undefined &&
  after !== undefined &&
  before.id === after.id &&
  isListed(before) &&
  isListed(after)

/** Gives the changed skills as they were, where each may be compared as it might be, and all are there. */
const listSameBefore = (run: Run): SkillFacts[] | undefined => {
  const { inputs, last } = run
  const changed = last?.head.copies === inputs.copies ? listChangedFacts(run) : undefined
  return changed?.every(isSame) ? changed.flatMap(({ before }) => before ?? []) : undefined
}

const NO_PAGES: StateHead['pages'] = {}

/** Prints whatever may have changed anywhere in the site. */
const printAll = async (run: Run, shop: PrintShop): Promise<Edition> => {
  const { inputs, progress, base, last, changes } = run
  progress.stage('Comparing skills')
  const skills = openSkills(changes.rows.values())
  const site = createSite(
    inputs.frame,
    skills.map(({ facts }) => facts),
    inputs.origin,
  )
  const nearness = digestNearness(skills, inputs.copies)
  if (nearness !== last?.head.nearness)
    findNearest(skills, inputs.frame.copies, listSameBefore(run))
  const byId = new Map(skills.map((skill) => [skill.row.id, skill]))
  const tasks = planSkills(run, skills, (id) => byId.get(id))
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
        tree,
      },
      progress.step,
    ),
  ])
  progress.stage('Writing the index and the files for machines')
  const index = digestText(JSON.stringify([inputs.code, inputs.origin]))
  const known = index === last?.head.index ? listChangedFacts(run) : undefined
  const changed = known && listChangedDocuments(known, inputs.origin)
  const isIndexSame = changed?.length === 0
  const { assets } = shop.rendered
  const others = await printMachineFiles(
    {
      inputs,
      site,
      skills,
      pages,
      assets,
      isIndexSame,
      makeIndex: () =>
        makeIndex({
          folder: shop.folder,
          changed,
          listDocuments: () => searchDocuments(site),
          readDocument: (id) => searchDocument(byId.get(id)!.facts, inputs.origin),
        }),
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
      nearness,
      index,
      pages,
      others,
      counts: countSkills(run),
    },
    written: [...written, ...tree.takeWritten()],
    removed: [...removed, ...stale],
  }
}

/** Prints the next edition into its folder: only what may have changed is made, only what did is written. */
export const printEdition = (run: Run, shop: PrintShop): Promise<Edition> =>
  run.last && isLocal(run) ? printLocally(run, shop, run.last.head) : printAll(run, shop)
