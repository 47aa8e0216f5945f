declare module 'virtual:registry' {
  import type { RegistryModule } from './documents/registry-module.ts'

  export const site: RegistryModule['site']
  export const pathsOf: RegistryModule['pathsOf']
  export const viewAt: RegistryModule['viewAt']
}
