import { canCopy, copyElement } from './copy.ts'

/** Storage key for the client, place and shell that the reader chose last. */
const STORAGE_KEY = 'install'

/** Loads the words stored. Browsers can refuse storage; then a choice lasts only as long as the page. */
const loadWords = (): string[] => {
  try {
    return localStorage.getItem(STORAGE_KEY)?.split(' ').filter(Boolean) ?? []
  } catch {
    return []
  }
}

const saveWords = (words: readonly string[]): void => {
  try {
    localStorage.setItem(STORAGE_KEY, words.join(' '))
  } catch {
    // The browser refuses storage, see `loadWords`.
  }
}

const install = document.querySelector<HTMLElement>('.box')

const readChoices = (): HTMLInputElement[] => [
  ...install!.querySelectorAll<HTMLInputElement>('input[type=radio]'),
]

/** Finds the line for the chosen client, place and shell, which is the only one that the styles show. */
const findLine = (way: Element): HTMLElement | undefined =>
  [...way.querySelectorAll<HTMLElement>('.line')].find((line) => line.checkVisibility())

if (install) {
  const chosen = loadWords()
  for (const input of readChoices()) input.checked ||= chosen.includes(input.value)
  install.addEventListener('change', () =>
    saveWords(readChoices().flatMap(({ checked, value }) => (checked ? value : []))),
  )
  for (const button of install.querySelectorAll<HTMLButtonElement>('.copy')) {
    button.hidden = !canCopy
    button.addEventListener(
      'click',
      () => void copyElement(button, findLine(button.closest('.way')!)!),
    )
  }
}
