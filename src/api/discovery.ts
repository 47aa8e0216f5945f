import type { Skill, SkillZip } from '../catalog/skill.ts'
import { truncateAtWord } from '../catalog/text.ts'
import { downloadPath } from '../documents/paths.ts'

/** Path of an index, below the page whose skills it lists (Agent Skills Discovery RFC, 0.2.0). */
export const DISCOVERY_PATH = '/.well-known/agent-skills/index.json'

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

/** Longest description in UTF-16 units; clients silently drop an entry with a longer one. */
const LONGEST_DESCRIPTION = 1024

/** A file of a zip: its size in bytes, and its SHA-256 in hex. */
interface DiscoveredFile {
  path: string
  size: number
  sha256: string
}

/** Joins lines and cuts by characters. Cuts again if the result has more UTF-16 units than clients allow. */
const cutDescription = (text: string): string => {
  const description = text.replace(/\s+/g, ' ').trim()
  const cut = truncateAtWord(description, LONGEST_DESCRIPTION)
  return cut.length <= LONGEST_DESCRIPTION
    ? cut
    : truncateAtWord(description, LONGEST_DESCRIPTION / 2)
}

/** Makes the entry of a skill with a text: the fields of the RFC, and others for clients that know this registry. */
export const makeEntry = (skill: Skill, zip: SkillZip, files: readonly DiscoveredFile[]) => ({
  name: skill.slug,
  type: 'archive' as const,
  description: cutDescription(skill.description),
  /** Resolved against the address of the index. */
  url: downloadPath(skill.id),
  /** SHA-256 of the zip: `sha256:` and 64 hex digits. */
  digest: `sha256:${zip.sha256}`,
  files,
  /** Bytes of the zip. */
  size: zip.size,
  /** Estimated tokens of the SKILL.md. */
  tokens: skill.tokens,
  updated: skill.updated,
  author: skill.author,
  licence: skill.licence,
  safety: skill.safety,
  category: skill.category,
})

export type DiscoveryEntry = ReturnType<typeof makeEntry>

/** Renders an index of discovery 0.2.0. */
export const renderDiscovery = (skills: readonly DiscoveryEntry[]): string =>
  `${JSON.stringify({ $schema: SCHEMA, skills })}\n`

const [HEAD = '', TAIL = ''] = renderDiscovery([]).split(/(?<=\[)(?=\])/)

/** Joins indexes rendered by `renderDiscovery`, keeping the order of their entries. */
export const joinDiscovery = (indexes: readonly string[]): string =>
  HEAD + indexes.map((text) => text.slice(HEAD.length, -TAIL.length)).join() + TAIL
