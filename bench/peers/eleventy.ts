import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BENCH_MODULES, findMissing } from '../installed.ts'
import type { Peer } from './peer.ts'
import { SCRIPT_START, scriptPlaces, writeSource } from './peer.ts'

const ENTRY = join(BENCH_MODULES, '@11ty/eleventy/cmd.cjs')

const CONFIG = `export default () => ({
  markdownTemplateEngine: false,
  dir: { input: 'content', includes: '_layouts' },
})
`

/** Eleventy with markdown-it and a layout that is a function: its fastest way. */
export const eleventy: Peer = {
  name: 'Eleventy',
  missing: () => findMissing('@11ty/eleventy'),
  prepare: (folder, { writeLayout, pages }) => {
    const layouts = join(folder, 'content', '_layouts')
    const texts = join(folder, 'content', 'skills')
    for (const path of [layouts, texts]) mkdirSync(path, { recursive: true })
    symlinkSync(BENCH_MODULES, join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'eleventy.config.js'), CONFIG)
    const layout = `${SCRIPT_START}export default (d) => \`${writeLayout(scriptPlaces('${d.content}'))}\`\n`
    writeFileSync(join(layouts, 'skill.11ty.js'), layout)
    const sourceOf = (slug: string): string => join(texts, `${slug}.md`)
    for (const page of pages())
      writeFileSync(sourceOf(page.slug), writeSource(page, 'layout: skill.11ty.js\n'))
    return {
      commandInto: (output) => [process.execPath, ENTRY, '--quiet', `--output=${output}`],
      sourceOf,
    }
  },
}
