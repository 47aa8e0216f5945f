import type { Catalog, loadSiteContent } from '../../src/catalog/load.ts'
import { ContentError, refuseField } from '../../src/catalog/problems.ts'
import type { NavigationLink } from '../../src/catalog/schema.ts'
import { categorySlug } from '../../src/catalog/categories.ts'
import type { CategoryRecord } from '../../src/catalog/categories.ts'
import { readHues } from './previews.ts'
import { FONTS, renderTheme } from '../../src/catalog/theme.ts'
import { html } from '../../src/documents/prose/markup.ts'
import type { Html } from '../../src/documents/prose/markup.ts'
import { Markdown } from '../../src/documents/prose/md.ts'
import { PATHS, prosePath } from '../../src/documents/paths.ts'
import { renderHtml } from '../../src/documents/prose/render.ts'
import type { SiteView } from '../../src/documents/site-view.ts'
import { digestText } from './digests.ts'
import type { SiteFile } from './site-files.ts'
import { publicName } from './skill-files.ts'

/** Lists the links of the masthead: those in `site.json`, or else the pages that exist. */
export const listNavigation = ({
  site,
  posts,
  pages,
}: Pick<Catalog, 'site' | 'posts' | 'pages'>): NavigationLink[] => {
  if (site.navigation) return site.navigation
  const hasAbout = pages.some(({ slug }) => prosePath(slug) === PATHS.about)
  return [
    { to: PATHS.skills, label: 'Skills' },
    ...(posts.length > 0 ? [{ to: PATHS.blog, label: 'Blog' }] : []),
    { to: PATHS.docs, label: 'Docs' },
    ...(hasAbout ? [{ to: PATHS.about, label: 'About' }] : []),
  ]
}

const renderFooter = ({ footer, private: isPrivate }: Catalog['site']): Html => {
  if (footer === undefined)
    return isPrivate
      ? html`Private and read-only. No tracking.`
      : html`Public and read-only. No account, no key, no tracking.`
  const line = renderHtml(new Markdown(footer)).html.replace(/^<p(?: [^>]*)?>|<\/p>\s*$/g, '')
  if (!/<(?:h\d|[uo]l|pre|blockquote|hr|p|div)\b/.test(line)) return { html: line }
  const remedy = 'may only have text, links and emphasis; remove headings, lists and HTML'
  throw new ContentError([refuseField('site.json', 'footer', footer, remedy)])
}

type SiteContent = Pick<ReturnType<typeof loadSiteContent>, 'site' | 'pictures'>

/** Renders the hues of a registry's own categories, which repeat the hues of the nine standard categories. */
const renderHues = (categories: readonly CategoryRecord[] = []): string => {
  const hues = readHues()
  return categories
    .map(({ name }, at) => {
      const hue = hues[at % hues.length]
      return `:root [data-hue='${categorySlug(name)}'] { --hue: ${hue}; }\n`
    })
    .join('')
}

/** Returns the values of a site for the layouts, and the files that they need. */
export const viewSite = ({
  site,
  pictures,
}: SiteContent): { view: SiteView; files: SiteFile[] } => {
  const files: SiteFile[] = []
  const place = (name: string, ending: string, text = ''): string | undefined => {
    if (text === '') return undefined
    const path = `/_astro/${name}.${digestText(text).slice(0, 8)}.${ending}`
    files.push({ name: publicName(path), bytes: text })
    return path
  }
  const view = {
    name: site.name,
    footer: renderFooter(site),
    logo: place('logo', 'svg', pictures.logo),
    theme: place('site', 'css', renderTheme(site.theme) + renderHues(site.categories)),
    fonts: FONTS.filter((name) => site.theme?.[name] === undefined),
  }
  return { view, files }
}
