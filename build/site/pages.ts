import { findOriginal, groupCopies } from '../../src/catalog/references.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import type { Copies } from '../../src/catalog/schema.ts'
import { isListed } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { COMPARED_SKILLS, toCompared, toNamed } from '../../src/documents/comparison.ts'
import type { Comparison } from '../../src/documents/comparison.ts'
import { showCount } from '../../src/documents/entries.ts'
import type { DocumentKind, DocumentPlan } from '../../src/documents/document.ts'
import { renderTwin } from '../../src/documents/markdown.ts'
import { fillTemplate } from '../../src/documents/template.ts'
import type { Template } from '../../src/documents/template.ts'
import { viewDocument } from '../../src/documents/view.ts'
import { renderHtml } from '../../src/documents/render.ts'
import type { Changes, Losses } from './changes.ts'
import { digestText } from './digests.ts'
import type { Inputs } from './inputs.ts'
import type { Pool } from './pool.ts'
import type { Progress } from './progress.ts'
import { pageName, twinName } from './skill-files.ts'
import type { PrintTask } from './skill-files.ts'
import type { SkillJobs } from './skill-worker.ts'
import type { BuildState, PageRow, SkillLine, SkillRow } from './state.ts'
import type { Tree } from './tree.ts'

/** The context of a running build. */
export interface Run {
  inputs: Inputs
  progress: Progress
  pool: Pool<SkillJobs>
  state: BuildState
  changes: Changes
  losses: Losses
  /** Path of the search index that the last build packed. */
  lastIndex: string | undefined
}

/** The folder of the generation being written, and the inputs for its pages. */
export interface Staging {
  folder: string
  templates: Record<DocumentKind, Template>
  assets: readonly { name: string; path: string }[]
}

interface OtherSkills {
  copies: Copies
  /** Ids of copies, by the id of their original. */
  copiesOf: ReadonlyMap<number, readonly number[]>
  find: (id: number) => SkillFacts | undefined
  findSlug: (slug: string) => SkillFacts | undefined
}

/** Chooses the skills that a skill's page compares it with. */
export const planComparison = (
  facts: SkillFacts,
  nearest: readonly number[],
  { copies, copiesOf, find }: OtherSkills,
): { comparison: Comparison; original: SkillFacts | undefined } => {
  const listFacts = (ids: readonly number[]): SkillFacts[] => ids.flatMap((id) => find(id) ?? [])
  const original = findOriginal(facts, copies, find)
  const copied = listFacts(copiesOf.get(facts.id) ?? []).filter(
    (one) => findOriginal(one, copies, find)?.id === facts.id,
  )
  // The notice at the top of a copy's page already links to its original.
  const isOther = ({ id }: SkillFacts): boolean => id !== original?.id
  return {
    original,
    comparison: {
      nearest: listFacts(nearest).filter(isOther).map(toCompared),
      copies: copied.slice(0, COMPARED_SKILLS).map(toNamed),
      copyCount: copied.length,
    },
  }
}

/** Lists the skills of the catalog among the names that a skill's text mentions. */
export const listMentioned = (
  mentions: string,
  { findSlug }: Pick<OtherSkills, 'findSlug'>,
): Pick<SkillFacts, 'slug' | 'name'>[] =>
  mentions.split(' ').flatMap((slug) => {
    const facts = findSlug(slug)
    return facts && isListed(facts) ? { slug, name: facts.name } : []
  })

/** Plans a skill's page; the key is a digest of everything that it shows. */
const planSkillPage = (
  row: SkillRow,
  layoutKey: string,
  surroundings: OtherSkills,
): { key: string; task: Omit<PrintTask, 'zip'> } => {
  const { slug, views, installs } = row.facts
  const { comparison, original: copied } = planComparison(row.facts, row.nearest, surroundings)
  const original = copied && { slug: copied.slug, name: copied.name }
  const mentioned = listMentioned(row.mentions, surroundings)
  // Pages show rounded counters, so small growth needs no printing.
  const nearest = comparison.nearest.map((other) => ({
    ...other,
    installs: showCount(other.installs),
  }))
  const key = digestText(
    JSON.stringify([
      layoutKey,
      row.filesDigest,
      showCount(views),
      showCount(installs),
      { ...comparison, nearest },
      original,
      mentioned,
    ]),
  )
  return { key, task: { slug, views, installs, comparison, original, mentioned } }
}

/** How the other skills that have a page are found. */
export interface FindSkills {
  find: (id: number) => SkillLine | undefined
  findSlug: (slug: string) => SkillLine | undefined
}

/** Names of written files, and their rows in the table of digests. */
export interface PrintedFiles {
  written: string[]
  digests: Uint8Array[]
}

