import { renderMark } from './mark.ts'
import { html } from './prose/markup.ts'
import type { Html } from './prose/markup.ts'
import { PATHS } from './paths.ts'
import type { SiteValues } from './template.ts'

/** The values of a registry that layouts show. */
export interface SiteView {
  name: string
  footer: Html
  /** Addresses of the registry's own logo, and of a stylesheet that overrides values of src/styles/tokens.css. */
  logo?: string | undefined
  theme?: string | undefined
  /** Names of the default fonts that the theme keeps. */
  fonts: readonly string[]
}

/** Renders the values that all pages of a registry share. Browsers preload the fonts at `fontPaths`. */
export const renderSiteValues = (
  { name, footer, logo, theme }: SiteView,
  fontPaths: readonly string[],
): SiteValues => {
  const picture = logo && html`<img class="mark" src="${logo}" alt="">`
  const preloads = fontPaths.map(
    (path) => html`<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin>`,
  )
  const styles = theme && html`<link rel="stylesheet" href="${theme}">`
  return {
    siteName: html`${name}`,
    siteLinks: html`<link rel="icon" href="${PATHS.favicon}" type="image/svg+xml">${preloads}${styles || ''}`,
    siteMark: picture || renderMark(),
    siteFooter: footer,
  }
}
