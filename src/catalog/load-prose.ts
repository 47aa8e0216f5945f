import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Prose } from './catalog.ts'
import { FrontMatterError, parseTextFields, splitSkillMd } from './front-matter.ts'
import { problemsOf } from './problems.ts'
import type { Problem } from './problems.ts'
import { SLUG_RULE, isSlug, proseRecord } from './schema.ts'

const FIELDS = Object.keys(proseRecord.shape)

const loadOne = (path: string, file: string, slug: string, problems: Problem[]): Prose[] => {
  const text = readFileSync(path, 'utf8')
  let fields: object
  try {
    fields = parseTextFields(text, FIELDS)
  } catch (error) {
    if (!(error instanceof FrontMatterError)) throw error
    problems.push({ file, field: '', remedy: `line ${error.line}: ${error.message}` })
    return []
  }
  const checked = proseRecord.safeParse(fields)
  if (!checked.success) {
    problems.push(...problemsOf(file, fields, checked.error))
    return []
  }
  const { updated = checked.data.date, ...rest } = checked.data
  return [{ slug, ...rest, updated, markdown: splitSkillMd(text).body }]
}

/** Reads the Markdown files of `blog/` or `pages/`, newest first; adds what is wrong to `problems`. */
export const loadProse = (
  content: string,
  kind: 'blog' | 'pages',
  problems: Problem[],
): Prose[] => {
  const folder = join(content, kind)
  if (!existsSync(folder)) return []
  const names = readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort()
  const found = names.flatMap((name) => {
    const slug = name.replace(/\.md$/, '')
    const file = `${kind}/${name}`
    if (!name.endsWith('.md') || !isSlug(slug)) {
      problems.push({ file, field: 'slug', remedy: `the name is the slug and .md: ${SLUG_RULE}` })
      return []
    }
    return loadOne(join(folder, name), file, slug, problems)
  })
  return found.sort((a, b) =>
    a.date < b.date ? 1 : a.date > b.date ? -1 : a.slug < b.slug ? -1 : 1,
  )
}
