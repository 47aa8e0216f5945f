import type { SkillFacts } from '../catalog/skill.ts'
import type { Document } from './document.ts'
import { postEntry, skillEntry } from './entries.ts'
import { escapeMarkdown } from './escape.ts'
import { categoryEntries } from './listing-documents.ts'
import {
  API_DOCS_PATH,
  HOME_PATH,
  LISTING_API_PATH,
  LLMS_PATH,
  OPENAPI_PATH,
  SKILLS_PATH,
  skillPath,
} from './paths.ts'
import { latestDay } from './site.ts'
import type { Site } from './site.ts'
import { installCommand } from './skill-install.ts'

const RECENT_SKILLS = 8
const RECENT_POSTS = 3

const writeAgentHelp = (site: Site): string => {
  const { origin } = site
  const [example] = site.listed
  const page = example ? `${origin}${skillPath(example.slug)}` : `${origin}${SKILLS_PATH}`
  return [
    `Every page is Markdown too: ask with \`Accept: text/markdown\`, or add \`.md\` to the address. The [API](${API_DOCS_PATH}) needs no key.`,
    '',
    '```sh',
    `curl -H "Accept: text/markdown" ${page}`,
    `curl "${origin}${LISTING_API_PATH}?q=code+review&limit=5"`,
    '```',
    '',
    `Machines start at [llms.txt](${LLMS_PATH}) or the [OpenAPI description](${OPENAPI_PATH}).`,
  ].join('\n')
}

const writeInstallHelp = (site: Site): string => {
  const [example] = site.listed
  const line = example ? `\n\n\`\`\`sh\n${installCommand(example, site.origin)}\n\`\`\`` : ''
  return `A skill is a folder with a SKILL.md that a coding assistant loads when a task fits. Each skill's page has one line that puts it in place; read what the scan found first.${line}`
}

const byDay = (a: SkillFacts, b: SkillFacts): number =>
  a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : b.id - a.id

/** Lists the skills that changed last, the latest first, without putting all in order. */
const listLatest = (skills: readonly SkillFacts[], count: number): SkillFacts[] => {
  const latest: SkillFacts[] = []
  for (const skill of skills) {
    const last = latest[count - 1]
    if (last && byDay(skill, last) > 0) continue
    latest.push(skill)
    latest.sort(byDay).splice(count)
  }
  return latest
}

/** Writes the start page: what the registry is, its categories, what is new, how to use it. */
export const writeHomeDocument = (site: Site): Document => {
  const { catalog, listed } = site
  const recent = listLatest(listed, RECENT_SKILLS)
  return {
    kind: 'home',
    path: HOME_PATH,
    heading: catalog.site.name,
    lead: escapeMarkdown(catalog.site.tagline),
    description: catalog.site.description.replace(/\s+/g, ' '),
    updated: latestDay([...listed, ...catalog.posts].map((one) => one.updated)),
    isIndexable: true,
    facts: [
      { label: 'Skills', value: String(listed.length), path: SKILLS_PATH },
      { label: 'Authors', value: String(site.byAuthor.size) },
    ],
    sections: [
      {
        id: 'about-the-registry',
        heading: 'What this is',
        markdown: escapeMarkdown(catalog.site.description),
      },
      {
        id: 'categories',
        heading: 'Categories',
        markdown: '',
        entries: categoryEntries(site),
      },
      {
        id: 'recently-updated',
        heading: 'Recently updated',
        markdown: '',
        entries: recent.map(skillEntry),
      },
      { id: 'install-a-skill', heading: 'Install a skill', markdown: writeInstallHelp(site) },
      { id: 'for-agents', heading: 'For agents and scripts', markdown: writeAgentHelp(site) },
      ...(catalog.posts.length > 0
        ? [
            {
              id: 'from-the-blog',
              heading: 'From the blog',
              markdown: '',
              entries: catalog.posts.slice(0, RECENT_POSTS).map(postEntry),
            },
          ]
        : []),
    ],
  }
}
