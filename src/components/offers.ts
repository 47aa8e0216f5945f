import styles from '../styles/search.css?url'
import { cancelSearch, fetchResults, readSummary } from './fetch-results.ts'
import { make } from './dom.ts'

const MOST_OFFERED = 6

/** Turns the first results of a page into options, and adds an option for all results. */
const listOptions = (page: Document, address: string): Element[] => {
  const options = [...page.querySelectorAll('#results .entry')].slice(0, MOST_OFFERED)
  for (const option of options) {
    const link = option.querySelector('a')!
    const name = make('b', {}, ...link.childNodes)
    option.setAttribute('data-path', link.getAttribute('href')!)
    option.replaceChildren(name, option.querySelector('p')!)
  }
  const all = make('li', { className: 'entry' })
  const isNothing = page.querySelector('[data-part="where-to-go"]') !== null
  all.append(make('b', {}, isNothing ? 'Where to go' : 'All results'))
  all.dataset['path'] = address
  return [...options, all].map((option, at) =>
    Object.assign(option, { role: 'option', id: `offer-${at}` }),
  )
}

const open = (option: Element): void => location.assign(option.getAttribute('data-path')!)

// Styles are loaded on demand, because most readers of a page do not search.
const loadStyles = (): void =>
  document.head.append(make('link', { rel: 'stylesheet', href: styles }))

/** Shows matching skills in a list below a search field (a combobox of ARIA 1.2). */
export const attachOffers = (form: HTMLFormElement, input: HTMLInputElement): void => {
  const list = make('ul', { id: 'offers', role: 'listbox', ariaLabel: 'Skills' })
  const words = make('p', { role: 'status' })
  const box = make('div', { className: 'offers' }, words, list)
  let active: Element | undefined

  const activate = (option: Element | undefined): void => {
    active?.removeAttribute('aria-selected')
    active = option
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option) input.setAttribute('aria-activedescendant', option.id)
    else input.removeAttribute('aria-activedescendant')
  }

  const show = (options: readonly Element[], text: string): void => {
    activate(undefined)
    list.replaceChildren(...options)
    list.hidden = options.length === 0
    list.ariaBusy = 'false'
    words.textContent = text
    input.ariaExpanded = String(options.length > 0)
  }

  const close = (): void => {
    cancelSearch()
    show([], '')
    box.hidden = true
  }

  const update = async (): Promise<void> => {
    const q = input.value.trim()
    if (q === '') return close()
    box.hidden = false
    list.ariaBusy = 'true'
    const address = `${form.action}?${new URLSearchParams({ q })}`
    const answer = await fetchResults(address)
    if (answer?.page) show(listOptions(answer.page, address), readSummary(answer.page))
    else if (answer) show([], 'The search did not answer. Press Enter to try again.')
  }

  input.addEventListener('focus', loadStyles, { once: true })
  input.addEventListener('input', () => void update())
  input.addEventListener('keydown', (event) => {
    const { key } = event
    const isArrow = key === 'ArrowDown' || key === 'ArrowUp'
    if (event.isComposing || !(isArrow || (key === 'Enter' && active) || key === 'Escape')) return
    if (key === 'Escape' && box.hidden) return
    event.preventDefault()
    if (key === 'Enter') open(active!)
    else if (key === 'Escape') close()
    else if (box.hidden) void update()
    else {
      // The arrow keys go through the options and the field itself in a circle.
      const places = [undefined, ...list.children]
      const step = key === 'ArrowDown' ? 1 : places.length - 1
      activate(places[(places.indexOf(active) + step) % places.length])
    }
  })
  // Without this, pressing the mouse button on an option would take the focus from the field and close the list.
  box.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    const option = (target as Element).closest('li')
    if (option) open(option)
  })
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) close()
  })
  form.append(box)
  input.role = 'combobox'
  input.ariaAutoComplete = 'list'
  input.setAttribute('aria-controls', list.id)
  close()
}
