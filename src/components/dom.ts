/** Makes an element with properties and children. */
export const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...content)
  return element
}

/** Words that were stored under a key. Browsers may refuse storage; then a choice lasts as long as the page. */
export const recall = (key: string): string[] => {
  try {
    return localStorage.getItem(key)?.split(' ').filter(Boolean) ?? []
  } catch {
    return []
  }
}

export const keep = (key: string, words: readonly string[]): void => {
  try {
    localStorage.setItem(key, words.join(' '))
  } catch {
    // See above.
  }
}
