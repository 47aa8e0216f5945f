/** Sizes of a window, in CSS pixels, at which pages are looked at. */
export const VIEWPORTS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 360, height: 740 },
} as const

/** The width of 1280 px at 400 % (WCAG 2.2 1.4.10). */
export const SMALLEST = { width: 320, height: 640 } as const

/** Something that every page of a kind must have, measured in the browser. */
interface Check {
  name: string
  /** Addresses of the pages that it holds for. */
  pages: RegExp
  /** Runs in the page, so it knows nothing of this file; says what is wrong. */
  find: () => string[]
  /** Also holds at 320 px, and where a reader has set all text to 200 % (WCAG 2.2 1.4.4). */
  isForAll?: true
}

const SKILL = /^\/skills\/[^/]+$/
const CATEGORY = /^\/categories\/[^/]+$/

/** A reader decides without a scroll: name, sentence, author and label are in sight; with room, a line’s button. */
const findOutOfSight = (): string[] => {
  const isWide = innerWidth >= 600
  const parts: [string, Element | null | undefined][] = [
    ['name', document.querySelector('h1')],
    ['sentence', document.querySelector('.lead')],
    ['author', document.querySelector('.byline')],
  ]
  // A skill whose text is not here has a notice instead.
  const label = document.querySelector('.label')
  if (label) parts.push(['label', isWide ? label : label.querySelector('dl > div')])
  if (document.querySelector('.command') && isWide)
    parts.push(['Copy', document.querySelector('.way .copy')])
  return parts.flatMap(([name, element]) => {
    if (!element?.checkVisibility()) return [`${name} is not there`]
    const { top, bottom, left, right, height } = element.getBoundingClientRect()
    if (height === 0) return [`${name} is empty`]
    const isInSight = top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth
    return isInSight ? [] : [`${name} ends at ${Math.ceil(bottom)} of ${innerHeight}`]
  })
}

/** The list of a category begins at once: 7 rows on the first screen of a desktop, 3 on a phone's. */
const findFewRows = (): string[] => {
  const rows = Array.from(document.querySelectorAll('[data-part="skills"] .entry'))
  const inSight = rows.filter((row) => {
    const { top, bottom, height } = row.getBoundingClientRect()
    return height > 0 && top >= 0 && bottom <= innerHeight
  })
  const least = Math.min(rows.length, innerWidth < 600 ? 3 : 7)
  return inSight.length < least ? [`${inSight.length} rows in sight of ${rows.length}`] : []
}

/** In a label each value stands beside its key or below it, whole, and names five at most of a kind. */
const findTornLabel = (): string[] =>
  Array.from(document.querySelectorAll('.label dl > div')).flatMap((row) => {
    const [key, value] = [row.querySelector('dt')!, row.querySelector('dd')!]
    const [words, names] = [key, value].map((one) => one.getBoundingClientRect())
    const isApart = words!.right <= names!.left || words!.bottom <= names!.top + 1
    const parts = [
      [!isApart, 'key and value overlap'],
      [value.scrollWidth > value.clientWidth + 1, 'a value is cut'],
      [names!.right > innerWidth || words!.left < 0, 'a row is out of sight'],
      [names!.height === 0, 'a value is empty'],
      [value.querySelectorAll('code').length > 10, 'too many names'],
    ] as const
    return parts.flatMap(([isWrong, what]) => (isWrong ? `${key.textContent}: ${what}` : []))
  })

/** An install line wraps whole, in at most 12 lines; the directories wrap too. */
const findCutLines = (): string[] => {
  const codes = document.querySelectorAll('.line, [data-part="installation-directory"] code')
  return Array.from(codes).flatMap((code) => {
    const range = document.createRange()
    range.selectNodeContents(code)
    const rects = Array.from(range.getClientRects()).filter(({ width }) => width > 0)
    const text = (code.textContent ?? '').trim()
    const rows = new Set(rects.map(({ top }) => Math.round(top))).size
    const problems = rows > 12 ? [`${rows} lines: ${text}`] : []
    const isCut =
      code.scrollWidth > code.clientWidth + 1 && getComputedStyle(code).display !== 'inline'
    if (isCut || rects.some(({ left, right }) => left < 0 || right > innerWidth))
      problems.push(`cut: ${text}`)
    return problems
  })
}

