import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { OutputChunk } from 'rolldown'
import { PROJECT_ROOT } from '../site/settings.ts'

/** Imports that are not bundled: Node's modules, and optional modules that our hosts do not use. */
const EXTERNAL = /^(?:node:|pg-native$|pg-cloudflare$)/

interface BundleOptions {
  name: string
  alias?: Record<string, string>
}

/** Bundles a file and everything it imports into one file called `name`. */
export const bundle = async (
  input: string,
  { name, alias = {} }: BundleOptions,
): Promise<OutputChunk[]> => {
  // Rolldown comes with Astro's Vite; an installed package has neither.
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    input,
    platform: 'node',
    resolve: { alias },
    external: (module) => !Object.hasOwn(alias, module) && EXTERNAL.test(module),
    // Operators need no warning about a transitive dependency that looks for its own file.
    logLevel: 'silent',
  })
  const { output } = await build.generate({
    format: 'esm',
    minify: true,
    // Keep licence comments.
    comments: { annotation: false, jsdoc: false },
    codeSplitting: false,
    entryFileNames: name,
  })
  await build.close()
  return output.filter((part) => part.type === 'chunk')
}

const SHIM = join(PROJECT_ROOT, 'functions/hosts/browser.ts')

/** The code of each host: its file in `functions/hosts`, and options for the bundle. */
const HOST_CODE = {
  cloudflare: ['cloudflare.ts', { name: 'worker.mjs' }],
  static: [
    'static.ts',
    { name: 'search-here.js', alias: { 'node:crypto': SHIM, 'node:zlib': SHIM } },
  ],
} satisfies Record<string, [string, BundleOptions]>

type HostName = keyof typeof HOST_CODE
export const HOST_NAMES = Object.keys(HOST_CODE) as HostName[]

/** Bundles the code of a host. An installed package already has the bundle, in `hosts`. */
export const bundleHost = async (
  host: HostName,
): Promise<Pick<OutputChunk, 'fileName' | 'code'>[]> => {
  const packed = join(PROJECT_ROOT, 'hosts', host)
  if (existsSync(packed))
    return readdirSync(packed).map((fileName) => ({
      fileName,
      code: readFileSync(join(packed, fileName), 'utf8'),
    }))
  const [input, options] = HOST_CODE[host]
  return bundle(join(PROJECT_ROOT, 'functions/hosts', input), options)
}
