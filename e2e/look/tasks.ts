import type { Browser, Page } from 'playwright'
import { VIEWPORTS } from './checks.ts'

/** "Find one for X, say whether you trust it, install it", over the 1,080 skills of the corpus. */
interface Task {
  need: string
  /** What a person types; `tells` is what makes them open a row when they read it. */
  words: string
  tells: RegExp
  /** Slugs that answer the need; another one is a wrong turn. */
  answers: readonly string[]
  /** That of the answers: where a person looks who finds none by words. */
  category: string
  client?: string
  place?: string
  /** What the line must install into. */
  directory?: string
}

const TASKS: readonly Task[] = [
  {
    need: 'a slow query of Postgres',
    words: 'postgres query is slow',
    tells: /(?:postgres|sql).*(?:performance|optimi[sz]|slow)/i,
    answers: [
      'postgresql-optimization',
      'sql-optimization',
      'supabase-postgres-best-practices',
      'sql-optimization-patterns',
    ],
    category: 'data-and-analytics',
  },
  {
    need: 'manifests for Kubernetes, misspelt',
    words: 'kuberntes manifests',
    tells: /manifests/i,
    answers: ['k8s-manifest-generator', 'helm-chart-scaffolding'],
    category: 'coding',
  },
  {
    need: 'a review of a resume, for Codex',
    words: 'review my resume',
    tells: /resume review|review-resume/i,
    answers: ['review-resume'],
    category: 'writing',
    client: 'Codex',
    directory: '.agents/skills',
  },
  {
    need: 'PDF to Markdown',
    words: 'pdf to markdown',
    tells: /pdf.*markdown|pdf-to-md/i,
    answers: ['convert-pdf-to-md', 'markitdown', 'file-conversion'],
    category: 'productivity',
  },
  {
    need: 'a GIF for Slack, in every project',
    words: 'animated gif for slack',
    tells: /gifs?.*slack|slack-gif/i,
    answers: ['slack-gif-creator'],
    category: 'design',
    place: 'Every project',
    directory: '~/.claude/skills',
  },
  {
    need: 'mail that lands in spam',
    words: 'stop emails from landing in spam',
    tells: /spam/i,
    answers: ['email-best-practices'],
    category: 'coding',
  },
  {
    need: 'a description of a pull request, for Cursor',
    words: 'pull request description',
    tells: /\b(?:pr|pull request)s?\b.*descri|pr-writer/i,
    answers: ['pr-writer'],
    category: 'writing',
    client: 'Cursor',
    directory: '.agents/skills',
  },
  {
    need: 'a model of threats',
    words: 'threat modeling',
    tells: /threat.model/i,
    answers: [
      'threat-model-analyst',
      'tm7-threat-model',
      'attack-tree-construction',
      'stride-analysis-patterns',
      'threat-mitigation-mapping',
    ],
    category: 'security',
  },
  {
    need: 'a scan of skills, for OpenCode',
    words: 'which agent skills are malicious',
    tells: /scan.*skills|skill-scanner/i,
    answers: ['skill-scanner'],
    category: 'security',
    client: 'OpenCode',
    directory: '.agents/skills',
  },
  {
    need: 'a non-disclosure agreement',
    words: 'non disclosure agreement',
    tells: /non-disclosure|nda\b/i,
    answers: ['draft-nda'],
    category: 'writing',
  },
]

/** What a task took; a line mended by hand also counts its keys. */
export interface Walk {
  need: string
  found: string | undefined
  clicks: number
  keys: number
  wrongTurns: number
  mended: number
  /** What was said of safety, and whether what was copied installs where it should. */
  safety: string
  installs: boolean
}

/** Milliseconds that a page gets after a key. */
const SETTLE = 150
/** Screens of results that a person reads before they look elsewhere. */
const PATIENCE = 3

class Reader {
  readonly #page: Page
  readonly #task: Task
  readonly #tried = new Set<string>()
  readonly walk: Walk

  constructor(page: Page, task: Task) {
    this.#page = page
    this.#task = task
    const nothing = { clicks: 0, keys: 0, wrongTurns: 0, mended: 0, safety: '', installs: false }
    this.walk = { need: task.need, found: undefined, ...nothing }
  }

