import { detectLanguage } from '../catalog/language.ts'
import { html } from './prose/markup.ts'
import type { Html } from './prose/markup.ts'

/** Marks HTML with the language of the text that it was made of. */
export const withLanguage = (words: Html, text: string): Html => {
  const language = detectLanguage(text)
  return language === undefined ? words : html`<span lang="${language}">${words}</span>`
}
