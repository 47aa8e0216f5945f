/**
 * Walks ten tasks over the corpus, with JavaScript and without: `npm run test:tasks -- --corpus <content folder>`,
 * or `--origin <address>` of a server that runs.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openBrowser } from '../browser.ts'
import { startSite } from '../site.ts'
import { walkTasks } from './tasks.ts'

const { values } = parseArgs({
  options: { corpus: { type: 'string', default: 'content' }, origin: { type: 'string' } },
})
const site =
  values.origin === undefined
    ? await startSite({ CONTENT_DIR: resolve(values.corpus) })
    : { origin: values.origin, stop: async () => {} }
const { browser, close } = await openBrowser()
try {
  for (const hasScripts of [true, false]) {
    console.log(`\n${hasScripts ? 'With' : 'Without'} JavaScript\n`)
    console.log('| task | found | clicks | keys | wrong turns | mended | safety |')
    console.log('| --- | --- | --- | --- | --- | --- | --- |')
    for (const walk of await walkTasks(browser, site.origin, hasScripts)) {
      const { need, found = 'nothing', clicks, keys, wrongTurns, mended, safety, installs } = walk
      const cells = [need, found, clicks, keys, wrongTurns, mended, safety]
      console.log(`| ${cells.join(' | ')} |`)
      if (!installs) process.exitCode = 1
      if (!installs && walk.found) console.log(`\nnot installed: ${need}`)
    }
  }
} finally {
  await close()
  await site.stop()
}
