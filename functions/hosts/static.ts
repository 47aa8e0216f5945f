import { createFetch } from '../fetch.ts'
import { createStore } from '../store.ts'
import { addBasePath } from '../../src/documents/base-path.ts'
import { PATHS } from '../../src/documents/paths.ts'

const script = document.querySelector<HTMLScriptElement>('script[data-then]')!

/** The site's path on its host, derived from the address of this script; empty at the root. */
const base = new URL('..', script.src).pathname.replace(/\/$/, '')

const fetchFile = globalThis.fetch.bind(globalThis)
const answer = createFetch(
  createStore(async (name) => {
    const file = await fetchFile(`${base}/${name}`)
    return file.ok ? new Uint8Array(await file.arrayBuffer()) : undefined
  }),
)

// On a static site, the page's script sends its usual search requests; the function answers them in the browser.
globalThis.fetch = async (input, options) => {
  const { origin, pathname, search } = new URL(String(input), location.href)
  const isSkills = pathname.replace(/\/$/, '') === base + PATHS.skills
  if (origin !== location.origin || !isSkills || search === '') return fetchFile(input, options)
  const answered = await answer(new Request(origin + PATHS.skills + search))
  return new Response(addBasePath(base, 'results.html', await answered.text()), answered)
}

if (location.search !== '') {
  const text = await (await fetch(location.href)).text()
  const page = new DOMParser().parseFromString(text, 'text/html').querySelector('main')
  if (page) document.querySelector('main')?.replaceWith(page)
}
await import(script.dataset['then']!)
