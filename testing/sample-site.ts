import { html } from '../src/documents/prose/markup.ts'
import { renderSiteValues } from '../src/documents/site-view.ts'
import type { SiteFrame } from '../src/documents/view.ts'

/** The frame of the pages in tests. */
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

/** The values of the site that layouts in tests show. */
export const SITE_VALUES = renderSiteValues({ name: 'R', footer: html`Foot.`, fonts: [] }, [])
