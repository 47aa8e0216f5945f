import { MOST_BUNDLED } from '../documents/paths.ts'
import { keep, make, recall } from './dom.ts'

/** Storage key of the slugs of checked skills. */
const BASKET = 'basket'

const form = document.querySelector<HTMLFormElement>('#basket')!
const submit = form.querySelector('button')!
let chosen = recall(BASKET)

const describe = (count: number): string => {
  if (count > MOST_BUNDLED)
    return `${count} skills: uncheck ${count - MOST_BUNDLED}, ${MOST_BUNDLED} go together`
  return count === 1 ? '1 skill: check another' : `${count} skills: install together`
}

/** Checks the boxes of chosen skills; chosen skills that this page does not list are kept. */
const show = (): void => {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('.pick input')]
  for (const box of boxes) box.checked = chosen.includes(box.value)
  const elsewhere = chosen.filter((slug) => boxes.every(({ value }) => value !== slug))
  for (const input of form.querySelectorAll('input')) input.remove()
  form.append(...elsewhere.map((value) => make('input', { type: 'hidden', name: 'skills', value })))
  submit.textContent = describe(chosen.length)
  submit.disabled = chosen.length > MOST_BUNDLED
  form.classList.toggle('filled', chosen.length > 0)
}

const choose = (slugs: string[]): void => {
  chosen = slugs
  keep(BASKET, slugs)
  show()
}

show()
document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.closest('.pick')) return
  const others = chosen.filter((slug) => slug !== target.value)
  choose(target.checked ? [...others, target.value] : others)
})
form.addEventListener('reset', () => choose([]))
const results = document.querySelector('#results')
if (results) new MutationObserver(show).observe(results, { childList: true })
