import type { Category } from '../catalog/categories.ts'
import type { Skill, SkillZip } from '../catalog/skill.ts'
import { truncateAtWord } from '../catalog/text.ts'
import { downloadPath } from '../documents/paths.ts'

/** Where a client looks for an index below any address (Agent Skills Discovery RFC, 0.2.0). */
export const DISCOVERY_PATH = '/.well-known/agent-skills/index.json'

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

/** Longest description in UTF-16 units; clients drop an entry with a longer one without a word. */
const LONGEST_DESCRIPTION = 1024

/** A file of a zip: its size in bytes, and its SHA-256 in hex. */
interface DiscoveredFile {
  path: string
  size: number
  sha256: string
}

/** A skill in an index: what the RFC asks for, and what clients that know us may read besides. */
export interface DiscoveryEntry {
  name: string
  type: 'archive'
  description: string
  /** Resolved against the address of the index. */
  url: string
  /** Of the zip: `sha256:` and 64 digits. */
  digest: string
  files: readonly DiscoveredFile[]
  /** Bytes of the zip. */
  size: number
  /** Estimate for the SKILL.md. */
  tokens?: number | undefined
  updated?: string | undefined
  author: string
  licence?: string | undefined
  safety: Skill['safety']
  category: Category
}

/** One line, cut by characters, then once more where these take more units than clients count. */
const cutDescription = (text: string): string => {
  const description = text.replace(/\s+/g, ' ').trim()
  const cut = truncateAtWord(description, LONGEST_DESCRIPTION)
  return cut.length <= LONGEST_DESCRIPTION
    ? cut
    : truncateAtWord(description, LONGEST_DESCRIPTION / 2)
}

/** Makes the entry of a skill whose own text is in its zip. */
export const makeEntry = (
  skill: Skill,
  zip: SkillZip,
  files: readonly DiscoveredFile[],
): DiscoveryEntry => ({
  name: skill.slug,
  type: 'archive',
  description: cutDescription(skill.description),
  url: downloadPath(skill.id),
  digest: `sha256:${zip.sha256}`,
  files,
  size: zip.size,
  tokens: skill.tokens,
  updated: skill.updated,
  author: skill.author,
  licence: skill.licence,
  safety: skill.safety,
  category: skill.category,
})

/** Renders an index of discovery 0.2.0. */
export const renderDiscovery = (skills: readonly DiscoveryEntry[]): string =>
  `${JSON.stringify({ $schema: SCHEMA, skills })}\n`

const [HEAD = '', TAIL = ''] = renderDiscovery([]).split(/(?<=\[)(?=\])/)

/** Joins indexes as `renderDiscovery` made them, their entries in that order. */
export const joinDiscovery = (indexes: readonly string[]): string =>
  HEAD + indexes.map((text) => text.slice(HEAD.length, -TAIL.length)).join() + TAIL

const NOT_IN_ADDRESSES = /[?#%]/

/** Renders the older index (0.1) that OpenCode reads; it puts file names into addresses as they are. */
export const renderOpenCodeIndex = ({ name, description, digest, files }: DiscoveryEntry): string =>
  `${JSON.stringify({
    skills: [
      {
        name,
        description,
        files: files.map(({ path }) => path).filter((path) => !NOT_IN_ADDRESSES.test(path)),
        version: digest,
      },
    ],
  })}\n`
