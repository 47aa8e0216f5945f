import offerStyles from '../styles/offers.css?url'
import { Questions, readWords } from './ask.ts'

/** Skills that are offered below a field. */
const OFFERED = 6

let styles: HTMLLinkElement | undefined

/** Fetches how the list looks, once: most pages are read without a search. */
const loadStyles = (): void => {
  if (styles) return
  styles = document.createElement('link')
  Object.assign(styles, { rel: 'stylesheet', href: offerStyles })
  document.head.append(styles)
}

/** A form that finds skills, with the list of those below its field (ARIA 1.2, combobox). */
class Finder {
  readonly #form: HTMLFormElement
  readonly #input: HTMLInputElement
  readonly #questions = new Questions()
  readonly #box = document.createElement('div')
  readonly #list = document.createElement('ul')
  readonly #words = document.createElement('p')
  #active: HTMLElement | undefined

  private constructor(form: HTMLFormElement, input: HTMLInputElement) {
    this.#form = form
    this.#input = input
    this.#list.id = `${input.id}-offers`
    this.#list.role = 'listbox'
    this.#list.ariaLabel = 'Skills'
    this.#words.role = 'status'
    this.#box.className = 'offers'
    this.#box.append(this.#words, this.#list)
    form.append(this.#box)
    input.addEventListener('focus', loadStyles, { once: true })
    input.role = 'combobox'
    input.ariaAutoComplete = 'list'
    input.setAttribute('aria-controls', this.#list.id)
    this.#close()
  }

  /** Offers skills below the field of a form. */
  static attach(form: HTMLFormElement, input: HTMLInputElement): void {
    const finder = new Finder(form, input)
    input.addEventListener('input', () => void finder.#update())
    input.addEventListener('keydown', (event) => finder.#press(event))
    // A press on an offer must not take the focus away before the click.
    finder.#box.addEventListener('mousedown', (event) => event.preventDefault())
    finder.#list.addEventListener('click', ({ target }) => {
      const option = (target as Element).closest('li')
      if (option) finder.#go(option)
    })
    form.addEventListener('focusout', ({ relatedTarget }) => {
      if (!form.contains(relatedTarget as Node | null)) finder.#close()
    })
  }

  #close(): void {
    this.#questions.stop()
    this.#show([], '')
    this.#box.hidden = true
  }

  #show(options: readonly HTMLElement[], words: string): void {
    this.#activate(undefined)
    this.#list.replaceChildren(...options)
    this.#list.hidden = options.length === 0
    this.#list.ariaBusy = 'false'
    this.#words.textContent = words
    this.#input.ariaExpanded = String(options.length > 0)
  }

  async #update(): Promise<void> {
    const q = this.#input.value.trim()
    if (q === '') return this.#close()
    this.#box.hidden = false
    this.#list.ariaBusy = 'true'
    const address = `${this.#form.action}?${new URLSearchParams({ q })}`
    const page = await this.#questions.ask(address)
    if (page === 'late') return
    if (page) this.#show(this.#listOptions(page, address), readWords(page))
    else this.#show([], 'The search did not answer. Enter tries again.')
  }

  #listOptions(page: Document, address: string): HTMLElement[] {
    const entries = [...page.querySelectorAll<HTMLElement>('#results .entry')].slice(0, OFFERED)
    const all = document.createElement('b')
    all.textContent = entries.length > 0 ? 'All results' : 'What else there is'
    const rows: [string, Node[]][] = entries.map((entry) => {
      const link = entry.querySelector('a')
      const [name, text] = [document.createElement('b'), document.createElement('span')]
      name.append(...(link?.childNodes ?? []))
      text.append(...(entry.querySelector('p')?.childNodes ?? []))
      return [link?.getAttribute('href') ?? '', [name, text]]
    })
    return [...rows, [address, [all]] as const].map(([path, nodes], at) => {
      const option = document.createElement('li')
      option.role = 'option'
      option.id = `${this.#list.id}-${at}`
      option.dataset['path'] = path
      option.dataset['hue'] = entries[at]?.dataset['hue'] ?? 'none'
      option.append(...nodes)
      return option
    })
  }

  #activate(option: HTMLElement | undefined): void {
    this.#active?.removeAttribute('aria-selected')
    this.#active = option
    option?.setAttribute('aria-selected', 'true')
    option?.scrollIntoView({ block: 'nearest' })
    if (option) this.#input.setAttribute('aria-activedescendant', option.id)
    else this.#input.removeAttribute('aria-activedescendant')
  }

  #go(option: HTMLElement): void {
    location.assign(option.dataset['path'] ?? '')
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing) return
    const options = [...this.#list.children] as HTMLElement[]
    const at = this.#active ? options.indexOf(this.#active) : -1
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (this.#box.hidden) return void this.#update()
      // Between the last and the first stands the field itself.
      const step = event.key === 'ArrowDown' ? 1 : -1
      const count = options.length + 1
      this.#activate(options[((at + 1 + step + count) % count) - 1])
    } else if (event.key === 'Enter' && this.#active) {
      event.preventDefault()
      this.#go(this.#active)
    } else if (event.key === 'Escape' && !this.#box.hidden) {
      event.preventDefault()
      this.#close()
    }
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[role="search"]')) {
  const input = form.querySelector<HTMLInputElement>('input[type="search"]')
  // Results stand on the page of the search itself.
  if (input && form.id !== 'search') Finder.attach(form, input)
}

addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event
  if (key !== '/' || ctrlKey || metaKey || altKey) return
  if ((target as Element).closest('input, select, textarea, [contenteditable]')) return
  const input =
    document.querySelector<HTMLInputElement>('main input[type="search"]') ??
    document.querySelector<HTMLInputElement>('.find input')
  if (!input) return
  event.preventDefault()
  input.focus()
  input.select()
})
