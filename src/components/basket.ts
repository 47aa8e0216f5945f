import { MOST_BUNDLED } from '../documents/paths.ts'
import { loadWords, make, saveWords } from './dom.ts'

/** Storage key for the slugs of checked skills. */
const STORAGE_KEY = 'basket'

const form = document.querySelector<HTMLFormElement>('#basket')
let chosen = loadWords(STORAGE_KEY)

const describe = (count: number): string => {
  if (count > MOST_BUNDLED)
    return `${count} skills: uncheck ${count - MOST_BUNDLED} (at most ${MOST_BUNDLED})`
  return count === 1 ? '1 skill: check another' : `${count} skills: install together`
}

/** Checks the boxes of chosen skills. Chosen skills that this page does not list become hidden inputs. */
const show = (basket: HTMLFormElement): void => {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('.pick input')]
  for (const box of boxes) box.checked = chosen.includes(box.value)
  const elsewhere = chosen.filter((slug) => boxes.every(({ value }) => value !== slug))
  for (const input of basket.querySelectorAll('input')) input.remove()
  basket.append(
    ...elsewhere.map((value) => make('input', { type: 'hidden', name: 'skills', value })),
  )
  const submit = basket.querySelector('button')!
  submit.textContent = describe(chosen.length)
  submit.disabled = chosen.length > MOST_BUNDLED
  basket.classList.toggle('filled', chosen.length > 0)
}

const choose = (basket: HTMLFormElement, slugs: string[]): void => {
  chosen = slugs
  saveWords(STORAGE_KEY, slugs)
  show(basket)
}

// Pages of static hosts have no basket.
if (form) {
  show(form)
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.pick')) return
    const others = chosen.filter((slug) => slug !== target.value)
    choose(form, target.checked ? [...others, target.value] : others)
  })
  form.addEventListener('reset', () => choose(form, []))
  const results = document.querySelector('#results')
  if (results) new MutationObserver(() => show(form)).observe(results, { childList: true })
}
