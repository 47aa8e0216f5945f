/** The styles that `look` in `site.json` overrides. */
declare module 'virtual:look.css'

declare module 'virtual:registry' {
  type Registry = import('./documents/view.ts').RegistryModule

  export const site: Registry['site']
  export const pathsOf: Registry['pathsOf']
  export const viewAt: Registry['viewAt']
}
