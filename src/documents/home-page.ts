import { byNewest } from '../catalog/browse.ts'
import { UNKNOWN_DAY, pageDayOf } from '../catalog/skill.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { countOf, showNumber } from '../catalog/text.ts'
import { proposalAddress } from './contact.ts'
import type { Document, Section } from './document.ts'
import { skillEntry } from './lists/entries.ts'
import { listCategories, pickOnePerAuthor } from './lists/listings.ts'
import { PATHS } from './paths.ts'
import { html } from './prose/markup.ts'
import { codeFence, joinBlocks, list, md } from './prose/md.ts'
import { NO_WORDS, inCode, linked, phrase } from './prose/phrases.ts'
import type { Phrase } from './prose/phrases.ts'
import { latestDay } from './site.ts'
import type { Site } from './site.ts'
import { curlOf, renderTabs } from './skill/install.ts'

const RECENT_SKILLS = 3

/** A way to let an agent search: the text to copy, and where it belongs. */
type AgentWay = readonly [id: string, name: string, text: string, place: Phrase]

const listAgentWays = ({ origin, isStatic, catalog: { site } }: Site): AgentWay[] => {
  const mcp = `${origin}/mcp`
  const read = site.private ? `${curlOf({ isPrivate: true })} ${origin}` : `Read ${origin}`
  const claude = `claude mcp add --transport http skills ${mcp}`
  const codex = `[mcp_servers.skills]\nurl = "${mcp}"`
  const codexPlace = phrase`In ${inCode('~/.codex/config.toml')}.`
  const cursor = `"skills": { "url": "${mcp}" }`
  const cursorPlace = phrase`In ${inCode('~/.cursor/mcp.json')}, below ${inCode('mcpServers')}.`
  const name = isStatic ? 'Any agent' : 'Any, without MCP'
  const any: AgentWay = ['any', name, read + PATHS.llms, phrase`Say it to your agent.`]
  return isStatic
    ? [any]
    : [
        ['claude', 'Claude Code', claude, phrase`In a terminal.`],
        ['codex', 'Codex', codex, codexPlace],
        ['cursor', 'Cursor', cursor, cursorPlace],
        any,
      ]
}

/** Writes the box that says how to connect an agent, and what to ask it. Styles show the text for the chosen agent. */
const writeAgentBox = (site: Site): Section => {
  const ways = listAgentWays(site)
  const heading = 'Or let your agent look'
  const login = site.catalog.site.private ? ' If a login is needed, send it in a header.' : ''
  const then = phrase`Then ask it: “Find a skill that sends email.” It reads the same labels.${login}`
  return {
    id: 'your-agent',
    form: 'install',
    markdown: joinBlocks([
      md`## ${heading}`,
      list(ways.map(([, name, text, place]) => md`${name}: ${place.markdown}\n${codeFence(text)}`)),
      then.markdown,
    ]),
    html: html`<div class="box">
      <header class="spread">
        <h2 id="your-agent">${heading}</h2>
        ${renderTabs(
          'agent',
          'Agent',
          ways.map(([id, name]) => [id, name]),
        )}
      </header>
      <div class="way">
        <div>
          ${ways.map(
            ([id, , text]) => html`<pre class="line" data-for="${id}"><code>${text}</code></pre> `,
          )}
        </div>
        <button type="button" class="copy" hidden>Copy</button>
      </div>
      <p>
        ${ways.map(([id, , , place]) => html`<span data-for="${id}">${place.html}</span> `)}
        ${then.html}
      </p>
    </div>`,
  }
}

/** Lists the skills that changed most recently, by as many different authors as possible. */
const listLatest = ({ listed }: Site): SkillFacts[] =>
  pickOnePerAuthor(listed.toSorted(byNewest), RECENT_SKILLS).sort(byNewest)

const listExamples = ({ catalog: { site } }: Site): Phrase => {
  const links = (site.examples ?? []).map((q) =>
    linked(q, `${PATHS.skills}?${new URLSearchParams({ q })}`),
  )
  if (links.length === 0) return NO_WORDS
  return {
    markdown: list(links.map(({ markdown }) => md`Try: ${markdown}`)),
    html: html`<p class="flow tries">
      <span>Try</span>
      ${links.map((link) => html`${link.html} `)}
    </p>`,
  }
}

/** Writes the size of the catalog, the day of its last change, and the number of skills to review. */
const writeNumbers = ({ listed, byAuthor, isStatic, catalog: { site } }: Site): Section => {
  const skills = linked(countOf(listed.length, 'skill'), PATHS.skills)
  const authors = linked(countOf(byAuthor.size, 'author'), PATHS.authors)
  const last = latestDay(listed.flatMap(({ updated }) => updated ?? []))
  const changed = last > UNKNOWN_DAY ? `, last changed ${last}` : ''
  const flagged = listed.filter(({ safety }) => safety === 'Review').length
  const words = `${showNumber(flagged)} for review`
  const marked = isStatic ? words : linked(words, `${PATHS.skills}?findings=review`)
  const scan = linked('The scan', PATHS.safetyDocs)
  const address = proposalAddress(site.contact)
  const proposal = address && phrase` Missing one? ${linked('Propose a skill', address)}.`
  return {
    id: 'numbers',
    form: 'install',
    ...phrase`${skills} by ${authors}${changed}.${flagged > 0 ? phrase` ${scan} marked ${marked}.` : ''}${proposal ?? ''}`,
  }
}

/** Writes the home page: example searches, how to connect an agent, a sample label, categories, recent skills. */
export const writeHomeDocument = (site: Site): Document => {
  const { catalog, listed, sampleLabel } = site
  const recent = listLatest(site)
  return {
    kind: 'home',
    path: PATHS.home,
    heading: catalog.site.tagline,
    lead: phrase`A skill is a SKILL.md that teaches an agent one task. Each of these ${showNumber(listed.length)} has its source and a label of what it does on your machine.`,
    description: catalog.site.description.replace(/\s+/g, ' '),
    updated: latestDay([...listed.map(pageDayOf), ...catalog.posts.map(({ updated }) => updated)]),
    isUnindexed: false,
    hasFeed: true,
    below: listExamples(site),
    sections: [
      writeAgentBox(site),
      writeNumbers(site),
      ...(sampleLabel ? [{ id: 'label', form: 'label' as const, ...sampleLabel.short }] : []),
      { ...listCategories(site), heading: 'Categories' },
      {
        id: 'recently-updated',
        heading: recent.some(({ updated }) => updated) ? 'Last changed' : 'A few of the skills',
        ...NO_WORDS,
        entries: recent.map(skillEntry),
        list: 'cells',
      },
    ],
  }
}
