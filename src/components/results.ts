import { fetchResults, readSummary } from './fetch-results.ts'
import { make } from './dom.ts'

/** A query counts as settled after this pause in typing. */
const SETTLING_MS = 1_000

const FAILURES = {
  tooLong: [
    'The search is too long',
    'It does not fit into an address. Use only the most important words.',
  ],
  unanswered: ['The search did not answer', 'Trying again may help.'],
} as const

/** Selects the links to the Markdown twin in the head and the footer of a page. */
const TWINS = 'link[type="text/markdown"], .foot li:first-child a'

const linkTwin = (path: string): void => {
  for (const link of document.querySelectorAll(TWINS)) link.setAttribute('href', path)
}

const currentAddress = (): string => location.pathname + location.search

/** Stores the scroll position in the current history entry. */
const saveScrollPosition = (): void => history.replaceState({ top: scrollY }, '')

/** The parts of the search page that change. */
interface SearchPage {
  form: HTMLFormElement
  input: HTMLInputElement
  results: HTMLElement
  status: Element
}

/** Returns the address of the form's search, without parameters that are empty or have no effect. */
const readForm = ({ form, input }: SearchPage, order: string): string => {
  const fields = new FormData(form)
  const q = input.value.trim()
  fields.set('q', q)
  fields.delete('sort')
  fields.set('sort', q === '' ? order : '')
  const filled = [...new Set(fields.keys())].map((name) => [name, fields.getAll(name).join(',')])
  const parameters = new URLSearchParams(filled.filter(([, value]) => value !== ''))
  return location.pathname + (parameters.size > 0 ? `?${parameters}` : '')
}

const currentOrder = (): string => new URLSearchParams(location.search).get('sort') ?? ''

/** Fills in the form from the address, for example after the Back button. */
const fillForm = ({ form, input }: SearchPage): void => {
  const parameters = new URLSearchParams(location.search)
  input.value = parameters.get('q') ?? ''
  for (const box of form.querySelectorAll<HTMLInputElement>('[type="checkbox"]'))
    box.checked = parameters.getAll(box.name).join(',').split(',').includes(box.value)
  const select = form.querySelector('select')!
  select.value = parameters.get('sort') ?? ''
  if (select.selectedIndex < 0) select.selectedIndex = 0
}

const showFailure = (
  { form, input, results, status }: SearchPage,
  kind: keyof typeof FAILURES,
  retry: () => void,
): void => {
  const [heading, words] = FAILURES[kind]
  const again = make('button', { type: 'button', textContent: 'Try again' })
  again.addEventListener('click', () => {
    input.focus()
    retry()
  })
  const texts = [make('h2', {}, heading), make('p', {}, words)]
  const buttons = kind === 'unanswered' ? [again] : []
  results.replaceChildren(make('section', { className: 'part' }, ...texts, ...buttons))
  for (const count of form.querySelectorAll('.count')) count.textContent = ''
  linkTwin(`${location.pathname}.md${location.search}`)
  status.textContent = heading
}

/** Shows the filters of another page, and keeps the focus. */
const showFilters = (form: HTMLFormElement, filters: Element): void => {
  const { name, value } = document.activeElement as HTMLInputElement
  form.querySelector('.filters')!.replaceWith(filters)
  const boxes = [...filters.querySelectorAll('input')]
  boxes.find((box) => box.name === name && box.value === value)?.focus()
}

/** Copies results, filters, sort orders and the link to the Markdown twin from a fetched page. */
const showAnswer = ({ form, results, status }: SearchPage, answer: Document): void => {
  results.replaceChildren(...answer.querySelector('#results')!.childNodes)
  showFilters(form, answer.querySelector('.filters')!)
  const [sort, other] = [form, answer].map((page) => page.querySelector('#sort'))
  if (other && sort?.textContent !== other.textContent) sort?.replaceWith(other)
  linkTwin(answer.querySelector(TWINS)?.getAttribute('href') ?? '')
  status.textContent = readSummary(document)
}

/** Moves the focus with the arrow keys between the field and the results. Escape returns to the field. */
const moveByKeys = (event: KeyboardEvent, { input, results }: SearchPage): void => {
  const places = [input, ...results.querySelectorAll<HTMLElement>('.who > a')]
  const at = places.indexOf(event.target as HTMLElement)
  if (at < 0 || event.isComposing) return
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Escape: at > 0 ? 0 : -1 }[event.key] ?? -1
  if (!places[next]) return
  event.preventDefault()
  places[next].focus()
}

/** Shows results while the form is filled in. Each search has its own address. */
export const attachResults = (
  form: HTMLFormElement,
  input: HTMLInputElement,
  results: HTMLElement,
): void => {
  const page = { form, input, results, status: form.querySelector('#search-status')! }
  let shown = currentAddress()
  /** If true, the next search pushes a history entry instead of replacing it. */
  let isSettled = true
  let settling: ReturnType<typeof setTimeout> | undefined
  /** The selected sort order, which is restored when the query is cleared. */
  let order = currentOrder()

  /** Shows the results at the current address. Returns false if a newer request superseded this one. */
  const show = async (): Promise<boolean> => {
    results.ariaBusy = 'true'
    const answer = await fetchResults(shown)
    if (!answer) return false
    results.ariaBusy = 'false'
    if (answer.page) showAnswer(page, answer.page)
    else showFailure(page, answer.isTooLong ? 'tooLong' : 'unanswered', () => void show())
    return true
  }

  const settle = (): void => {
    clearTimeout(settling)
    isSettled = true
  }

  const search = (): void => {
    clearTimeout(settling)
    settling = setTimeout(settle, SETTLING_MS)
    const address = readForm(page, order)
    if (address === shown) return
    shown = address
    if (isSettled) saveScrollPosition()
    history[isSettled ? 'pushState' : 'replaceState']({}, '', address)
    isSettled = false
    void show()
  }

  input.addEventListener('input', search)
  form.addEventListener('change', ({ target }) => {
    settle()
    if (target === input) return
    if (target instanceof HTMLSelectElement && target.id === 'sort')
      order = target.selectedIndex > 0 ? target.value : ''
    search()
    settle()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const before = shown
    search()
    settle()
    // Submitting the same search again retries it.
    if (shown === before) void show()
  })
  addEventListener('scrollend', saveScrollPosition)
  addEventListener('popstate', async ({ state }) => {
    // A link to an anchor within the page does not change the search.
    if (currentAddress() === shown) return
    shown = currentAddress()
    settle()
    fillForm(page)
    if (input.value === '') order = currentOrder()
    const top = (state as { top?: number } | null)?.top ?? 0
    if (await show()) scrollTo({ top, behavior: 'instant' })
  })
  addEventListener('keydown', (event) => moveByKeys(event, page))
}
