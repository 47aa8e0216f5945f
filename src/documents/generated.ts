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

/** The blocks in the registry's own pages that are written from tables in the code. */
const GENERATED: Readonly<Record<string, () => Markdown>> = {
  'code-fields': describeFields,
  'code-example': writeExample,
  'code-colours': describeColours,
  'code-parts': describeParts,
}

/** Writes the blocks of a page again, from the line `<!-- code-fields -->` to the line `<!-- /code-fields -->`. */
export const fillGenerated = (text: string): string =>
  Object.entries(GENERATED).reduce((filled, [name, write]) => {
    const block = new RegExp(`(<!-- ${name} -->\n)[^]*?(?=<!-- /${name} -->\n)`)
    return filled.replace(block, (_, start: string) => `${start}\n${String(write())}\n\n`)
  }, text)
