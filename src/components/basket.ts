import { MOST_BUNDLED } from '../documents/paths.ts'

/** Storage key of the slugs of checked skills. */
const BASKET = 'basket'

const form = document.querySelector<HTMLFormElement>('#basket')
const submit = form?.querySelector('button')

const recall = (): string[] => {
  try {
    return localStorage.getItem(BASKET)?.split(' ').filter(Boolean) ?? []
  } catch {
    // Browsers may refuse storage; then the choice lasts as long as the page.
    return []
  }
}

let chosen = recall()

const listBoxes = (): HTMLInputElement[] => [
  ...document.querySelectorAll<HTMLInputElement>('.pick input'),
]

const describe = (count: number): string => {
  if (count > MOST_BUNDLED)
    return `${count} skills: uncheck ${count - MOST_BUNDLED}, ${MOST_BUNDLED} go together`
  return count === 1 ? '1 skill: check another' : `${count} skills: install together`
}

/** Checks the boxes of chosen skills; chosen skills that this page does not list are kept. */
const show = (): void => {
  const boxes = listBoxes()
  for (const box of boxes) box.checked = chosen.includes(box.value)
  const elsewhere = chosen.filter((slug) => boxes.every(({ value }) => value !== slug))
  for (const input of form!.querySelectorAll('input')) input.remove()
  for (const slug of elsewhere) {
    const input = document.createElement('input')
    Object.assign(input, { type: 'hidden', name: 'skills', value: slug })
    form!.append(input)
  }
  const count = chosen.length
  submit!.textContent = describe(count)
  submit!.disabled = count > MOST_BUNDLED
  form!.classList.toggle('filled', count > 0)
}

const keep = (slugs: string[]): void => {
  chosen = slugs
  try {
    localStorage.setItem(BASKET, slugs.join(' '))
  } catch {
    // See above.
  }
  show()
}

if (form && submit) {
  show()
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.pick')) return
    const others = chosen.filter((slug) => slug !== target.value)
    keep(target.checked ? [...others, target.value] : others)
  })
  form.addEventListener('reset', () => keep([]))
  const results = document.querySelector('#results')
  if (results) new MutationObserver(show).observe(results, { childList: true })
}
