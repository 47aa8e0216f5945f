import { Questions, readWords } from './ask.ts'

/** Pause after the last key after which a query counts as settled, in milliseconds. */
const SETTLING = 1_000

const find = <Kind extends Element>(selector: string, kind: new () => Kind): Kind => {
  const element = document.querySelector(selector)
  if (element instanceof kind) return element
  throw new Error(`the page has no ${selector}`)
}

const form = find('#search', HTMLFormElement)
const input = find('#q', HTMLInputElement)
const results = find('#results', HTMLElement)
const status = find('#search-status', HTMLElement)
const questions = new Questions()

const addressNow = (): string => location.pathname + location.search

/** The chosen order, unless it is the default. A query has no order; the chosen one returns when the query is cleared. */
let order = new URLSearchParams(location.search).get('sort') ?? ''

/** The address of the form's search, without empty and ineffective parameters. */
const readForm = (): string => {
  const fields = new FormData(form)
  const parameters = new URLSearchParams()
  const q = input.value.trim()
  if (q !== '') parameters.set('q', q)
  const categories = fields.getAll('cat')
  if (categories.length > 0) parameters.set('cat', categories.join(','))
  if (q === '' && order !== '') parameters.set('sort', order)
  for (const select of form.querySelectorAll('select'))
    if (select.id !== 'sort' && select.selectedIndex > 0) parameters.set(select.name, select.value)
  return parameters.size === 0 ? location.pathname : `${location.pathname}?${parameters}`
}

/** Fills the form from an address: after Back it shows the search of then. */
const fillForm = (parameters: URLSearchParams): void => {
  input.value = parameters.get('q') ?? ''
  if (!parameters.has('q')) order = parameters.get('sort') ?? ''
  const categories = parameters.getAll('cat').join(',').split(',')
  for (const box of form.querySelectorAll<HTMLInputElement>('[name="cat"]'))
    box.checked = categories.includes(box.value)
  for (const select of form.querySelectorAll('select')) {
    select.value = parameters.get(select.name) ?? ''
    if (select.selectedIndex < 0) select.selectedIndex = 0
  }
}

/** Links to the Markdown of a page, in its head and at its foot. */
const TWINS = 'link[type="text/markdown"], .foot li:first-child a'

const linkTwin = (path: string): void => {
  for (const link of document.querySelectorAll(TWINS)) link.setAttribute('href', path)
}

/** Copies what the page of an answer says outside of its results: counts, orders, the address of its twin. */
const showSurroundings = (page: Document): void => {
  const counts = form.querySelectorAll('.count')
  page.querySelectorAll('#search .count').forEach((count, at) => {
    if (counts[at]) counts[at].textContent = count.textContent
  })
  const [sort, other] = [form, page].map((one) => one.querySelector<HTMLSelectElement>('#sort'))
  if (sort && other && sort.textContent !== other.textContent) sort.replaceWith(other)
  const twin = page.querySelector(TWINS)?.getAttribute('href')
  if (twin) linkTwin(twin)
}

const TOO_LONG = {
  heading: 'The search is too long',
  words: 'An address does not hold it. The words that matter most are enough.',
}
const UNANSWERED = {
  heading: 'The search did not answer',
  words: 'What was asked may be found when it is asked again.',
}

const showFailure = (address: string): void => {
  const failure = questions.isTooLong ? TOO_LONG : UNANSWERED
  const [part, heading, words, button] = (['section', 'h2', 'p', 'button'] as const).map((tag) =>
    document.createElement(tag),
  ) as [HTMLElement, HTMLElement, HTMLElement, HTMLButtonElement]
  part.className = 'part'
  heading.textContent = failure.heading
  words.textContent = failure.words
  button.type = 'button'
  button.textContent = 'Try again'
  button.addEventListener('click', () => {
    input.focus()
    void show(addressNow())
  })
  part.append(heading, words)
  if (!questions.isTooLong) part.append(button)
  const { pathname, search } = new URL(address, location.href)
  linkTwin(`${pathname}.md${search}`)
  results.replaceChildren(part)
  for (const count of form.querySelectorAll('.count')) count.textContent = ''
  status.textContent = heading.textContent
}

/** Shows the results of an address; false if another request superseded it. */
const show = async (address: string): Promise<boolean> => {
  results.ariaBusy = 'true'
  const page = await questions.ask(address)
  if (page === 'late') return false
  results.ariaBusy = 'false'
  const answer = page?.querySelector('#results')
  if (!page || !answer) {
    showFailure(address)
    return true
  }
  results.replaceChildren(...answer.childNodes)
  showSurroundings(page)
  status.textContent = readWords(document)
  return true
}

/** Whether the current entry of the history stands for a search that is settled: then the next one gets its own. */
let isSettled = true
let settling: ReturnType<typeof setTimeout> | undefined
let shown = addressNow()

const entryNow = (): unknown => (history.state as { entry?: unknown } | null)?.entry
if (entryNow() === undefined) history.replaceState({ entry: Date.now() }, '')

/** Name under which `heights` outlast the page: a reader leaves for a skill, comes back and goes further back. */
const HEIGHTS = 'heights'

const recallHeights = (): [unknown, number][] => {
  try {
    return JSON.parse(sessionStorage.getItem(HEIGHTS) ?? '[]') as [unknown, number][]
  } catch {
    return []
  }
}

/** How far down the page stood at each entry of the history, by what the entry is marked with. */
const heights = new Map(recallHeights())

addEventListener('pagehide', () => {
  try {
    sessionStorage.setItem(HEIGHTS, JSON.stringify([...heights]))
  } catch {
    // Browsers may refuse storage; then heights last as long as the page.
  }
})

const settle = (): void => {
  clearTimeout(settling)
  isSettled = true
}

const ask = (): void => {
  const address = readForm()
  clearTimeout(settling)
  settling = setTimeout(settle, SETTLING)
  if (address === shown) return
  shown = address
  // The event of the last scrolling may still be to come, and would be taken for one of the new entry.
  heights.set(entryNow(), scrollY)
  if (isSettled) history.pushState({ entry: Date.now() }, '', address)
  else history.replaceState(history.state, '', address)
  isSettled = false
  void show(address)
}

input.addEventListener('input', ask)
form.addEventListener('change', ({ target }) => {
  settle()
  if (target === input) return
  if (target instanceof HTMLSelectElement && target.id === 'sort')
    order = target.selectedIndex > 0 ? target.value : ''
  ask()
  settle()
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  const before = shown
  ask()
  settle()
  // Submitting the same search again retries it.
  if (shown === before) void show(shown)
})
addEventListener('scroll', () => heights.set(entryNow(), scrollY), { passive: true })
addEventListener('popstate', async () => {
  const height = heights.get(entryNow()) ?? 0
  // The anchor of a link within the page is no search.
  if (addressNow() === shown) return
  shown = addressNow()
  settle()
  fillForm(new URLSearchParams(location.search))
  if (await show(shown)) scrollTo({ top: height, behavior: 'instant' })
})

/** Arrow keys go from the field to the results and back, Escape leaves them. */
addEventListener('keydown', (event) => {
  const links = [...results.querySelectorAll<HTMLElement>('.entry > a')]
  const places = [input, ...links]
  const at = places.indexOf(event.target as HTMLElement)
  if (at < 0 || event.isComposing) return
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Escape: at > 0 ? 0 : -1 }[event.key] ?? -1
  if (!places[next]) return
  event.preventDefault()
  places[next].focus()
})
