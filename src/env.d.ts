/** The styles that `look` in `site.json` overrides. */
declare module 'virtual:look.css'

/** What every layout shows of the site. */
declare module 'virtual:registry' {
  export const site: import('./documents/view.ts').SiteView
}
