import type { SkillFacts } from '../src/catalog/skill.ts'
import { html } from '../src/documents/prose/markup.ts'
import { renderSiteValues } from '../src/documents/site-view.ts'
import { createSite } from '../src/documents/site.ts'
import type { Site } from '../src/documents/site.ts'
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

/** Makes a site of skills, with what else of its catalog matters to a test. */
export const sampleSite = (
  skills: readonly SkillFacts[],
  catalog: Partial<Site['catalog']> = {},
): Site => {
  const site = { name: 'N', tagline: 'T', description: 'D' }
  const none = { site, posts: [], pages: [], isCounted: false }
  return createSite({ ...none, ...catalog }, skills, FRAME.origin)
}
