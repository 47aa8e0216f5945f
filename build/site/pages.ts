import { findOriginal } from '../../src/catalog/references.ts'
import type { Copies } from '../../src/catalog/schema.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { COMPARED_SKILLS, toCompared, toNamed } from '../../src/documents/comparison.ts'
import type { Comparison } from '../../src/documents/comparison.ts'
import { showCount } from '../../src/documents/entries.ts'
import type { DocumentKind, DocumentPlan } from '../../src/documents/document.ts'
import { renderTwin } from '../../src/documents/markdown.ts'
import { fillTemplate } from '../../src/documents/template.ts'
import type { Template } from '../../src/documents/template.ts'
import { viewDocument } from '../../src/documents/view.ts'
import { PRINTED } from '../../src/documents/printed.ts'
import { digestText } from './digest.ts'
import type { Neighbours } from './nearest.ts'
import { pageName, twinName } from './skill-files.ts'
import type { PrintTask } from './skill-files.ts'
import type { PageRow, SkillRow } from './state.ts'
import type { Tree } from './tree.ts'

interface OtherSkills {
  copies: Copies
  /** Ids of copies, by the id of their original. */
  copiesOf: ReadonlyMap<number, readonly number[]>
  find: (id: number) => SkillFacts | undefined
}

/** Chooses the skills that a skill's page compares it with. */
export const planComparison = (
  facts: SkillFacts,
  { alternatives, together }: Neighbours,
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
      alternatives: listFacts(alternatives).filter(isOther).map(toCompared),
      together: listFacts(together).filter(isOther).map(toNamed),
      copies: copied.slice(0, COMPARED_SKILLS).map(toNamed),
      copyCount: copied.length,
    },
  }
}

/** Plans a skill's page; the key is a digest of everything that it shows. */
export const planSkillPage = (
  row: SkillRow,
  layoutKey: string,
  surroundings: OtherSkills,
): { key: string; task: Omit<PrintTask, 'zip'> } => {
  const { slug, views, installs } = row.facts
  const { comparison, original: copied } = planComparison(row.facts, row.nearest, surroundings)
  const original = copied && { slug: copied.slug, name: copied.name }
  // Pages show rounded counters, so small growth needs no printing.
  const alternatives = comparison.alternatives.map((other) => ({
    ...other,
    installs: showCount(other.installs),
  }))
  const key = digestText(
    JSON.stringify([
      layoutKey,
      row.filesDigest,
      showCount(views),
      showCount(installs),
      { ...comparison, alternatives },
      original,
    ]),
  )
  return { key, task: { slug, views, installs, comparison, original } }
}

/** The inputs for pages other than those of skills. */
export interface PagePrinting {
  tree: Tree
  templates: Record<DocumentKind, Template>
  origin: string
  siteName: string
  siteKey: string
  /** The same pages of the last build. */
  last: ReadonlyMap<string, PageRow>
  /** Digest of the facts of a skill without its counters. */
  digestOf: (id: number) => string
}

const createKeys = ({ siteKey, digestOf }: PagePrinting): ((plan: DocumentPlan) => string) => {
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
          [siteKey, shows.pages, shows.more ?? '', ...shows.skills.map(versionOf)].join(' '),
        )
      : ''
}

const printPage = (plan: DocumentPlan, key: string, printing: PagePrinting): PageRow => {
  const { tree, templates, origin, siteName } = printing
  const document = plan.write()
  const view = viewDocument(document, origin, siteName, PRINTED)
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
  printing: PagePrinting,
): Promise<PageRow[]> => {
  const keyOf = createKeys(printing)
  const rows: PageRow[] = []
  for (const [at, plan] of plans.entries()) {
    const old = printing.last.get(plan.path)
    const key = keyOf(plan)
    rows.push(old && key !== '' && old.key === key ? old : printPage(plan, key, printing))
    if (at % AT_A_TIME === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return rows
}
