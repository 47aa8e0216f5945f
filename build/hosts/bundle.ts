// Vite, which Astro brings along, bundles with it.
import { rolldown } from 'rolldown'
import type { OutputChunk } from 'rolldown'

/** Imports that are not bundled: modules of Node, and optional ones that none of our hosts uses. */
const EXTERNAL = /^(?:node:|pg-native$|pg-cloudflare$)/

/**
 * Bundles a file with everything it imports: one file, plus one for each dynamic import. `names` says
 * how the files are called.
 */
export const bundle = async (
  input: string,
  {
    name,
    isSplit = false,
    alias = {},
  }: { name: string; isSplit?: boolean; alias?: Record<string, string> },
): Promise<OutputChunk[]> => {
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
    // What a package must say of its licence stays.
    comments: { annotation: false, jsdoc: false },
    codeSplitting: isSplit,
    entryFileNames: name,
    chunkFileNames: '[name].mjs',
  })
  await build.close()
  return output.filter((part) => part.type === 'chunk')
}
