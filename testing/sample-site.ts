import { html } from '../src/documents/prose/markup.ts'
import { renderSiteValues } from '../src/documents/site-view.ts'
import type { SiteFrame } from '../src/documents/view.ts'

/** What the pages of tests have of their site. */
export const FRAME: SiteFrame = {
  origin: 'https://r.example',
  siteName: 'R',
  navigation: [
    { to: '/skills', label: 'Skills' },
    { to: '/authors', label: 'Authors' },
    { to: '/docs', label: 'Docs' },
    { to: '/about', label: 'About' },
  ],
}

/** What the layouts of tests show of their site. */
export const SITE_VALUES = renderSiteValues(
  { name: 'R', footer: html`Foot.`, hasBundles: true, fonts: [] },
  [],
)
