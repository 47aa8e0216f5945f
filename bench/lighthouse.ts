import { readdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openBrowser } from '../e2e/browser.ts'
import { findFreePort, startSite } from '../e2e/site.ts'
import { BENCH_MODULES, findMissing } from './installed.ts'
import { median } from './measures.ts'
import { readOptions } from './options.ts'

const values = readOptions(
  'Asks Lighthouse about seven kinds of page, as on a phone and on a desktop.',
  {
    corpus: { type: 'string', default: 'content', about: 'the content folder to build' },
    rounds: {
      type: 'string',
      default: '5',
      about: 'runs of each page, of which the median counts',
    },
    only: { type: 'string', default: '', about: 'pages whose name has these letters' },
    json: { type: 'string', about: 'a file for the figures, as JSON' },
    strict: { type: 'boolean', about: 'end with status 1 where a figure is under 100' },
  },
)

const missing = findMissing('lighthouse')
if (missing !== undefined) {
  console.error(missing)
  process.exit(1)
}

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof CATEGORIES)[number]

const FORMS = ['phone', 'desktop'] as const
type Form = (typeof FORMS)[number]

/** What is read of a report of Lighthouse. */
interface Report {
  categories: Record<
    Category,
    { score: number | null; auditRefs: { id: string; weight: number }[] }
  >
  audits: Record<string, Audit>
}

interface Audit {
  title: string
  score: number | null
  numericValue?: number
  /** Its items may name elements. */
  details?: { items?: { node?: { selector: string } }[] }
}

type Lighthouse = (
  address: string,
  flags: object,
  config?: object,
) => Promise<{ lhr: Report } | undefined>

// Named by their paths, so that the types of the tree can be checked without them.
const core = join(BENCH_MODULES, 'lighthouse/core')
const { default: lighthouse } = (await import(join(core, 'index.js'))) as { default: Lighthouse }
const { default: desktop } = (await import(join(core, 'config/desktop-config.js'))) as {
  default: object
}

/** The kinds of page; a results page and a file are not for search engines. */
const listPages = (corpus: string): { name: string; path: string; isIndexed: boolean }[] => {
  const skills = readdirSync(join(corpus, 'skills')).sort()
  const skill = skills[Math.floor(skills.length / 2)]
  const post = readdirSync(join(corpus, 'blog'))[0]?.replace(/\.md$/, '')
  return [
    { name: 'home', path: '/', isIndexed: true },
    { name: 'category', path: '/categories/coding', isIndexed: true },
    { name: 'results', path: '/skills?q=review', isIndexed: false },
    { name: 'skill', path: `/skills/${skill}`, isIndexed: true },
    { name: 'file', path: `/files/${skill}/SKILL.md/view`, isIndexed: false },
    { name: 'post', path: `/blog/${post}`, isIndexed: true },
    { name: 'API docs', path: '/docs/api', isIndexed: true },
  ]
}

/** The figures of one page in one form: scores of 100, layout shift, and the audits that cost points. */
interface Figures {
  page: string
  path: string
  form: Form
  scores: Record<Category, number | null>
  shift: number
  faults: string[]
}

/** The first elements that an audit names. */
const nameElements = ({ details }: Audit): string => {
  const selectors = (details?.items ?? []).flatMap(({ node }) => (node ? [node.selector] : []))
  return selectors.length === 0 ? '' : `: ${selectors.slice(0, 3).join('; ')}`
}

const listFaults = ({ categories, audits }: Report, wanted: readonly Category[]): string[] =>
  wanted.flatMap((category) =>
    categories[category].auditRefs.flatMap(({ id, weight }) => {
      const audit = audits[id]
      const score = audit?.score ?? 1
      return weight === 0 || score >= 1 || audit === undefined
        ? []
        : [`${id} (${score}): ${audit.title}${nameElements(audit)}`]
    }),
  )

const runOnce = async (address: string, form: Form, port: number): Promise<Report> => {
  const flags = { port, output: 'json', logLevel: 'error', onlyCategories: CATEGORIES }
  const result = await lighthouse(address, flags, form === 'desktop' ? desktop : undefined)
  if (result === undefined) throw new Error(`Lighthouse said nothing about ${address}`)
  return result.lhr
}

const measure = async (
  origin: string,
  { name: page, path, isIndexed }: ReturnType<typeof listPages>[number],
  form: Form,
  port: number,
): Promise<Figures> => {
  const reports: Report[] = []
  while (reports.length < Number(values.rounds))
    reports.push(await runOnce(origin + path, form, port))
  const wanted = CATEGORIES.filter((category) => isIndexed || category !== 'seo')
  const scores = Object.fromEntries(
    CATEGORIES.map((category) => {
      const all = reports.map(({ categories }) => 100 * (categories[category].score ?? 0))
      return [category, wanted.includes(category) ? Math.round(median(all)) : null]
    }),
  ) as Figures['scores']
  const shifts = reports.map(({ audits }) => audits['cumulative-layout-shift']?.numericValue ?? 0)
  const faults = [...new Set(reports.flatMap((report) => listFaults(report, wanted)))]
  return { page, path, form, scores, shift: Math.max(...shifts), faults }
}

const printTable = (all: readonly Figures[]): void => {
  console.log('| page | form | performance | accessibility | best practices | SEO | shift |')
  console.log('| --- | --- | --- | --- | --- | --- | --- |')
  for (const { page, form, scores, shift } of all) {
    const cells = CATEGORIES.map((category) => scores[category] ?? '—')
    console.log(`| ${[page, form, ...cells, Number(shift.toFixed(3))].join(' | ')} |`)
  }
  for (const { page, form, faults } of all)
    for (const fault of faults) console.log(`\n${page}, ${form}: ${fault}`)
}

const isPerfect = ({ scores, shift }: Figures): boolean =>
  shift === 0 && CATEGORIES.every((category) => (scores[category] ?? 100) === 100)

const corpus = resolve(values.corpus)
const site = await startSite({ CONTENT_DIR: corpus })
const port = await findFreePort()
const { close } = await openBrowser(`--remote-debugging-port=${port}`)
try {
  const all: Figures[] = []
  for (const page of listPages(corpus)) {
    if (!page.name.includes(values.only)) continue
    for (const form of FORMS) all.push(await measure(site.origin, page, form, port))
  }
  printTable(all)
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(all, null, 2))
  if (values.strict && !all.every(isPerfect)) process.exitCode = 1
} finally {
  await close()
  await site.stop()
}
