import type { Document, SampleLabel } from './document.ts'
import { docEntries, listTitles } from './lists/listings.ts'
import { PATHS } from './paths.ts'
import { fenced } from './prose/blocks.ts'
import { html } from './prose/markup.ts'
import { inCode, paragraphs, phrase, stacked } from './prose/phrases.ts'
import type { Phrase } from './prose/phrases.ts'
import { latestDay } from './site.ts'
import type { Site } from './site.ts'
import { FIRST_CLIENT } from './skill/clients.ts'

const FILES = `csv-clean/
 SKILL.md               what to do
 references/recipes.md  when needed
 scripts/profile_csv.py a program`

const explainLabel = (sample: SampleLabel | undefined): Phrase => {
  const words = paragraphs(
    phrase`Each skill has a label, read from its files by rules, without a model. It lists what was found and the line where it stands, and nothing else: a line that is not there means only that the rules saw nothing.`,
  )
  const text = { ...words, html: html`<div class="text">${words.html}</div>` }
  return stacked([text, sample?.annotated])
}

/** Writes the page that explains skills and their labels, and lists all documentation. */
export const writeDocsDocument = (site: Site): Document => {
  const { site: about, pages } = site.catalog
  const folder = `${FIRST_CLIENT.project}/csv-clean`
  return {
    kind: 'article',
    path: PATHS.docs,
    heading: 'Documents',
    lead: phrase`What a skill is, how to read its label, and how to get rid of it again.`,
    description: `What a skill is, how to read its label, and all documents about ${about.name}.`,
    updated: latestDay(pages.map(({ updated }) => updated)),
    isUnindexed: false,
    sections: [
      {
        id: 'what-a-skill-is',
        heading: 'What a skill is',
        ...stacked([
          paragraphs(
            phrase`A skill is a folder with a file named ${inCode('SKILL.md')}. It starts with a name and a description; below are instructions in Markdown.`,
            phrase`Your agent always knows the description. When a task fits it, the agent reads the rest, and further files only when it needs them:`,
          ),
          fenced(FILES),
          paragraphs(
            phrase`Nearly everything is plain text. You can read a skill before your agent does, and you should.`,
          ),
        ]),
      },
      {
        id: 'read-a-label',
        heading: 'Read a label',
        form: 'bare',
        ...explainLabel(site.sampleLabel),
      },
      {
        id: 'install-and-undo',
        heading: 'Install and undo',
        ...paragraphs(
          phrase`To install is to put the folder where your client looks, such as ${inCode(folder)}. To undo is to delete that folder; each page has both commands. What a skill has installed outside the project stays: see its label.`,
        ),
      },
      { id: 'more', heading: 'More', ...listTitles(docEntries(site)) },
    ],
  }
}
