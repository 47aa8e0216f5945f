import { PARTS } from '../catalog/parts.ts'
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

const describeParts = (): Markdown =>
  list(PARTS.map(({ name, kind, heading }) => md`${codeSpan(name)}, a ${kind}: ${heading}.`))

/** Placeholders in the registry's own pages, and the functions that write the texts in their place. */
const GENERATED: readonly [placeholder: string, write: () => Markdown][] = [
  ['{site-fields}', describeFields],
  ['{site-example}', writeExample],
  ['{theme-colours}', describeColours],
  ['{skill-parts}', describeParts],
]

/** Replaces the placeholders in a page with texts that are made from tables in the code. */
export const fillGenerated = (text: string): string =>
  GENERATED.reduce(
    (filled, [placeholder, write]) => filled.replace(placeholder, () => String(write())),
    text,
  )
