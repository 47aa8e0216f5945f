/** Looks at every skill of a catalog, and types searches: `npm run test:look -- --corpus <content folder>`. */
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openBrowser } from '../browser.ts'
import { startSite } from '../site.ts'
import { CHECKS } from './checks.ts'
import { timeKeys } from './keys.ts'
import { lookAt } from './look.ts'

const { values } = parseArgs({ options: { corpus: { type: 'string', default: 'content' } } })
const corpus = resolve(values.corpus)
const site = await startSite({ CONTENT_DIR: corpus })
const { browser, close } = await openBrowser()
try {
  const slugs = readdirSync(join(corpus, 'skills')).sort()
  const paths: string[] = []
  for (const slug of slugs) {
    const { ok } = await fetch(`${site.origin}/skills/${slug}`, { method: 'HEAD' })
    if (ok) paths.push(`/skills/${slug}`)
  }
  const list = await (await fetch(`${site.origin}/categories`)).text()
  for (const [, path] of list.matchAll(/<a href="(\/categories\/[^"/]+)"/g))
    if (path) paths.push(path)
  let looked = 0
  const sights = await lookAt(browser, site.origin, paths, () => {
    looked += 1
    if (looked % 200 === 0) console.error(`${looked} of ${2 * paths.length} looks`)
  })
  for (const { check, viewport, path, problems } of sights)
    console.log(`${check}, ${viewport}: ${path}: ${problems.join('; ')}`)
  console.log(`\n${paths.length} pages of ${corpus}`)
  for (const { name, pages, viewports } of CHECKS)
    for (const viewport of viewports) {
      const bad = sights.filter((sight) => sight.check === name && sight.viewport === viewport)
      const all = paths.filter((path) => pages.test(path)).length
      console.log(`${name}, ${viewport}: ${all - bad.length} of ${all}`)
    }
  const times = (await timeKeys(browser, site.origin)).toSorted((a, b) => a - b)
  const [middle, slow] = [0.5, 0.95].map((part) =>
    Math.round(times[Math.floor(part * times.length)] ?? 0),
  )
  console.log(`${times.length} keys to the frame with their results: ${middle} ms, p95 ${slow} ms`)
  process.exitCode = sights.length > 0 ? 1 : 0
} finally {
  await close()
  await site.stop()
}
