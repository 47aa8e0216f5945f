import type { DocumentKind } from './document.ts'
import type { PageView } from './view.ts'

/** What a layout knows beside its page. */
export interface SiteView {
  name: string
  tagline: string
  /** Pages named in the masthead of every page; only ones that exist. */
  navigation: readonly { path: string; label: string }[]
}

/** What the module `virtual:registry` gives to the pages of `src/pages`. */
export interface RegistryModule {
  site: () => SiteView
  /** The paths of a kind's route, such as `/skills/[slug]`, for Astro's getStaticPaths. */
  pathsOf: (kind: DocumentKind, route: string) => { params: Record<string, string> }[]
  viewAt: (path: string) => PageView
}
