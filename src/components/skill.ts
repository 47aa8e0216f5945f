import { canCopy, copyElement, showCopied } from './copy.ts'
import { keep, recall } from './dom.ts'

/** Storage key of the client and place that a reader chose last. */
const CHOICE = 'install'

const install = document.querySelector<HTMLElement>('.install')

const readChoices = (): HTMLInputElement[] => [
  ...install!.querySelectorAll<HTMLInputElement>('input[type=radio]'),
]

/** The command for the chosen client and place: the styles show no other. */
const findLine = (): HTMLElement | undefined =>
  [...install!.querySelectorAll<HTMLElement>('.line')].find(
    (line) => getComputedStyle(line).visibility === 'visible',
  )

const fetchTwin = async (): Promise<Blob> => {
  const link = document.querySelector<HTMLLinkElement>('link[type="text/markdown"]')
  const answer = await fetch(link!.href)
  if (!answer.ok) throw new Error(`${answer.status}`)
  return new Blob([await answer.text()], { type: 'text/plain' })
}

// A promise, not its text: Safari lets only what began with the click write to the clipboard.
const copyTwin = (): Promise<void> =>
  navigator.clipboard.write([new ClipboardItem({ 'text/plain': fetchTwin() })])

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
    button.addEventListener('click', () => {
      if (button.dataset['copies'] === 'twin') void showCopied(button, copyTwin, () => 'Not copied')
      else void copyElement(button, findLine()!)
    })
  }
}
