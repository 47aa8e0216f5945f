import node from '@astrojs/node'
import { defineConfig } from 'astro/config'

/** @param {{ name: string }} chunk */
const nameScript = ({ name }) => `_astro/${name.split('.', 1)[0]}.[hash:6].js`

export default defineConfig({
  srcDir: './src',
  output: 'static',
  // Not the folder of our own build, since Astro empties its own.
  outDir: './dist-astro',
  // Our own rules answer every method; Astro's would answer POST before them.
  security: { checkOrigin: false },
  adapter: node({ mode: 'middleware' }),
  // Our own rules answer an address with a slash too many; Astro's would come before them.
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
    // Who may read what is said by our own policies.
    server: { cors: false },
  },
})
