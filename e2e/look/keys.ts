import type { Browser, Page } from 'playwright'

/** Typed letter by letter: 100 keys, a misspelt word and a name among them. */
const QUERIES = [
  'deploykubernetes',
  'cleanmessycsv',
  'securityreview',
  'releasenotes',
  'pdf-to-markdown',
  'kubernets',
  'testing',
  'postgres',
  'meeting',
]

/** Pause between an answer and the next key, in milliseconds. */
const PAUSE = 60

declare global {
  interface Window {
    /** When the last key was pressed, and the milliseconds from each key to the frame with its answer. */
    keyTimes: { pressed: number; all: number[] }
  }
}

/** Notes on a page how long each key takes. */
const watchKeys = (): void => {
  const times: Window['keyTimes'] = { pressed: 0, all: [] }
  window.keyTimes = times
  const input = document.querySelector<HTMLInputElement>('#q')!
  const results = document.querySelector('#results')!
  input.addEventListener('keydown', ({ timeStamp }) => (times.pressed = timeStamp))
  new MutationObserver(() => {
    const words = results.querySelector('.text')?.textContent ?? ''
    const isAnswer = words.includes(`“${input.value}”`)
    if (times.pressed === 0 || results.ariaBusy === 'true' || !isAnswer) return
    const { pressed } = times
    times.pressed = 0
    // What is queued in a frame runs when it is painted.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => times.all.push(performance.now() - pressed))
      port1.start()
      port2.postMessage('')
    })
  }).observe(results, { attributes: true, childList: true })
}

const countTimes = (page: Page): Promise<number> => page.evaluate(() => window.keyTimes.all.length)

/** Types queries on the page of the search: milliseconds from each key to the frame that shows what it finds. */
export const timeKeys = async (browser: Browser, origin: string): Promise<number[]> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(`${origin}/skills`)
  await page.evaluate(watchKeys)
  for (const query of QUERIES) {
    await page.locator('#q').fill('')
    for (const letter of query) {
      const before = await countTimes(page)
      await page.waitForTimeout(PAUSE)
      await page.keyboard.press(letter)
      await page.waitForFunction((count) => window.keyTimes.all.length > count, before)
    }
  }
  const times = await page.evaluate(() => window.keyTimes.all)
  await page.close()
  return times
}
