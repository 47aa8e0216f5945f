import type { Form } from './negotiate.ts'
import type { Route } from './route.ts'
import { parseSegments, renderPath } from './segments.ts'
import { renderQuery } from './target.ts'
import type { Target } from './target.ts'

/** Files of the site whose names are not pages, whatever their extension. */
const FILE_FOLDERS = new Set(['_astro', '.well-known'])

/** `/skills/{slug}/…`: the files of a skill; `/skills/page/N` is a page (no skill has that slug). */
const isSkillFile = ([first, slug, ...rest]: readonly string[]): boolean =>
  first === 'skills' && slug !== 'page' && rest.length > 0 && rest[0] !== '.well-known'

const isSiteFile = (segments: readonly string[]): boolean =>
  segments.some((segment) => FILE_FOLDERS.has(segment)) ||
  /\.(?!md$|html$)[a-z0-9]+$/i.test(segments.at(-1) ?? '')

const filePolicy = (segments: readonly string[]): 'asset' | 'siteFile' | 'skillFile' => {
  if (isSkillFile(segments)) return 'skillFile'
  return segments[0] === '_astro' ? 'asset' : 'siteFile'
}

/** The one name of a page behind its spellings, and which form an ending asks for. */
const namePage = (segments: readonly string[]): { page: string; ending: string } => {
  const path = segments.join('/').toLowerCase()
  if (path === '' || path === '.md') return { page: 'index', ending: path }
  const [, base = path, ending = ''] = /^(.*[^/])(\.md|\.html)$/s.exec(path) ?? []
  return { page: base === 'skills/page/1' ? 'skills' : base, ending }
}

/** An address that ends in `.md` is answered in Markdown, found or not. */
const formOf = (path: string, negotiated: Form): Form =>
  /\.md\/?$/i.test(path) ? 'markdown' : negotiated

const pageAddress = (page: string, isTwin: boolean): string => {
  if (page === 'index') return isTwin ? '/index.md' : '/'
  return renderPath(`${page}${isTwin ? '.md' : ''}`.split('/'))
}

/**
 * Routes an address outside `/api`. A page has one address: lower-case, without trailing slash,
 * `.html` or `/index`; other spellings are moved there, query kept (decisions, "Markdown").
 */
export const routeSite = ({ path, query }: Target, negotiated: Form): Route => {
  const parsed = parseSegments(path)
  if (!parsed) return { kind: 'missing', form: formOf(path, negotiated) }
  const { segments, hasTrailingSlash } = parsed
  const form = formOf(segments.at(-1) ?? '', negotiated)
  if (isSkillFile(segments) || isSiteFile(segments)) {
    return hasTrailingSlash
      ? { kind: 'missing', form }
      : { kind: 'file', file: segments.join('/'), policy: filePolicy(segments), form }
  }
  const { page, ending } = namePage(segments)
  // `/Skills/foo/notes` is no page either: a skill's file notes.html must not pass for one.
  if (page === '404' || isSkillFile(page.split('/'))) return { kind: 'missing', form }
  const address = pageAddress(page, ending === '.md')
  const given = renderPath(segments) + (hasTrailingSlash ? '/' : '')
  // `/.md` is the twin of `/` under a second name (decisions, "Markdown").
  if (given === address || given === '/.md') return { kind: 'page', page, form }
  return { kind: 'moved', page, form, location: address + renderQuery(query) }
}
