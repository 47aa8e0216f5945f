import { make } from './dom.ts'

/** How long a button shows the outcome, in milliseconds. */
const DONE_MS = 1_600

/** Whether the browser has a clipboard. It exists only on secure origins. */
export const canCopy = 'clipboard' in navigator

/** Copies the text of an element, and shows the outcome on the button. If the browser refuses, selects the text. */
export const copyElement = async (
  button: HTMLButtonElement,
  element: HTMLElement,
  text = element.innerText.trimEnd(),
): Promise<void> => {
  const label = (button.dataset['label'] ??= button.textContent ?? '')
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
  } catch {
    getSelection()?.selectAllChildren(element)
    button.textContent = 'Selected'
  }
  setTimeout(() => (button.textContent = label), DONE_MS)
}

const addCopyButton = (block: HTMLPreElement): void => {
  const frame = make('div', { className: 'code' })
  const button = make('button', { type: 'button', className: 'copy' }, 'Copy')
  button.addEventListener('click', () => void copyElement(button, block))
  block.replaceWith(frame)
  frame.append(block, button)
}

if (canCopy) {
  const blocks = document.querySelectorAll<HTMLPreElement>(
    'main pre:not(.source > pre, .line, .notice pre)',
  )
  for (const block of blocks) addCopyButton(block)
}
