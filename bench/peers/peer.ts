import type { BenchSkill } from '../build-content.ts'

/** Another generator that makes a page of each skill. */
export interface Peer {
  name: string
  /** Why it cannot be measured here, in one sentence; undefined where it can. */
  missing: () => string | undefined
  /** Writes a project whose build makes the pages. */
  prepare: (folder: string, skills: readonly BenchSkill[]) => void
  command: readonly string[]
  environment?: NodeJS.ProcessEnv
  /** File of a skill's text in the project, for a change of it. */
  sourceOf: (slug: string) => string
  /** Folder of the output in the project. */
  output: string
}

/** A page around a text, with the places of its title, description and text in a generator's own words. */
export const pageOf = (title: string, description: string, text: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><meta name="description" content="${description}"></head>
<body><header><a href="/">Registry</a></header><main><h1>${title}</h1><p>${description}</p>
<article>${text}</article></main></body>
</html>
`

/** A skill as Markdown with front matter. */
export const markdownOf = ({ slug, description, body }: BenchSkill, more = ''): string =>
  `---\ntitle: ${JSON.stringify(slug)}\ndescription: ${JSON.stringify(description)}\n${more}---\n${body}`
