import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Peer, Places } from './peer.ts'
import { writeSource } from './peer.ts'

const CONFIG = `baseURL = "http://localhost/"
title = "Bench"
disableKinds = ["home", "section", "taxonomy", "term", "RSS", "sitemap", "404"]
uglyURLs = true
`

// Our pages neither colour code nor turn quotes, so Hugo need not do it either.
const PLAIN = `[markup.highlight]
codeFences = false
[markup.goldmark.extensions]
typographer = false
`

const PLACES: Places = {
  text: (field) => `{{ .Params.${field} }}`,
  html: (field) => `{{ .Params.${field} | safeHTML }}`,
  content: '{{ .Content }}',
}

// A stranger's text may contain what Hugo reads as a command of its own.
const withoutShortcodes = (text: string): string => text.replaceAll('{{', '{ {')

const createHugo = (name: string, config: string): Peer => ({
  name,
  missing: () =>
    spawnSync('hugo', ['version']).status === 0
      ? undefined
      : 'hugo is not installed (apt-get install hugo).',
  prepare: (folder, { writeLayout, pages }) => {
    const layouts = join(folder, 'layouts', '_default')
    const texts = join(folder, 'content', 'skills')
    for (const path of [layouts, texts]) mkdirSync(path, { recursive: true })
    writeFileSync(join(folder, 'config.toml'), config)
    writeFileSync(join(layouts, 'single.html'), writeLayout(PLACES))
    const sourceOf = (slug: string): string => join(texts, `${slug}.md`)
    for (const page of pages()) {
      const text = writeSource({ ...page, markdown: withoutShortcodes(page.markdown) })
      writeFileSync(sourceOf(page.slug), text)
    }
    return { commandInto: (output) => ['hugo', '--quiet', '--destination', output], sourceOf }
  },
})

/** Hugo as the system has it, its own Markdown engine and our layout, for the same pages. */
export const hugo = createHugo('Hugo', CONFIG + PLAIN)

/** With Hugo's defaults, which colour code. */
export const hugoAsItComes = createHugo('Hugo as it comes', CONFIG)
