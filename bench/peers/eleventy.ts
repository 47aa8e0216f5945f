import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../../build/site/settings.ts'
import type { Peer } from './peer.ts'
import { markdownOf, pageOf } from './peer.ts'

const ENTRY = join(PROJECT_ROOT, 'node_modules/@11ty/eleventy/cmd.cjs')

const CONFIG = `export default () => ({
  markdownTemplateEngine: false,
  dir: { input: 'content', includes: '_layouts', output: 'public' },
})
`

/** Eleventy with markdown-it and a layout that is a function: its fastest way. */
export const eleventy: Peer = {
  name: 'Eleventy',
  missing: () => (existsSync(ENTRY) ? undefined : '@11ty/eleventy is not installed.'),
  prepare: (folder, skills) => {
    mkdirSync(join(folder, 'content', 'skills'), { recursive: true })
    mkdirSync(join(folder, 'content', '_layouts'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'eleventy.config.js'), CONFIG)
    const page = pageOf('${d.title}', '${d.description}', '${d.content}')
    writeFileSync(
      join(folder, 'content', '_layouts', 'skill.11ty.js'),
      `export default (d) => \`${page}\`\n`,
    )
    for (const skill of skills) {
      writeFileSync(
        join(folder, eleventy.sourceOf(skill.slug)),
        markdownOf(skill, 'layout: skill.11ty.js\n'),
      )
    }
  },
  command: [process.execPath, ENTRY, '--quiet'],
  sourceOf: (slug) => `content/skills/${slug}.md`,
  output: 'public',
}
