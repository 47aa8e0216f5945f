import { gzipSync } from 'node:zlib'
// Vite, which Astro brings along, bundles with it.
import { rolldown } from 'rolldown'
import type { OutputChunk } from 'rolldown'

/** What a bundle may leave to its platform: modules of Node, and what no host of ours uses. */
const EXTERNAL = /^(?:node:|pg-native$|pg-cloudflare$)/

/**
 * Bundles a file of ours with all it loads: one file, or one more for each part that is loaded on demand. `names` says
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
    // A dependency of a dependency that looks for its own file is of no interest to an operator.
    logLevel: 'silent',
  })
  const { output } = await build.generate({
    format: 'esm',
    minify: true,
    codeSplitting: isSplit,
    entryFileNames: name,
    chunkFileNames: '[name].mjs',
  })
  await build.close()
  return output.filter((part) => part.type === 'chunk')
}

/** Size of a bundle as it is sent to a platform that compresses it. */
export const sizeOf = (chunks: readonly OutputChunk[]): number =>
  chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0)
