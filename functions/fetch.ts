import { DEFAULT_ORIGIN } from '../src/documents/paths.ts'
import type { Report } from './answers.ts'
import { isPosted } from './route.ts'
import { serve } from './respond.ts'
import type { SiteSource } from './respond.ts'
import { once, openSite } from './site.ts'
import { readPosted } from './store.ts'
import type { Store } from './store.ts'

/** Makes a site's handler for hosts with `Request` and `Response`. The handler never rejects. */
export const createHandler =
  (source: SiteSource, report: Report = (cause) => console.error(cause)) =>
  async ({ method, url, headers: fields, body: sent }: Request): Promise<Response> => {
    const { pathname, search } = new URL(url)
    const field = (name: string): string | undefined => fields.get(name) ?? undefined
    const target = pathname + search
    const hasBody = source.mcp !== undefined && sent !== null && isPosted(method, target)
    const request = {
      method,
      target,
      accept: field('Accept'),
      ifNoneMatch: field('If-None-Match'),
      range: field('Range'),
      ifRange: field('If-Range'),
      posted: hasBody ? await readPosted(sent, Object.fromEntries(fields)) : undefined,
    }
    const { status, headers, body } = await serve(request, source, report)
    return new Response(body, { status, headers })
  }

/**
 * Makes the handler of one build in a store, such as a map of bundled files.
 * The first request opens the build. If that fails, the next request tries again.
 */
export const createFetch = (
  store: Store,
  { report, mcp }: { report?: Report; mcp?: SiteSource['mcp'] } = {},
): ReturnType<typeof createHandler> =>
  createHandler({ origin: DEFAULT_ORIGIN, current: once(() => openSite(store)), mcp }, report)