const findSidewaysScroll = (): string[] => {
  const over = document.documentElement.scrollWidth - innerWidth
  return over > 0 ? [`${over} px wider than the window`] : []
}

/** Fields to type in have room for some letters, and no letters of a word stand below each other. */
const findSqueezed = (): string[] => {
  const { fontSize } = getComputedStyle(document.documentElement)
  const em = Number.parseFloat(fontSize)
  const fields = Array.from(document.querySelectorAll('input[type="search"]')).flatMap((field) => {
    const { width } = field.getBoundingClientRect()
    return width < 4 * em ? [`a field of ${Math.round(width)} px`] : []
  })
  const links = Array.from(document.querySelectorAll('main a, h1, h2')).flatMap((words) => {
    const { width, height } = words.getBoundingClientRect()
    const text = words.textContent ?? ''
    const isHidden = getComputedStyle(words).clipPath !== 'none'
    return text.length > 3 && !isHidden && width < 2 * em && height > 4 * em ? [text] : []
  })
  return [...fields, ...links]
}

/** The lines of a file wrap, words of any length too. */
const findWideSource = (): string[] =>
  Array.from(document.querySelectorAll('.source > pre')).flatMap(({ scrollWidth, clientWidth }) =>
    scrollWidth > clientWidth ? [`${scrollWidth} px in ${clientWidth}`] : [],
  )

/** No button lies on code. */
const findCoveredCode = (): string[] =>
  Array.from(document.querySelectorAll('.code')).flatMap((frame) => {
    const button = frame.querySelector('.copy')?.getBoundingClientRect()
    const pre = frame.querySelector('pre')
    if (!button || !pre || button.height === 0) return []
    const range = document.createRange()
    range.selectNodeContents(pre)
    const box = pre.getBoundingClientRect()
    const isCovered = Array.from(range.getClientRects()).some(
      ({ top, bottom, left, right }) =>
        top < button.bottom &&
        bottom > button.top &&
        left < button.right &&
        Math.min(right, box.right) > button.left,
    )
    return isCovered ? [`Copy covers ${(pre.textContent ?? '').slice(0, 60)}`] : []
  })

/** Long texts stand once among the parts; the summary, About, quoted evidence and the choices of a line are no part. */
const findRepeated = (): string[] => {
  // A phone has the same words.
  if (innerWidth < 600) return []
  const LONG = 60
  const quiet = '[data-part="about"], .line, .lead, [data-part="findings"] pre, .contents'
  const seen = new Set<string>()
  const summary = document.querySelector('.lead')?.textContent?.trim() ?? ''
  const blocks = document.querySelectorAll('main :is(p, li, dd, td, pre, h2, h3)')
  return Array.from(blocks).flatMap((block) => {
    if (block.closest(quiet) || block.querySelector('p, li, pre')) return []
    const own = block.cloneNode(true) as Element
    // Two rules may quote one line.
    if (block.closest('[data-part="findings"]'))
      for (const code of own.querySelectorAll('code')) code.remove()
    const texts = (own.textContent ?? '')
      .split(/(?<=[.!?。！？])\s+|\n/)
      .map((text) => text.replace(/\s+/g, ' ').trim())
      .filter((text) => text.length > LONG && !summary.includes(text))
    // A template that has the same line twice is quoted as it is.
    return [...new Set(texts)].flatMap((text) => {
      if (seen.has(text)) return [text]
      seen.add(text)
      return []
    })
  })
}

/** What is looked at, at every size of a window; another look is another row. */
export const CHECKS: readonly Check[] = [
  { name: 'decided in one screen', pages: SKILL, find: findOutOfSight },
  { name: 'the label whole', pages: /^\/(?:skills\/[^/]+)?$/, find: findTornLabel, isForAll: true },
  { name: 'install lines whole', pages: SKILL, find: findCutLines },
  { name: 'no scroll sideways', pages: /^\//, find: findSidewaysScroll, isForAll: true },
  { name: 'nothing squeezed', pages: /^\//, find: findSqueezed, isForAll: true },
  { name: 'lines of a file wrap', pages: /^\/files\//, find: findWideSource, isForAll: true },
  { name: 'no code covered', pages: /^\//, find: findCoveredCode, isForAll: true },
  { name: 'rows at once', pages: CATEGORY, find: findFewRows },
  { name: 'nothing said twice', pages: SKILL, find: findRepeated },
]
