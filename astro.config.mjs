import node from '@astrojs/node'
import { defineConfig } from 'astro/config'


export default defineConfig({
  srcDir: './src',
  publicDir: './src/public',
  output: 'static',
  adapter: node({ mode: 'middleware' }),

  trailingSlash: 'never',
  // Sessions and the toolbar are not ours; the adapter and Astro switch them on by themselves.
  session: undefined,
  devToolbar: { enabled: false },
  build: { format: 'file', inlineStylesheets: 'never' },
  // Small scripts would be inlined, which the content security policy forbids.
  vite: { build: { assetsInlineLimit: 0 } },
})
