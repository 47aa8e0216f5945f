import { join } from 'node:path'
import type { Peer } from './peer.ts'

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
