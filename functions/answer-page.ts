import { readBody } from './answer.ts'
import type { Answer } from './answer.ts'
import { answerText } from './answer-failure.ts'
import { answerRedirect } from './answer-moved.ts'
import { answerFile } from './answer-file.ts'
import { RAW_TYPES, isText, mediaTypeOf } from './media-types.ts'
import type { Form } from './negotiate.ts'
import { POLICIES } from '../src/api/policies.ts'
import type { SiteRequest } from './request.ts'
import type { Route } from './route.ts'
import type { Site } from './site.ts'
import { readText } from './store.ts'
import type { Store, StoredFile } from './store.ts'

/** The ending of the file that holds a form of a page. */
const ENDINGS: Record<Form, string> = { html: '.html', markdown: '.md' }

/** How much of a file is looked at to tell text from bytes. */
const HEAD = 8 * 1024

/** Reads the file of a page in one form; undefined where there is no such page. */
export const readPage = (store: Store, page: string, form: Form): Promise<StoredFile | undefined> =>
  store.read(`public/${page}${ENDINGS[form]}`)

/** Answers 404 with the not-found page, in the form that was asked for. */
export const answerMissing = async (form: Form, { store }: Site): Promise<Answer> => {
  const file = await readPage(store, '404', form)
  if (!file) return answerText('There is no such page.\n', 404, POLICIES.plain.headers)
  const headers = { ...POLICIES[form].headers, 'Cache-Control': 'no-store' }
  return answerText(await readText(file), 404, headers)
}

/** Answers with a page in one form. The form is part of the ETag, so neither answers for the other. */
export const answerPage = async (
  request: SiteRequest,
  { page, form }: Extract<Route, { kind: 'page' }>,
  site: Site,
): Promise<Answer> => {
  const file = await readPage(site.store, page, form)
  if (!file) return answerMissing(form, site)
  const version = `${await file.digest()}-${form}`
  return answerFile(request, { file, policy: form, version }, site.origin)
}

const rawTypeOf = async (name: string, file: StoredFile): Promise<string> => {
  if (/\.md$/i.test(name)) return RAW_TYPES.markdown
  const end = Math.min(file.size, HEAD) - 1
  const head = end < 0 ? undefined : await file.body({ first: 0, last: end })
  return isText(await readBody(head ?? null)) ? RAW_TYPES.text : RAW_TYPES.bytes
}

/** Answers with a file under its own address: a raw file of a skill, or one of the site's own. */
export const answerSiteFile = async (
  request: SiteRequest,
  { file: name, policy, form }: Extract<Route, { kind: 'file' }>,
  site: Site,
): Promise<Answer> => {
  const file = await site.store.read(`public/${name}`)
  if (!file) return answerMissing(form, site)
  const type = policy === 'skillFile' ? await rawTypeOf(name, file) : mediaTypeOf(name)
  const served = { file, policy, version: await file.digest(), headers: { 'Content-Type': type } }
  return answerFile(request, served, site.origin)
}

/** Answers 308 with the page's one address, or 404 where there is no such page. */
export const answerMoved = async (
  { page, form, location }: Extract<Route, { kind: 'moved' }>,
  site: Site,
): Promise<Answer> => {
  if (!(await readPage(site.store, page, form))) return answerMissing(form, site)
  return answerRedirect(location)
}
