import { decodeFolder, namesCommit, plainRepository, readAddress } from '../../catalog/address.ts'
import type { Category } from '../../catalog/categories.ts'
import { categorySlug } from '../../catalog/categories.ts'
import { hasText, isNamedTooLong } from '../../catalog/skill.ts'
import type { SkillFacts } from '../../catalog/skill.ts'
import { truncateAtWord, typeLetters } from '../../catalog/text.ts'
import type { Section } from '../document.ts'
import { SENDS_NO_LOGIN, npxOf } from '../install-line.ts'
import { fenced } from '../prose/blocks.ts'
import { paragraphs, stacked } from '../prose/phrases.ts'
import { categoryPath, downloadPath } from '../paths.ts'

/** Maximum number of skills that a list offers: clients download every zip before asking which ones to install. */
export const MOST_OFFERED = 25

/** Maximum number of plugins in a marketplace. */
const MOST_PLUGINS = 100

/** Only the most popular skills of a category are considered, because parsing each source address takes time. */
const MOST_CONSIDERED = 400

const LONGEST_DESCRIPTION = 1_024

export const marketplacePath = (category: Category): string =>
  `${categoryPath(category)}/marketplace.json`

/** Where Claude Code gets a plugin. `sha` is a commit; `ref`, which is not used, would be a branch. */
type PluginSource =
  | { source: 'github'; repo: string; sha: string }
  | { source: 'git-subdir'; url: string; path: string; sha: string }
  | { source: 'archive'; url: string; sha256: string }

/** Reads the address of a folder at a commit; undefined for other addresses, and if a client could not fetch it. */
const readGitSource = (address: string): PluginSource | undefined => {
  const place = readAddress(address)
  const repository = plainRepository(place)
  if (!repository?.startsWith('https://') || !namesCommit(place)) return undefined
  const { isGitHub, path, ref: sha, folder } = place
  const repo = path.slice(1).replace(/\.git$/, '')
  if (folder === '') return isGitHub ? { source: 'github', repo, sha } : undefined
  const decoded = decodeFolder(folder)
  return decoded === undefined
    ? undefined
    : { source: 'git-subdir', url: `${repository}.git`, path: decoded, sha }
}

/** Clients accept archives only over https. */
const canArchive = (origin: string): boolean => origin.startsWith('https://')

/** Whether Claude Code can install a skill as a plugin. */
export const isPlugin = (
  skill: Pick<SkillFacts, 'slug' | 'visibility' | 'source'>,
  origin: string,
): boolean => {
  const { slug, visibility, source } = skill
  if (IMPERSONATING.test(slug) || isNamedTooLong(skill)) return false
  return visibility === 'own'
    ? canArchive(origin)
    : source.kind === 'upstream' && readGitSource(source.url) !== undefined
}

/** Lists the skills that Claude Code can install as plugins. `skills` are those of a category, most popular first. */
export const listPlugins = (skills: readonly SkillFacts[], origin: string): SkillFacts[] =>
  skills
    .slice(0, MOST_CONSIDERED)
    .filter((skill) => isPlugin(skill, origin))
    .slice(0, MOST_PLUGINS)

const IMPERSONATING = /^(?=.*(?:anthropic|claude)).*official/

/** Marketplace names that Claude Code reserves for its maker. */
const RESERVED = new RegExp(`^claude-for-|${IMPERSONATING.source}`)

/** Plugin names that Claude Code (2.1.330) reserves for its maker. It refuses a marketplace that has one of them. */
const RESERVED_PLUGIN = /^(?:claude|anthropics?)(?:-|$)|^cc-plugin-/

const namePlugin = (slug: string): string => (RESERVED_PLUGIN.test(slug) ? `skill-${slug}` : slug)

const toKebab = (text: string): string =>
  typeLetters(text.normalize('NFKD'))
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Names a marketplace after the site and the category. No other reserved name ends in a category. */
const nameMarketplace = (siteName: string, category: Category): string => {
  const site = toKebab(siteName)
  const name = `${site}-${categorySlug(category)}`
  return site === '' || RESERVED.test(name) ? `registry-${categorySlug(category)}` : name
}

export interface Marketplace {
  siteName: string
  origin: string
  category: Category
  /** The result of `listPlugins`. */
  skills: readonly SkillFacts[]
  /** SHA-256 of the zip of one of the registry's own skills, in hex. */
  zipDigestOf: (skill: SkillFacts) => string
}

const sourceOf = (skill: SkillFacts, { origin, zipDigestOf }: Marketplace): PluginSource =>
  skill.source.kind === 'upstream'
    ? readGitSource(skill.source.url)!
    : { source: 'archive', url: origin + downloadPath(skill.id), sha256: zipDigestOf(skill) }

/** Renders the `marketplace.json` of a category for Claude Code. */
export const renderMarketplace = (marketplace: Marketplace): string => {
  const { siteName, category, skills } = marketplace
  const text = {
    name: nameMarketplace(siteName, category),
    owner: { name: siteName },
    metadata: { description: `Skills for ${category} from ${siteName}, the most popular first.` },
    plugins: skills.map((skill) => ({
      name: namePlugin(skill.slug),
      description: truncateAtWord(skill.description, LONGEST_DESCRIPTION),
      category: categorySlug(category),
      source: sourceOf(skill, marketplace),
      // The folder is a skill without a plugin.json, so its fields are given here.
      strict: false,
      skills: ['../'],
    })),
  }
  return `${JSON.stringify(text)}\n`
}

const describeOffer = (count: number): string => {
  if (count === 1) return 'Installs the skill:'
  return count > MOST_OFFERED
    ? `Choose from the ${MOST_OFFERED} most popular:`
    : 'Choose from these skills:'
}

interface ListPlace {
  origin: string
  category?: Category
  isPrivate?: boolean | undefined
}

/** Writes the install section of a list page; none if none of its skills can be installed. */
export const writeListInstall = (
  path: string,
  skills: readonly SkillFacts[],
  { origin, category, isPrivate }: ListPlace,
): Section[] => {
  const commands: [words: string, command: string][] = []
  if (skills.some(hasText))
    commands.push([describeOffer(skills.length), `${npxOf({ isPrivate })} add ${origin}${path}`])
  if (category !== undefined && listPlugins(skills, origin).length > 0)
    commands.push([
      'Claude Code can add this category’s most popular skills as plugins:',
      `claude plugin marketplace add ${origin}${marketplacePath(category)}`,
    ])
  if (commands.length === 0) return []
  const blocks = commands.flatMap(([words, command]) => [paragraphs(words), fenced(command, 'sh')])
  const login = isPrivate && paragraphs(SENDS_NO_LOGIN)
  return [{ id: 'install', heading: 'Install', ...stacked([...blocks, login]) }]
}
