import { canCopy, copyElement } from './copy.ts'
import { keep, recall } from './dom.ts'

/** Storage key of the client and place that a reader chose last. */
const CHOICE = 'install'

const install = document.querySelector<HTMLElement>('.install')

const readChoices = (): HTMLInputElement[] => [
  ...install!.querySelectorAll<HTMLInputElement>('input[type=radio]'),
]

/** The command of a way for the chosen client and place: the styles show no other. */
const findLine = (way: Element): HTMLElement | undefined =>
  [...way.querySelectorAll<HTMLElement>('.line')].find(
    (line) => getComputedStyle(line).visibility === 'visible',
  )

if (install) {
  const chosen = recall(CHOICE)
  for (const input of readChoices()) input.checked ||= chosen.includes(input.value)
  install.addEventListener('change', () =>
    keep(
      CHOICE,
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
