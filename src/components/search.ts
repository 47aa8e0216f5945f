import { attachOffers } from './offers.ts'
import { attachResults } from './results.ts'

// A page has one search field, in its content or in the masthead.
const form = document.querySelector<HTMLFormElement>('form[role="search"]')!
const input = form.querySelector('input')!
const results = document.querySelector<HTMLElement>('#results')

if (results) attachResults(form, input, results)
else attachOffers(form, input)

addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, altKey, target } = event
  if (key !== '/' || ctrlKey || metaKey || altKey) return
  if ((target as Element).closest('input, select, textarea')) return
  event.preventDefault()
  input.focus()
  input.select()
})
