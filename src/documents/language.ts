import { detectLanguage } from '../catalog/language.ts'
import { html } from './prose/markup.ts'
import type { Html } from './prose/markup.ts'

/** Wraps HTML in an element with the language of `text`, from which the HTML was made, if the language is detected. */
export const withLanguage = (words: Html, text: string): Html => {
  const language = detectLanguage(text)
  return language === undefined ? words : html`<span lang="${language}">${words}</span>`
}
