import { canCopy, copyElement, showCopied } from './copy.ts'

/** Storage key of the client and place that a reader chose last. */
const CHOICE = 'install'

const install = document.querySelector<HTMLElement>('.install')

const listInputs = (): NodeListOf<HTMLInputElement> =>
  install!.querySelectorAll<HTMLInputElement>('input[type=radio]')

const remember = (): void => {
  const chosen = Array.from(listInputs()).flatMap(({ checked, value }) => (checked ? value : []))
  try {
    localStorage.setItem(CHOICE, chosen.join(' '))
  } catch {
    // Browsers may refuse storage; then the choice lasts as long as the page.
  }
}

const recall = (): void => {
  try {
    const chosen = localStorage.getItem(CHOICE)?.split(' ') ?? []
    for (const input of listInputs()) if (chosen.includes(input.value)) input.checked = true
  } catch {
    // See above.
  }
}

/** The command for the chosen client and place: the styles show no other. */
const findLine = (): HTMLElement | undefined =>
  Array.from(install!.querySelectorAll<HTMLElement>('.line')).find(
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
  recall()
  install.addEventListener('change', remember)
  for (const button of install.querySelectorAll<HTMLButtonElement>('.copy')) {
    button.hidden = !canCopy
    button.addEventListener('click', () => {
      if (button.dataset['copies'] === 'twin') void showCopied(button, copyTwin, () => 'Not copied')
      else void copyElement(button, findLine()!)
    })
  }
}
