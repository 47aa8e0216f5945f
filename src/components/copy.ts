import { make } from './dom.ts'

/** How long a button says that it is done. */
const DONE_MS = 1_600

/** Whether there is a clipboard: it exists on secure origins only. */
export const canCopy = 'clipboard' in navigator

/** Runs a copy function, and shows its outcome on the button; `fallBack` helps where the browser refused. */
const showCopied = async (
  button: HTMLButtonElement,
  copy: () => Promise<void>,
  fallBack: () => string,
): Promise<void> => {
  const label = (button.dataset['label'] ??= button.textContent ?? '')
  try {
    await copy()
    button.textContent = 'Copied'
  } catch {
    button.textContent = fallBack()
  }
  setTimeout(() => (button.textContent = label), DONE_MS)
}

/** Copies the text of an element; where that is refused it is selected, so that one key press copies it. */
export const copyElement = (
  button: HTMLButtonElement,
  element: HTMLElement,
  text = element.innerText.trimEnd(),
): Promise<void> =>
  showCopied(
    button,
    () => navigator.clipboard.writeText(text),
    () => {
      getSelection()?.selectAllChildren(element)
      return 'Selected'
    },
  )

/** Puts a copy button beside a block of code; without a clipboard the page stays as it is. */
const addCopyButton = (block: HTMLPreElement): void => {
  const frame = make('div', { className: 'code' })
  const button = make('button', { type: 'button', className: 'copy' }, 'Copy')
  button.addEventListener('click', () => void copyElement(button, block))
  block.replaceWith(frame)
  frame.append(block, button)
}

if (canCopy) {
  const blocks = document.querySelectorAll<HTMLPreElement>('main pre:not(.source > pre, .line)')
  for (const block of blocks) addCopyButton(block)
}
