import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../../build/site/settings.ts'
import type { Peer } from './peer.ts'
import { markdownOf, pageOf } from './peer.ts'

const ENTRY = join(PROJECT_ROOT, 'node_modules/astro/bin/astro.mjs')

const PAGE = `---
import { readdirSync, readFileSync } from 'node:fs'
import { marked } from 'marked'
export const getStaticPaths = () =>
  readdirSync('texts').map((name) => {
    const [, front, body] = /^---\\n([^]*?)\\n---\\n([^]*)$/.exec(readFileSync('texts/' + name, 'utf8'))
    const [title, description] = front.split('\\n').map((line) => JSON.parse(line.slice(line.indexOf(':') + 1)))
    return { params: { slug: name.slice(0, -3) }, props: { title, description, body } }
  })
const { title, description, body } = Astro.props
---
${pageOf('{title}', '{description}', '<Fragment set:html={marked.parse(body)} />').replace('content="{description}"', 'content={description}')}`

/** Our own Astro, its getStaticPaths over all texts, and marked for them, as ours has. */
export const astro: Peer = {
  name: 'Astro',
  missing: () => (existsSync(ENTRY) ? undefined : 'astro is not installed.'),
  prepare: (folder, skills) => {
    mkdirSync(join(folder, 'src', 'pages', 'skills'), { recursive: true })
    mkdirSync(join(folder, 'texts'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'src', 'pages', 'skills', '[slug].astro'), PAGE)
    writeFileSync(join(folder, 'astro.config.mjs'), 'export default { outDir: "public-out" }\n')
    for (const skill of skills)
      writeFileSync(join(folder, astro.sourceOf(skill.slug)), markdownOf(skill))
  },
  command: [process.execPath, ENTRY, 'build', '--silent'],
  environment: { ASTRO_TELEMETRY_DISABLED: '1' },
  sourceOf: (slug) => `texts/${slug}.md`,
  output: 'public-out',
}
