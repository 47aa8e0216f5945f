import type { RootContent } from 'mdast'
import { SKILL_MD } from '../catalog/skill.ts'
import type { Skill } from '../catalog/skill.ts'
import { readEnds, PAGED_BYTES, readPagedText } from './answered/file.ts'
import type { SkillBytes } from './answered/file.ts'
import type { FileView } from './document.ts'
import { hostGuest } from './guest/host.ts'
import { createSkillResolver } from './guest/links.ts'
import type { LinkResolver } from './guest/links.ts'
import { hasGrammar, highlightLong } from './highlight.ts'
import { renderBlocks } from './html.ts'
import { printRuns } from './source.ts'
import { codeBlock } from './tree.ts'

// The build renders Markdown and colours code for pages of files, so the function needs no parser for either.

/** Most characters for one file, and for all files of a skill; files beyond are shown as plain source. */
const VIEW_LIMIT = 192 * 1024
const VIEWS_LIMIT = 512 * 1024

/** Anchors of the page around (`Page.astro`, `FilePage.astro`). */
const TAKEN = ['content', 'find', 'findings', 'source']

const MARKDOWN = /\.(?:md|markdown)$/i

const extensionOf = (path: string): string => /\.([a-z0-9]{1,12})$/i.exec(path)?.[1] ?? ''

const isViewable = (path: string): boolean =>
  path !== SKILL_MD && (MARKDOWN.test(path) || hasGrammar(extensionOf(path)))

/** Whether a skill has files that need a view; its SKILL.md has none, since the skill's page shows it. */
export const mayHaveViews = ({ files }: Pick<Skill, 'files'>): boolean =>
  files.some(({ path, size }) => size <= PAGED_BYTES && isViewable(path))

/** Resolves a file's links relative to its folder. */
const resolveFrom = (path: string, resolve: LinkResolver): LinkResolver => {
  const folder = path
    .split('/')
    .slice(0, -1)
    .map((name) => `${encodeURIComponent(name)}/`)
    .join('')
  return (href) => (/^[/?]/.test(href) ? undefined : resolve(folder + href))
}

const FRONT_MATTER = /^---\n([^]*?)\n---(?:\n|$)/

const renderMarkdown = (skill: Skill, path: string, text: string): string => {
  const plain = text.replace(/^\uFEFF/, '')
  const front = FRONT_MATTER.exec(plain)
  const { nodes } = hostGuest(plain.slice(front?.[0].length ?? 0), {
    depth: 1,
    takenAnchors: TAKEN,
    resolve: resolveFrom(path, createSkillResolver(skill)),
  })
  const blocks: RootContent[] = [...(front ? [codeBlock(front[1] ?? '', 'yaml')] : []), ...nodes]
  // Without colour: it took .55 ms a file, and all else .55 (1,669 files of 1,080 skills).
  return renderBlocks(blocks).html
}

const writeView = (skill: Skill, { path, bytes }: SkillBytes): FileView | undefined => {
  const paged = isViewable(path) ? readPagedText(bytes) : undefined
  if (paged === undefined) return undefined
  const { text } = readEnds(paged)
  if (MARKDOWN.test(path)) return { html: renderMarkdown(skill, path, text) }
  const pieces = highlightLong(text, extensionOf(path))
  return pieces ? { runs: printRuns(pieces) } : undefined
}

/** Makes the views of a skill's files, by path. */
export const writeFileViews = (
  skill: Skill,
  files: readonly SkillBytes[],
): Record<string, FileView> => {
  let left = VIEWS_LIMIT
  return Object.fromEntries(
    files.flatMap((file) => {
      const view = left > 0 ? writeView(skill, file) : undefined
      const size = (view?.html ?? view?.runs ?? '').length
      if (!view || size === 0 || size > VIEW_LIMIT || size > left) return []
      left -= size
      return [[file.path, view]]
    }),
  )
}
