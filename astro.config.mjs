import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

/** @param {{ name: string }} chunk */
const nameScript = ({ name }) => `_astro/${name.split('.', 1)[0]}.[hash:6].js`

/** @param {string} path */
const inProject = (path) => fileURLToPath(new URL(path, import.meta.url))

/**
 * Runs `npm run build`, which prints what is wrong, and tells whether it succeeded.
 *
 * @param {string[]} options
 */
const buildSite = async (...options) => {
  const args = [inProject('build/site/main.mjs'), ...options]
  const build = spawn(process.execPath, args, { stdio: 'inherit' })
  const [code] = await once(build, 'exit')
  return code === 0
}

let building = Promise.resolve(true)
let isPlanned = false

/** Builds once more after the build that runs now; further changes until then are in it. */
const planBuild = () => {
  if (isPlanned) return
  isPlanned = true
  building = building.then(() => {
    isPlanned = false
    return buildSite('--trial')
  })
}

/** What a build shows: other code is loaded by Vite. */
const WATCHED = [
  resolve(process.env.CONTENT_DIR || 'content'),
  inProject('src'),
  inProject('build/site'),
]

/**
 * `astro build` makes the whole site, and `astro dev` makes it again when a file changes. Both answer from it, by the
 * route `[...path]`.
 * @type {import('astro').AstroIntegration}
 */
const registry = {
  name: 'registry',
  hooks: {
    'astro:config:setup': ({ command }) => {
      // As in `npm run dev`: the addresses in `dist` are those of the site, not of this server.
      if (command === 'dev') process.env.OUT_DIR ||= resolve('node_modules/.cache/registry-dev')
    },
    'astro:server:setup': ({ server }) => {
      server.watcher.add(WATCHED)
      server.watcher.on('all', (_, path) => {
        if (WATCHED.some((folder) => path.startsWith(folder + sep))) planBuild()
      })
    },
    'astro:server:start': ({ address }) => {
      process.env.SITE_URL ||= `http://localhost:${address.port}`
      planBuild()
    },
    'astro:build:done': async ({ dir }) => {
      // The server looks for a file before it asks the route, and layouts are no pages.
      rmSync(new URL('templates', dir), { recursive: true })
      if (!(await buildSite())) throw new Error('The site was not built.')
    },
  },
}

export default defineConfig({
  srcDir: './src',
  output: 'static',
  // Not the folder of our own build, since Astro empties its own.
  outDir: './dist-astro',
  // Our own rules answer every method; Astro's would answer POST before them.
  security: { checkOrigin: false },
  adapter: node({ mode: 'standalone' }),
  // The build has the layouts rendered by Astro, which must not begin another build.
  integrations: process.env.LAYOUTS_ONLY ? [] : [registry],
  session: false,
  // Or else Astro serves pictures there.
  image: { endpoint: { route: '/_image', entrypoint: './src/pages/[...path].ts' } },
  // Our own rules answer an address that ends in a slash; Astro's would come before them.
  trailingSlash: 'ignore',
  // The toolbar is not ours; Astro switches it on by itself.
  devToolbar: { enabled: false },
  build: { format: 'file', inlineStylesheets: 'never' },
  vite: {
    // Small scripts would be inlined, which the content security policy forbids.
    build: { assetsInlineLimit: 0 },
    // The component's name alone: with Astro's own suffix, names take 200 bytes of each page.
    environments: {
      client: { build: { rollupOptions: { output: { entryFileNames: nameScript } } } },
    },
    // Our own policies set CORS.
    server: { cors: false },
  },
})
