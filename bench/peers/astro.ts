import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../../build/site/settings.ts'
import type { Peer } from './peer.ts'
import { SCRIPT_START, scriptPlaces, writeSource } from './peer.ts'

const CONFIG = "build: { format: 'file' }"

// Our pages do not colour code, so Astro need not do it either.
const PLAIN = `${CONFIG}, markdown: { syntaxHighlight: false }`

const COLLECTION = `import { defineCollection } from 'astro:content'
import { glob } from 'astro/loaders'

const loader = glob({
  base: './texts',
  pattern: '*.md',
  generateId: ({ entry }) => entry.replace(/\\.md$/, ''),
})

export const collections = { skills: defineCollection({ loader }) }
`

const PAGE = `---
import { getCollection, render } from 'astro:content'
import { after, before } from '/src/layout.js'

export const partial = true

export const getStaticPaths = async () =>
  (await getCollection('skills')).map((entry) => ({ params: { slug: entry.id }, props: { entry } }))

const { entry } = Astro.props
const { Content } = await render(entry)
---

<Fragment set:html={before(entry.data)} /><Content /><Fragment set:html={after(entry.data)} />
`

const CONTENT = '<!-- the text stands here -->'

const createAstroCollection = (name: string, config: string): Peer => ({
  name,
  missing: () => undefined,
  prepare: (folder, { writeLayout, pages }) => {
    const texts = join(folder, 'texts')
    const routes = join(folder, 'src/pages/skills')
    for (const path of [texts, routes]) mkdirSync(path, { recursive: true })
    symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'astro.config.mjs'), `export default { ${config} }\n`)
    writeFileSync(join(folder, 'src/content.config.ts'), COLLECTION)
    const [before = '', after = ''] = writeLayout(scriptPlaces(CONTENT)).split(CONTENT)
    const layout = `${SCRIPT_START}export const before = (d) => \`${before}\`\nexport const after = (d) => \`${after}\`\n`
    writeFileSync(join(folder, 'src/layout.js'), layout)
    writeFileSync(join(routes, '[slug].astro'), PAGE)
    const sourceOf = (slug: string): string => join(texts, `${slug}.md`)
    for (const page of pages()) writeFileSync(sourceOf(page.slug), writeSource(page))
    const program = join(PROJECT_ROOT, 'node_modules/astro/bin/astro.mjs')
    return {
      commandInto: (output) => [process.execPath, program, 'build', '--outDir', output],
      environment: { ASTRO_TELEMETRY_DISABLED: '1' },
      sourceOf,
    }
  },
})

/** Astro with a content collection and its own Markdown engine, for the same pages. */
export const astroCollection = createAstroCollection('Astro collection', PLAIN)

/** With Astro's defaults, which colour code. */
export const astroAsItComes = createAstroCollection('Astro as it comes', CONFIG)

/** Our own layouts and documents, printed by Astro's getStaticPaths: what this site would cost without templates. */
export const astro: Peer = {
  name: 'Astro',
  missing: () => undefined,
  prepare: (_folder, { content }) => ({
    commandInto: (output) => [
      process.execPath,
      join(import.meta.dirname, 'astro-pages.ts'),
      output,
    ],
    environment: { CONTENT_DIR: content },
    sourceOf: (slug) => join(content, 'skills', slug, 'SKILL.md'),
  }),
}
