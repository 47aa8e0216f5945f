import { categorySlug } from '../catalog/categories.ts'
import type { ListedSkill } from '../catalog/skill.ts'

/** Skills on one page of results. */
const PAGE_SIZE = 48

/** Pause after the last key before the API is asked, in milliseconds. */
const TYPING_PAUSE = 120

interface Question {
  q: string
  sort: string
  categories: string[]
  /** 1-based. */
  page: number
}

interface Answer {
  skills: ListedSkill[]
  total: number
}

const find = <Kind extends Element>(selector: string, kind: new () => Kind): Kind => {
  const element = document.querySelector(selector)
  if (element instanceof kind) return element
  throw new Error(`the page has no ${selector}`)
}

const form = find('#search', HTMLFormElement)
const input = find('#q', HTMLInputElement)
const select = find('#sort', HTMLSelectElement)
const status = find('#search-status', HTMLElement)
const results = find('#results', HTMLElement)
const row = find('#entry', HTMLTemplateElement)
const boxes = [...form.querySelectorAll<HTMLInputElement>('input[name="cat"]')]
const listing = [...results.childNodes]
const defaultSort = select.options[0]?.value ?? ''

const readAddress = (): Question => {
  const parameters = new URLSearchParams(location.search)
  return {
    q: parameters.get('q') ?? '',
    sort: parameters.get('sort') ?? defaultSort,
    categories: parameters.getAll('cat').flatMap((value) => value.split(',')),
    page: Math.max(1, Math.trunc(Number(parameters.get('page'))) || 1),
  }
}

const readForm = (): Question => ({
  q: input.value,
  sort: select.value,
  categories: boxes.filter((box) => box.checked).map((box) => box.value),
  page: 1,
})

const showInForm = (question: Question): void => {
  input.value = question.q
  const isKnown = [...select.options].some((option) => option.value === question.sort)
  select.value = isKnown ? question.sort : defaultSort
  for (const box of boxes) box.checked = question.categories.includes(box.value)
}

const isEmpty = ({ q, sort, categories, page }: Question): boolean =>
  q.trim() === '' && sort === defaultSort && categories.length === 0 && page === 1

/** The page's own address for a search, so that it can be shared; empty values are left out. */
const addressOf = ({ q, sort, categories, page }: Question): string => {
  const parameters = new URLSearchParams()
  if (q.trim() !== '') parameters.set('q', q)
  if (categories.length > 0) parameters.set('cat', categories.join(','))
  if (sort !== defaultSort) parameters.set('sort', sort)
  if (page > 1) parameters.set('page', String(page))
  const query = parameters.toString()
  return query === '' ? location.pathname : `${location.pathname}?${query}`
}

const endpointOf = ({ q, sort, categories, page }: Question): string => {
  const parameters = new URLSearchParams({ limit: String(PAGE_SIZE) })
  if (q.trim() !== '') parameters.set('q', q)
  if (categories.length > 0) parameters.set('cat', categories.join(','))
  parameters.set('sort', sort)
  parameters.set('offset', String((page - 1) * PAGE_SIZE))
  return `${form.dataset['endpoint'] ?? ''}?${parameters}`
}

const renderNote = (text: string): HTMLElement => {
  const note = document.createElement('li')
  note.textContent = text
  return note
}

const renderRow = (skill: ListedSkill): Node => {
  const entry = row.content.cloneNode(true) as DocumentFragment
  const link = entry.querySelector('a')
  const mark = entry.querySelector<HTMLElement>('.hue')
  if (link && mark) {
    link.href = `${location.pathname}/${skill.slug}`
    link.lastChild?.replaceWith(skill.name)
    mark.dataset['hue'] = categorySlug(skill.category)
  }
  entry.querySelector('p')?.append(skill.description)
  const notes = [skill.category, skill.author]
  if (skill.installs > 0) notes.push(`${skill.installs} installs`)
  entry.querySelector('ul')?.replaceChildren(...notes.map(renderNote))
  return entry
}

const renderPager = (question: Question, total: number): HTMLElement => {
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
  const nav = document.createElement('nav')
  nav.className = 'pager'
  nav.ariaLabel = 'Pages'
  const place = document.createElement('span')
  place.textContent = `Page ${question.page} of ${pages}`
  const link = (label: string, page: number): HTMLAnchorElement => {
    const anchor = document.createElement('a')
    anchor.href = addressOf({ ...question, page })
    anchor.textContent = label
    return anchor
  }
  if (question.page > 1) nav.append(link('Previous page', question.page - 1))
  nav.append(place)
  if (question.page < pages) nav.append(link('Next page', question.page + 1))
  return nav
}

const countWords = (total: number): string => `${total} skill${total === 1 ? '' : 's'}`

const showAnswer = (question: Question, { skills, total }: Answer): void => {
  const list = document.createElement('ul')
  list.className = 'entries'
  list.append(...skills.map(renderRow))
  const heading = document.createElement('h2')
  heading.textContent = 'Results'
  const pager = total > PAGE_SIZE ? [renderPager(question, total)] : []
  results.replaceChildren(heading, list, ...pager)
  const help = total === 0 ? ' Try fewer or other words, or leave the categories out.' : ''
  status.className = ''
  status.textContent = `${countWords(total)} found.${help}`
}

const showFailure = (text: string): void => {
  status.className = 'fault'
  status.textContent = text
}

const showListing = (): void => {
  results.replaceChildren(...listing)
  status.className = ''
  status.textContent = ''
}

let running: AbortController | undefined

const ask = async (question: Question): Promise<void> => {
  running?.abort()
  // The results of a query are ordered by score.
  select.disabled = question.q.trim() !== ''
  if (isEmpty(question)) return showListing()
  const request = new AbortController()
  running = request
  try {
    const response = await fetch(endpointOf(question), { signal: request.signal })
    const body = (await response.json()) as Answer & { error?: { message: string; hint: string } }
    if (response.ok) showAnswer(question, body)
    else showFailure(`${body.error?.message ?? 'The search failed.'} ${body.error?.hint ?? ''}`)
  } catch {
    if (!request.signal.aborted) showFailure('The search cannot be reached; the list is as it was.')
  }
}

let pause: ReturnType<typeof setTimeout> | undefined

const askSoon = (wait: number): void => {
  clearTimeout(pause)
  pause = setTimeout(() => {
    const question = readForm()
    history.replaceState(null, '', addressOf(question))
    void ask(question)
  }, wait)
}

input.addEventListener('input', () => askSoon(TYPING_PAUSE))
form.addEventListener('change', () => askSoon(0))
form.addEventListener('submit', (event) => {
  event.preventDefault()
  askSoon(0)
})
addEventListener('popstate', () => {
  showInForm(readAddress())
  void ask(readAddress())
})

showInForm(readAddress())
void ask(readAddress())
