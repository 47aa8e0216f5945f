import { siteRecord } from '../catalog/schema.ts'
import { COLOURS } from '../catalog/theme.ts'
import { codeFence, codeSpan, list, md, table } from './prose/md.ts'
import type { Markdown } from './prose/md.ts'

const listSchemaFields = () =>
  Object.entries(siteRecord.shape).map(([name, schema]) => ({ name, meta: schema.meta() ?? {} }))

const describeFields = (): Markdown =>
  list(
    listSchemaFields().map(({ name, meta: { description = '', fallback } }) =>
      fallback === undefined
        ? md`${codeSpan(name)}, required: ${description}`
        : md`${codeSpan(name)}: ${description} Default: ${String(fallback)}.`,
    ),
  )

const writeExample = (): Markdown => {
  const fields = listSchemaFields().map(({ name, meta }) => [name, meta.example] as const)
  return codeFence(JSON.stringify(Object.fromEntries(fields), null, 2), 'json')
}

const describeColours = (): Markdown =>
  table(
    ['Colour', 'Where', 'Light', 'Dark'],
    Object.entries(COLOURS).map(([name, { seen, light, dark }]) => [
      codeSpan(name),
      seen,
      codeSpan(light),
      codeSpan(dark),
    ]),
  )

/** Placeholders in the registry's own pages, and the texts from the schema that replace them. */
const PLACEHOLDER_TEXTS: readonly [placeholder: string, write: () => Markdown][] = [
  ['{site-fields}', describeFields],
  ['{site-example}', writeExample],
  ['{theme-colours}', describeColours],
]

/** Replaces the placeholders in a page with descriptions from the schema of `site.json`. */
export const fillSchema = (text: string): string =>
  PLACEHOLDER_TEXTS.reduce(
    (filled, [placeholder, write]) => filled.replace(placeholder, () => String(write())),
    text,
  )