/** Some skills were read but cannot be printed; the site has to be built without them. */
export class UnprintableError extends Error {
  override name = 'UnprintableError'
}

/** Prints the skills whose keys changed and updates their rows. Throws UnprintableError. */
export const printSkills = async (
  { inputs, progress, pool, state, changes, losses }: Run,
  { folder, templates }: Staging,
  skills: readonly SkillRow[],
  { find, findSlug }: FindSkills,
): Promise<PrintedFiles & { warnings: Problem[] }> => {
  const rows = new Map<string, SkillRow>()
  const tasks: PrintTask[] = []
  const { copies } = inputs.content
  const surroundings = {
    copies,
    copiesOf: groupCopies(copies),
    find: (id: number) => find(id)?.facts,
    findSlug: (slug: string) => findSlug(slug)?.facts,
  }
  for (const row of skills) {
    const { key, task } = planSkillPage(row, inputs.keys.layout, surroundings)
    if (key === row.pageKey || Object.hasOwn(changes.lost, row.slug)) continue
    row.pageKey = key
    const { zipDigest: sha256, zipSize: size } = row
    tasks.push({ ...task, zip: sha256 === '' ? undefined : { sha256, size } })
    rows.set(row.slug, row)
  }
  progress.stage('Printing skills', tasks.length)
  const { pageSite, content } = inputs
  const settings = {
    folder,
    isEmpty: state.last === undefined,
    template: templates.skill,
    site: pageSite,
    siteName: content.site.name,
    began: inputs.began,
  }
  pool.prepare(settings)
  const written: string[] = []
  const digests: Uint8Array[] = []
  const warnings: Problem[] = []
  const known = losses.size
  await pool.run('print', tasks, {
    keyOf: ({ slug }) => slug,
    onDone: ({ slug, zip, traits, written: names, ...more }) => {
      const row = rows.get(slug)
      if (row) row.traits = traits
      // An empty digest never matches, so the next build prints the skill again.
      if (row && more.isUncertain) row.filesDigest = ''
      if (row && zip) Object.assign(row, { zipDigest: zip.sha256, zipSize: zip.size })
      for (const name of names) written.push(name)
      // A copy: the bytes that a worker sends are part of a larger buffer.
      digests.push(new Uint8Array(more.digests))
      warnings.push(...more.warnings)
      progress.step()
    },
    onLost: ({ slug }, reason) => losses.set(slug, reason),
  })
  if (losses.size > known) throw new UnprintableError([...losses.keys()].join(', '))
  warnings.sort((a, b) => (a.file < b.file ? -1 : 1))
  return { written, digests, warnings }
}

/** The pages of the last build, and what the keys of the next ones are made of. */
interface Known {
  last: ReadonlyMap<string, PageRow>
  /** Digest of the facts of a skill without its counters. */
  digestOf: (id: number) => string
}

const createKeys = ({ inputs }: Run, { digestOf }: Known): ((plan: DocumentPlan) => string) => {
  const versions = new Map<SkillFacts, string>()
  const versionOf = (facts: SkillFacts): string => {
    // List entries show installs but not views.
    const version = versions.get(facts) ?? `${digestOf(facts.id)} ${showCount(facts.installs)}`
    versions.set(facts, version)
    return version
  }
  return ({ shows }) =>
    shows
      ? digestText(
          [inputs.keys.site, shows.pages, shows.more ?? '', ...shows.skills.map(versionOf)].join(
            ' ',
          ),
        )
      : ''
}

const printPage = (
  plan: DocumentPlan,
  key: string,
  { origin, content }: Inputs,
  templates: Staging['templates'],
  tree: Tree,
): PageRow => {
  const document = plan.write()
  const view = viewDocument(document, origin, content.site.name, renderHtml)
  tree.place(pageName(plan.path), fillTemplate(templates[document.kind], view))
  tree.place(twinName(plan.path), renderTwin(document))
  const { path } = plan
  return { path, key, updated: document.updated, isIndexable: document.isIndexable }
}

/** Pages printed before yielding to the event loop. */
const AT_A_TIME = 20

/** Prints the pages whose keys changed; returns the rows of all. */
export const printPages = async (
  plans: readonly DocumentPlan[],
  run: Run,
  { templates }: Staging,
  tree: Tree,
  known: Known = { last: new Map(), digestOf: () => '' },
): Promise<PageRow[]> => {
  const keyOf = createKeys(run, known)
  const rows: PageRow[] = []
  for (const [at, plan] of plans.entries()) {
    const old = known.last.get(plan.path)
    const key = keyOf(plan)
    const isSame = old && key !== '' && old.key === key
    rows.push(isSame ? old : printPage(plan, key, run.inputs, templates, tree))
    if (at % AT_A_TIME === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return rows
}
