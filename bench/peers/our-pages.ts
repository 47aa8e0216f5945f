import type { DocumentPlan } from '../../src/documents/document.ts'
import type { Document } from '../../src/documents/document.ts'
import { escapeText } from '../../src/documents/escape.ts'
import { renderTwin } from '../../src/documents/markdown.ts'
import { fillTemplate } from '../../src/documents/template.ts'
import type { Template } from '../../src/documents/template.ts'
import { viewDocument } from '../../src/documents/view.ts'
import { openProse } from '../../src/documents/prose.ts'
import type { PageView } from '../../src/documents/view.ts'
import { readInputs } from '../../build/site/inputs.ts'
import { createTemplateModule } from '../../build/site/astro.ts'
import { openTemplates } from '../../build/site/templates.ts'
import { openWorkspace } from '../../build/site/astro.ts'
import type { PeerInput, PeerPage, Places } from './peer.ts'

const FACTS = '<dl class="facts">'

/** The layout as it prints a page whose values are places; the list of sections is that of every skill. */
const printLayout = (
  template: Template,
  { contents }: PageView,
  { text, html, content }: Places,
): string =>
  fillTemplate(template, {
    title: text('title'),
    shareTitle: text('heading'),
    description: text('description'),
    address: text('canonical'),
    canonical: [{ address: text('canonical') }],
    twin: text('twin'),
    updated: '',
    robots: [],
    heading: text('heading'),
    lead: { html: html('lead') },
    hue: text('hue'),
    notice: [],
    facts: [],
    contents,
    sections: [{ id: 'text', title: [], body: { html: content }, lists: [] }],
    pager: [],
  }).replace(FACTS, () => FACTS + html('facts'))

const printFacts = (view: PageView): string =>
  view.facts
    .map(({ label, value }) => `<div><dt>${escapeText(label)}</dt><dd>${value.html}</dd></div>`)
    .join('')

const sectionsOf = (document: Document): string => {
  const twin = renderTwin(document)
  return twin.slice(twin.indexOf(`\n## ${document.sections[0]?.heading}\n`) + 1)
}

/** Reads a content folder as what another generator makes its skills' pages from. */
export const openOurPages = async (content: string): Promise<PeerInput> => {
  const settings = { contentFolder: content, outputFolder: '' }
  const { keys, siteView } = readInputs(settings)
  const { templates } = await openTemplates(keys.layout, () => createTemplateModule(siteView))
  const { plans, site, catalog } = openWorkspace(settings)
  const skillPlans = plans.filter(({ kind }) => kind === 'skill')
  const viewOf = (document: Document): PageView =>
    viewDocument(document, site.origin, catalog.site.name, openProse)
  const toPage = ({ path, write }: DocumentPlan): PeerPage => {
    const document = write()
    const view = viewOf(document)
    const { title, description, address: canonical, twin, heading, hue, lead } = view
    const fields = { title, description, canonical, twin, heading, hue, lead: lead.html }
    return {
      slug: path.slice(path.lastIndexOf('/') + 1),
      fields: { ...fields, facts: printFacts(view) },
      markdown: sectionsOf(document),
    }
  }
  const [first] = skillPlans
  if (!first) throw new Error(`${content} has no skills`)
  const sample = viewOf(first.write())
  return {
    content,
    writeLayout: (places) => printLayout(templates.skill, sample, places),
    *pages() {
      for (const plan of skillPlans) yield toPage(plan)
    },
  }
}
