import type { SkillFacts } from '../../src/catalog/skill.ts'
import type { DocumentPlan } from '../../src/documents/all-documents.ts'
import { showCount } from '../../src/documents/counts.ts'
import type { DocumentKind } from '../../src/documents/document.ts'
import { renderTwin } from '../../src/documents/markdown.ts'
import type { Template } from '../../src/documents/template.ts'
import { fillTemplate } from '../../src/documents/template.ts'
import { viewDocument } from '../../src/documents/view.ts'
import { digestText } from './digest.ts'
import { pageName, twinName } from './outputs.ts'
import type { StateHead } from './state.ts'
import type { Tree } from './tree.ts'

type PageRows = StateHead['pages']

/** What the pages that are no skill's are printed with. */
export interface PagePress {
  templates: Record<DocumentKind, Template>
  origin: string
  siteName: string
  /** Digest of layouts, code and everything the content says beside its skills. */
  frame: string
  /** The same pages of the last build. */
  last: PageRows
  tree: Tree
  /** Digest of what is told of a skill beside its counters. */
  toldOf: (id: number) => string
  /** Paths of the lists that may be others than they were; undefined where any may. */
  touched: ReadonlySet<string> | undefined
}

const createKeys = ({ frame, toldOf }: PagePress): ((plan: DocumentPlan) => string) => {
  const versions = new Map<SkillFacts, string>()
  const versionOf = (facts: SkillFacts): string => {
    const known = versions.get(facts)
    if (known !== undefined) return known
    // An entry shows how often a skill is installed, and nothing of its views.
    const version = `${toldOf(facts.id)} ${showCount(facts.installs)}`
    versions.set(facts, version)
    return version
  }
  return ({ shows }) =>
    shows ? digestText([frame, shows.pages, ...shows.skills.map(versionOf)].join(' ')) : ''
}

/** Pages after which the rest of the build has its turn. */
const AT_A_TIME = 20

/** Prints the pages whose words may have changed, and says of each what it was printed from. */
export const printPages = async (
  plans: readonly DocumentPlan[],
  press: PagePress,
  onStep: () => void,
): Promise<PageRows> => {
  const keyOf = createKeys(press)
  const rows: PageRows = {}
  let asked = 0
  for (const plan of plans) {
    const old = press.last[plan.path]
    onStep()
    if (old && plan.shows && press.touched?.has(plan.path) === false) {
      rows[plan.path] = old
      continue
    }
    const key = keyOf(plan)
    rows[plan.path] = old && key !== '' && old[0] === key ? old : printPage(plan, key, press)
    asked += 1
    if (asked % AT_A_TIME === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return rows
}

const printPage = (plan: DocumentPlan, key: string, press: PagePress): PageRows[string] => {
  const document = plan.write()
  const view = viewDocument(document, press.origin, press.siteName)
  press.tree.place(pageName(plan.path), fillTemplate(press.templates[document.kind], view))
  press.tree.place(twinName(plan.path), renderTwin(document))
  return [key, document.updated, document.isIndexable]
}
