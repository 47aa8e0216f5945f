import { renderMark } from './mark.ts'
import { html } from './prose/markup.ts'
import type { Html } from './prose/markup.ts'
import { PATHS } from './paths.ts'
import type { SiteValues } from './template.ts'

/** The values of a registry for layouts. */
export interface SiteView {
  name: string
  /** Stands at the foot of every page. */
  footer: Html
  /** Addresses of its own files: a picture, and a stylesheet that replaces values of src/styles/tokens.css. */
  logo?: string | undefined
  theme?: string | undefined
  /** Whether skills that are checked can be installed together. */
  hasBundles: boolean
  /** Names of the fonts of ours that its theme keeps. */
  fonts: readonly string[]
}

/** The form that installs the checked skills of a page; without it, the styles show no boxes. */
const BASKET = html`<form id="basket" action="${PATHS.bundles}">
  <button type="submit">Install together</button>
  <button type="reset">Clear</button>
</form>`

/**
 * Renders the values that all pages of a registry share; `fonts` are addresses that browsers fetch before they read the
 * styles.
 */
export const renderSiteValues = (
  { name, footer, logo, theme, hasBundles }: SiteView,
  fonts: readonly string[],
): SiteValues => {
  const picture = logo && html`<img class="mark" src="${logo}" alt="">`
  const preloads = fonts.map(
    (font) => html`<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin>`,
  )
  const styles = theme && html`<link rel="stylesheet" href="${theme}">`
  return {
    siteName: html`${name}`,
    siteLinks: html`<link rel="icon" href="${PATHS.favicon}" type="image/svg+xml">${preloads}${styles || ''}`,
    siteMark: picture || renderMark(),
    siteFooter: footer,
    siteBasket: hasBundles ? BASKET : html``,
  }
}
