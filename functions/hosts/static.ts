import { createFetch } from '../fetch.ts'
import { createStore } from '../store.ts'

const fetchFile = globalThis.fetch.bind(globalThis)
const answer = createFetch(
  createStore(async (name) => {
    const file = await fetchFile(`/${name}`)
    return file.ok ? new Uint8Array(await file.arrayBuffer()) : undefined
  }),
)

// For a static site: the page's script sends its usual requests, which the function answers in the browser.
globalThis.fetch = async (input, options) => {
  const { origin, pathname, search } = new URL(String(input), location.href)
  const isSearch = origin === location.origin && /^\/skills\/?$/.test(pathname) && search !== ''
  return isSearch ? answer(new Request(`${origin}/skills${search}`)) : fetchFile(input, options)
}

const own = document.querySelector('script[data-then]')
if (location.search !== '') {
  const text = await (await fetch(location.href)).text()
  const page = new DOMParser().parseFromString(text, 'text/html').querySelector('main')
  if (page) document.querySelector('main')?.replaceWith(page)
}
await import(own?.getAttribute('data-then') ?? '')
