import {
  ABOUT_PATH,
  AUTHORS_PATH,
  BLOG_PATH,
  CATEGORIES_PATH,
  SKILLS_PATH,
  STATS_PATH,
  downloadPath,
  skillPath,
  twinPath,
} from '../documents/paths.ts'
import { DISCOVERY_PATH } from './discovery.ts'

/** Name of the file that Cloudflare and Netlify read redirects from. */
export const REDIRECTS_FILE = '_redirects'

/** Cloudflare's limits: rules for exact addresses, and rules with placeholders. */
const EXACT_LIMIT = 2_000
const PATTERN_LIMIT = 100

/** A skill whose slug or id has changed. */
interface MovedSkill {
  slug: string
  id: number
  to: { slug: string; id: number }
}

type Rule = readonly [from: string, to: string, status?: 200 | 308]

const LISTS = [SKILLS_PATH, AUTHORS_PATH, CATEGORIES_PATH]

const EXACT: readonly Rule[] = [
  ['/index', '/'],
  ['/index.html', '/'],
  ['/.md', '/index.md', 200],
  ...LISTS.flatMap((path): Rule[] => [
    [`${path}/page/1`, path],
    [`${path}/page/1.md`, `${path}.md`],
  ]),
  ...[...LISTS, BLOG_PATH, ABOUT_PATH, STATS_PATH].flatMap((path): Rule[] => [
    [`${path}/`, path],
    [`${path}.html`, path],
  ]),
]

const PATTERNS: readonly Rule[] = [
  // A client that was given the address of a skill looks for its index below that address.
  [`${SKILLS_PATH}/:slug.md${DISCOVERY_PATH}`, `${SKILLS_PATH}/:slug${DISCOVERY_PATH}`, 200],
  [`${SKILLS_PATH}/:slug/SKILL.md${DISCOVERY_PATH}`, `${SKILLS_PATH}/:slug${DISCOVERY_PATH}`, 200],
  ...[AUTHORS_PATH, CATEGORIES_PATH].flatMap((path): Rule[] => [
    [`${path}/:name/page/1`, `${path}/:name`],
    [`${path}/:name/page/1.md`, `${path}/:name.md`],
  ]),
  ...[
    ...[...LISTS, BLOG_PATH, '/docs'].map((path) => `${path}/:name`),
    ...[SKILLS_PATH, AUTHORS_PATH, CATEGORIES_PATH].map((path) => `${path}/page/:page`),
    ...[AUTHORS_PATH, CATEGORIES_PATH].map((path) => `${path}/:name/page/:page`),
  ].flatMap((path): Rule[] => [
    [`${path}/`, path],
    [`${path}.html`, path],
  ]),
]

/** The redirects of a moved skill: exact rules for its addresses, patterns for its files. */
const listMoves = ({ slug, id, to }: MovedSkill): { exact: Rule[]; pattern: Rule } => {
  const [from, next] = [skillPath(slug), skillPath(to.slug)]
  const zip: Rule[] = id === to.id ? [] : [[downloadPath(id), downloadPath(to.id)]]
  return {
    exact: [[from, next], [twinPath(from), twinPath(next)], [`${from}.html`, next], ...zip],
    pattern: [`${from}/*`, `${next}/:splat`],
  }
}

/**
 * Renders the redirects of moved skills and of other spellings of an address, for a CDN that serves only the
 * files. A CDN reads a limited number: `left` counts the moved skills without redirects of their pages or files.
 */
export const renderRedirectsFile = (
  moves: readonly MovedSkill[],
): { text: string; left: { pages: number; files: number } } => {
  const exact = [...EXACT]
  const patterns = [...PATTERNS]
  const left = { pages: 0, files: 0 }
  for (const move of moves) {
    const rules = listMoves(move)
    if (exact.length + rules.exact.length > EXACT_LIMIT) left.pages += 1
    else exact.push(...rules.exact)
    if (patterns.length < PATTERN_LIMIT) patterns.unshift(rules.pattern)
    else left.files += 1
  }
  // Exact rules come first, since the first match wins.
  const lines = [...exact, ...patterns].map(([from, to, status = 308]) => `${from} ${to} ${status}`)
  return { text: `${lines.join('\n')}\n`, left }
}