  async #click(selector: string, count = 1): Promise<void> {
    const target = this.#page.locator(selector).filter({ visible: true }).first()
    await target.click({ clickCount: count })
    this.walk.clicks += count
    await this.#page.waitForLoadState()
    await this.#page.waitForTimeout(SETTLE)
  }

  async #press(key: string): Promise<void> {
    await this.#page.keyboard.press(key)
    this.walk.keys += 1
    await this.#page.waitForTimeout(SETTLE)
    await this.#page.waitForLoadState()
  }

  /** The number of the first row in sight that seems to answer. */
  async #read(rows: string): Promise<number> {
    const texts = await this.#page.evaluate(
      (selector) =>
        Array.from(document.querySelectorAll<HTMLElement>(selector)).map((row) => {
          const { top, height } = row.getBoundingClientRect()
          const isSeen = height > 0 && top >= 0 && top + height / 2 <= innerHeight
          const path = row.dataset['path'] ?? row.querySelector('a')?.getAttribute('href') ?? ''
          return { path, text: isSeen ? row.innerText : '' }
        }),
      rows,
    )
    return texts.findIndex(
      ({ path, text }) =>
        /^\/skills\/[^/?]+$/.test(path) &&
        !this.#tried.has(path) &&
        this.#task.tells.test(text.replaceAll('\n', ' ')),
    )
  }

  /** Opens a row, and goes back where it is no answer. */
  async #open(rows: string, at: number): Promise<boolean> {
    const before = this.#page.url()
    const row = this.#page.locator(rows).nth(at)
    const link = row.locator('a')
    await ((await link.count()) > 0 ? link.first() : row).click()
    this.walk.clicks += 1
    await this.#page.waitForURL((url) => url.href !== before)
    const { pathname } = new URL(this.#page.url())
    const slug = pathname.replace('/skills/', '')
    if (this.#task.answers.includes(slug)) {
      this.walk.found = slug
      return true
    }
    this.#tried.add(pathname)
    this.walk.wrongTurns += 1
    await this.#press('Alt+ArrowLeft')
    if (this.#page.url() !== before) await this.#page.goto(before)
    return false
  }

  async #pageDown(): Promise<boolean> {
    const before = await this.#page.evaluate(() => scrollY)
    await this.#press('PageDown')
    await this.#page.waitForTimeout(SETTLE)
    return (await this.#page.evaluate(() => scrollY)) > before
  }

  async #readDown(screens: number): Promise<boolean> {
    for (let screen = 0; screen < screens;) {
      const at = await this.#read('.entry')
      if (at >= 0) {
        if (await this.#open('.entry', at)) return true
        continue
      }
      screen += 1
      if (screen < screens && !(await this.#pageDown())) return false
    }
    return false
  }

  /** Types until something offered seems to answer; then, or behind Enter, opens it. */
  async #search(): Promise<boolean> {
    await this.#click('main input[type="search"]')
    for (const letter of this.#task.words) {
      await this.#press(letter)
      const at = await this.#read('.offers li')
      if (at < 0) continue
      if (await this.#open('.offers li', at)) return true
      await this.#click('main input[type="search"]')
      await this.#page.keyboard.press('End')
    }
    await this.#press('Enter')
    return this.#readDown(PATIENCE)
  }

  async #browse(): Promise<boolean> {
    this.walk.wrongTurns += 1
    await this.#click('.masthead a[href="/"], header a[href="/"]')
    await this.#click(`a[href="/categories/${this.#task.category}"]`)
    for (;;) {
      if (await this.#readDown(Infinity)) return true
      if ((await this.#page.locator('.pager a[rel="next"]').count()) === 0) return false
      await this.#click('.pager a[rel="next"]')
    }
  }

  /** Scrolls until what a selector shows has been in sight. */
  async #seek(selector: string, text?: RegExp): Promise<void> {
    const target = this.#page.locator(selector, text ? { hasText: text } : {})
    for (let screen = 0; screen < 9; screen += 1) {
      const box = await target.filter({ visible: true }).first().boundingBox()
      if (box && box.y >= 0 && box.y + box.height <= VIEWPORTS.desktop.height) return
      await this.#pageDown()
    }
  }

  async #judge(): Promise<void> {
    for (const fact of [/^Author/, /^Licence/, /^Safety/]) await this.#seek('.facts div', fact)
    const safety = this.#page.locator('.facts div', { hasText: /^Safety/ }).locator('dd')
    this.walk.safety = (await safety.first().innerText()).trim()
  }

  async #install(hasScripts: boolean): Promise<void> {
    const { client, place, directory = '.claude/skills' } = this.#task
    const line = '.line, [data-part="install"] pre code'
    const hasChoices = (await this.#page.locator('.choices').count()) > 0
    await this.#seek(line)
    for (const choice of hasChoices ? [client, place] : [])
      if (choice !== undefined) await this.#click(`.choices label:has-text("${choice}")`)
    if (hasScripts) await this.#click('[data-part="install"] .copy')
    else await this.#click(line, 3)
    if (!hasScripts) await this.#press('Control+C')
    let copied = await this.#page.evaluate(
      (isCopied) =>
        isCopied ? navigator.clipboard.readText() : (getSelection()?.toString() ?? ''),
      hasScripts,
    )
    if (!hasChoices && directory !== '.claude/skills') {
      await this.#seek('[data-part="installation-directory"] code')
      const parts = copied.split('.claude/skills')
      this.walk.mended = 1
      this.walk.keys += (parts.length - 1) * directory.length
      copied = parts.join(directory)
    }
    this.walk.installs = copied.includes(`${directory}/${this.walk.found}`)
  }

  async read(origin: string, hasScripts: boolean): Promise<Walk> {
    await this.#page.goto(origin)
    if (!(await this.#search()) && !(await this.#browse())) return this.walk
    await this.#judge()
    await this.#install(hasScripts)
    return this.walk
  }
}

/** Walks the tasks as a person would who reads what is in sight, and counts what they do. */
export const walkTasks = async (
  browser: Browser,
  origin: string,
  hasScripts: boolean,
): Promise<Walk[]> => {
  const walks: Walk[] = []
  for (const task of TASKS) {
    const page = await browser.newPage({
      viewport: VIEWPORTS.desktop,
      javaScriptEnabled: hasScripts,
      permissions: hasScripts ? ['clipboard-read', 'clipboard-write'] : [],
    })
    walks.push(await new Reader(page, task).read(origin, hasScripts))
    await page.close()
  }
  return walks
}
