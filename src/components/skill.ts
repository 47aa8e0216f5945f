import { canCopy, copyElement } from './copy.ts'

/** Storage key for what the reader chose last, on any page: client, place and shell. */
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

/** Finds the line for the chosen client, place and shell, which is the only one that the styles show. */
const findLine = (way: Element): HTMLElement | undefined =>
  [...way.querySelectorAll<HTMLElement>('.line')].find((line) => line.checkVisibility())

if (install) {
  const choices = [...install.querySelectorAll<HTMLInputElement>('input[type=radio]')]
  for (const word of loadWords())
    for (const input of choices) input.checked ||= input.value === word
  install.addEventListener('change', () => {
    // The home page has no place and no shell. What this page does not offer stays as it was; later words win.
    const others = loadWords().filter((word) => choices.every(({ value }) => value !== word))
    saveWords([...others, ...choices.flatMap(({ checked, value }) => (checked ? value : []))])
  })
  for (const button of install.querySelectorAll<HTMLButtonElement>('.copy')) {
    button.hidden = !canCopy
    button.addEventListener(
      'click',
      () => void copyElement(button, findLine(button.closest('.way')!)!),
    )
  }
}
