import { make } from './dom.ts'

/** How long a button shows the outcome, in milliseconds. */
const DONE_MS = 1_600

/** Whether the browser has a clipboard. It exists only on secure origins. */
export const canCopy = 'clipboard' in navigator

/** Runs `copy` and shows the outcome on the button. If the browser refuses, `fallBack` runs and returns the label. */
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

/** Copies the text of an element. If the browser refuses, selects it, so that one key press copies it. */
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

/** Adds a copy button beside a code block. */
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
