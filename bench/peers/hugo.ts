import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Peer } from './peer.ts'
import { markdownOf, pageOf } from './peer.ts'

const CONFIG = `baseURL = "http://localhost/"
title = "Bench"
disableKinds = ["home", "section", "taxonomy", "term", "RSS", "sitemap", "404"]
uglyURLs = true
`

// A text of a stranger may hold what Hugo takes for its own commands.
const withoutShortcodes = (body: string): string => body.replaceAll('{{', '{ {')

/** Hugo as the system has it, its own Markdown engine and a plain layout. */
export const hugo: Peer = {
  name: 'Hugo',
  missing: () =>
    spawnSync('hugo', ['version']).status === 0
      ? undefined
      : 'hugo is not installed (apt-get install hugo).',
  prepare: (folder, skills) => {
    mkdirSync(join(folder, 'content', 'skills'), { recursive: true })
    mkdirSync(join(folder, 'layouts', '_default'), { recursive: true })
    writeFileSync(join(folder, 'config.toml'), CONFIG)
    writeFileSync(
      join(folder, 'layouts', '_default', 'single.html'),
      pageOf('{{ .Title }}', '{{ .Description }}', '{{ .Content }}'),
    )
    for (const skill of skills) {
      const text = markdownOf({ ...skill, body: withoutShortcodes(skill.body) })
      writeFileSync(join(folder, hugo.sourceOf(skill.slug)), text)
    }
  },
  command: ['hugo', '--quiet'],
  sourceOf: (slug) => `content/skills/${slug}.md`,
  output: 'public',
}
