/** Creates an element with properties and children. */
export const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...content)
  return element
}

/** Loads the words stored under a key. Browsers can refuse storage; then a choice lasts only as long as the page. */
export const loadWords = (key: string): string[] => {
  try {
    return localStorage.getItem(key)?.split(' ').filter(Boolean) ?? []
  } catch {
    return []
  }
}

export const saveWords = (key: string, words: readonly string[]): void => {
  try {
    localStorage.setItem(key, words.join(' '))
  } catch {
    // The browser refuses storage, see `loadWords`.
  }
}
