import { canCopy, copyElement } from './copy.ts'

const RANGE = /^#L(\d+)(?:-L?(\d+))?$/

const source = document.querySelector<HTMLElement>('.source')!
const code = source.querySelector<HTMLElement>(':scope > pre > code')!

const readRange = (): [number, number] | undefined => {
  const [, first, last = first] = RANGE.exec(location.hash) ?? []
  if (first === undefined) return undefined
  const [from, to] = [Number(first), Number(last)]
  return from < to ? [from, to] : [to, from]
}

/** Marks the lines that the address names. Scrolls to them unless `isShown`. */
const markRange = (isShown: boolean): void => {
  for (const line of code.querySelectorAll('.chosen')) line.classList.remove('chosen')
  const range = readRange()
  if (!range) return
  const lines = Array.from(code.children).slice(range[0] - 1, range[1])
  for (const line of lines) line.classList.add('chosen')
  // Browsers scroll to a single line without help.
  if (!isShown && range[0] < range[1]) lines[0]?.scrollIntoView()
}

/** The fragment that the last click set. */
let clicked = ''

/** Puts the clicked line number into the address; with the Shift key, the range from the previous line. */
const chooseLine = (event: MouseEvent): void => {
  const line = event.target
  if (!(line instanceof HTMLElement) || line.parentElement !== code) return
  if (event.offsetX > Number.parseFloat(getComputedStyle(line).paddingLeft)) return
  const before = event.shiftKey ? readRange() : undefined
  const [top, at] = [scrollY, Number(line.id.slice(1))]
  location.hash = before ? `L${Math.min(before[0], at)}-L${Math.max(before[0], at)}` : line.id
  scrollTo({ top, behavior: 'instant' })
  clicked = location.hash
  markRange(true)
}

code.addEventListener('click', chooseLine)
addEventListener('hashchange', () => markRange(location.hash === clicked))
markRange(false)

const button = source.querySelector<HTMLButtonElement>('.copy')!
button.hidden = !canCopy
button.addEventListener('click', () => void copyElement(button, code, code.textContent))
