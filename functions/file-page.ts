import {
  writeFileDocument,
  writeUnknownFile,
  writeUnpagedFile,
} from '../src/documents/answered/file.ts'
import type { NamedFile } from '../src/documents/answered/file.ts'
import type { AnsweredDocument } from '../src/documents/answered/print.ts'
import { PAGED_BYTES, hasManyLines, readPagedText } from '../src/documents/answered/file-text.ts'
import { skillPath } from '../src/documents/paths.ts'
import type { ServedSite } from './site.ts'
import { readBody } from './store.ts'

/** The page of a file, and whether it shows the content. */
interface FilePage {
  document: AnsweredDocument
  status: 200 | 404
}

/**
 * Makes the page of a file, or a page that explains why it cannot be shown. Undefined if there is no such
 * skill. Throws UNAVAILABLE if the findings cannot be read: a page without them would look clean.
 */
export const readFilePage = async (
  { slug, path }: NamedFile,
  site: ServedSite,
): Promise<FilePage | undefined> => {
  const named = { slug, path }
  const folder = `public${skillPath(slug)}`
  const file = await site.store.read(`${folder}/${path}`)
  const { siteName } = await site.answered()
  if (!file) {
    const isSkill = (await site.store.read(`${folder}.html`)) !== undefined
    return isSkill ? { document: writeUnknownFile(siteName, named), status: 404 } : undefined
  }
  const { size } = file
  const bytes = size > PAGED_BYTES ? undefined : await readBody(await file.body())
  const text = bytes && readPagedText(bytes)
  if (text === undefined) {
    const told = { ...named, size, hasManyLines: bytes !== undefined && hasManyLines(bytes) }
    return { document: writeUnpagedFile(siteName, told), status: 404 }
  }
  const findings = await site.findFindings(slug, path)
  const view = await site.findView(slug, path)
  return { document: writeFileDocument({ ...named, text, size, findings, view }), status: 200 }
}
