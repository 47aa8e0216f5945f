const DONE_FOR = 1_600

/** Puts a copy button on each block of code; without a clipboard the page stays as it is. */
const addCopyButton = (block: HTMLPreElement): void => {
  const frame = document.createElement('div')
  frame.className = 'code'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => void copy(block, button))
  block.replaceWith(frame)
  frame.append(block, button)
}

const copy = async (block: HTMLPreElement, button: HTMLButtonElement): Promise<void> => {
  try {
    await navigator.clipboard.writeText(block.innerText.trimEnd())
    button.textContent = 'Copied'
  } catch {
    // The browser refused: the text is selected, so that one key press copies it.
    getSelection()?.selectAllChildren(block)
    button.textContent = 'Selected'
  }
  setTimeout(() => (button.textContent = 'Copy'), DONE_FOR)
}

// The clipboard exists on secure origins only.
if ('clipboard' in navigator) {
  for (const block of document.querySelectorAll('main pre')) {
    if (block instanceof HTMLPreElement) addCopyButton(block)
  }
}
