import { canCopy, copyElement } from './copy.ts'
import { loadWords, saveWords } from './dom.ts'

/** Storage key for the client and place that the reader selected last. */
const STORAGE_KEY = 'install'

const install = document.querySelector<HTMLElement>('.install')

const readChoices = (): HTMLInputElement[] => [
  ...install!.querySelectorAll<HTMLInputElement>('input[type=radio]'),
]

/** Finds the command for the selected client and place, which is the only one that the styles show. */
const findLine = (way: Element): HTMLElement | undefined =>
  [...way.querySelectorAll<HTMLElement>('.line')].find(
    (line) => getComputedStyle(line).visibility === 'visible',
  )

if (install) {
  const chosen = loadWords(STORAGE_KEY)
  for (const input of readChoices()) input.checked ||= chosen.includes(input.value)
  install.addEventListener('change', () =>
    saveWords(
      STORAGE_KEY,
      readChoices().flatMap(({ checked, value }) => (checked ? value : [])),
    ),
  )
  for (const button of install.querySelectorAll<HTMLButtonElement>('.copy')) {
    button.hidden = !canCopy
    button.addEventListener(
      'click',
      () => void copyElement(button, findLine(button.closest('.way')!)!),
    )
  }
}
