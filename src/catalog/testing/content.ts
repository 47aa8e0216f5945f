import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Files of a content folder by path: text, bytes, or a value to write as JSON. */
export type ContentFiles = Record<string, string | Uint8Array | object>

/** A valid `site.json`. */
export const SITE = {
  name: 'Test Registry',
  tagline: 'For tests',
  description: 'A registry of tests.',
}

/** A valid `skill.json` of one of the registry's own skills. */
export const OWN_RECORD = {
  id: 1,
  author: 'registry',
  category: 'Coding',
  updated: '2026-01-02',
  source: { kind: 'own' },
}

/** A valid `skill.json` of a skill from another repository. */
export const UPSTREAM_RECORD = {
  ...OWN_RECORD,
  id: 2,
  name: 'far',
  description: 'From far away.',
  author: 'Ann',
  source: {
    kind: 'upstream',
    url: 'https://github.com/ann/skills/tree/main/far',
    status: 'alive',
    checked: '2026-01-03',
    seen: '2026-01-03',
  },
}

/** Writes a SKILL.md with a name and a description. */
export const skillMd = (name: string, body = '# Title\n'): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use when a test needs it.\n---\n${body}`

/** A content folder with one own skill. */
export const SMALL_CONTENT: ContentFiles = {
  'site.json': SITE,
  'skills/near/skill.json': OWN_RECORD,
  'skills/near/SKILL.md': skillMd('near'),
}

const toBytes = (value: string | Uint8Array | object): string | Uint8Array =>
  typeof value === 'string' || value instanceof Uint8Array ? value : JSON.stringify(value)

export const writeFiles = (folder: string, files: ContentFiles): void => {
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), toBytes(value))
  }
}
