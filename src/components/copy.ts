const DONE_FOR = 1_600

/** Whether there is a clipboard: it exists on secure origins only. */
export const canCopy = 'clipboard' in navigator

/** Runs what copies, and tells on the button how it ended; `fallBack` helps where the browser refused. */
export const showCopied = async (
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
  setTimeout(() => (button.textContent = label), DONE_FOR)
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
  const frame = document.createElement('div')
  frame.className = 'code'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => void copyElement(button, block))
  block.replaceWith(frame)
  frame.append(block, button)
}

if (canCopy) {
  for (const block of document.querySelectorAll('main pre:not(.source > pre, .line)')) {
    if (block instanceof HTMLPreElement) addCopyButton(block)
  }
}
