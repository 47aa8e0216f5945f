/** Window sizes for the checks, in CSS pixels. */
export const VIEWPORTS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 360, height: 740 },
} as const

/** A width of 1280 px at 400 % zoom (WCAG 2.2 1.4.10). */
export const SMALLEST = { width: 320, height: 640 } as const

/** A property that every page of a kind must have, measured in the browser. */
interface Check {
  name: string
  /** The addresses of the pages to check. */
  pages: RegExp
  /** Lists what is wrong. Runs in the page, so it cannot use other values of this file. */
  find: () => string[]
  /** Whether to also check at 320 px, and with a text size of 200 % (WCAG 2.2 1.4.4). */
  isForAll?: true
}

const SKILL = /^\/skills\/[^/]+$/
const LIST = /^\/(?:skills|skills\?q=\w+|categories\/[^/]+)$/

/** The first screen shows name, summary, author and an install line's Copy button and, on a wide screen, the label. */
const findOutOfSight = (): string[] => {
  const isWide = innerWidth >= 600
  const parts: [string, Element | null | undefined][] = [
    ['name', document.querySelector('h1')],
    ['summary', document.querySelector('.lead')],
    ['author', document.querySelector('.byline')],
  ]
  // A listed-only skill has a notice instead.
  const label = document.querySelector('.label')
  if (label && isWide) parts.push(['label', label.querySelector('dl > div')])
  // A notice with findings is read before the line is copied.
  if (document.querySelector('.way') && !document.querySelector('#findings') && isWide)
    parts.push(['Copy', document.querySelector('.way .copy')])
  return parts.flatMap(([name, element]) => {
    if (!element?.checkVisibility()) return [`${name} is missing`]
    const { top, bottom, left, right, height } = element.getBoundingClientRect()
    if (height === 0) return [`${name} is empty`]
    const isInSight = top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth
    return isInSight ? [] : [`${name} ends at ${Math.ceil(bottom)} of ${innerHeight}`]
  })
}

/** The first screen of a list shows 7 rows, or 3 on a phone. */
const findFewRows = (): string[] => {
  const rows = Array.from(document.querySelectorAll('[data-part="skills"] .entry, #results .entry'))
  const inSight = rows.filter((row) => {
    const { top, bottom, height } = row.getBoundingClientRect()
    return height > 0 && top >= 0 && bottom <= innerHeight
  })
  const least = Math.min(rows.length, innerWidth < 600 ? 3 : 7)
  return inSight.length < least ? [`${inSight.length} rows in sight of ${rows.length}`] : []
}

/** On a wide screen, the name and the description in a row have the same baseline, unless the name is above it. */
const findApart = (): string[] => {
  const rows = Array.from(
    document.querySelectorAll('[data-part="all-skills"] .entry'),
    (entry) => ({
      name: entry.querySelector('.who > a')?.textContent ?? '',
      cells: ['.who > a', '.what > p'].flatMap((cell) => entry.querySelector(cell) ?? []),
    }),
  ).filter(({ name }) => innerWidth >= 600 && name.length <= 40)
  // All probes are there before the first is measured, so that the page is laid out once.
  const probes = rows.map(({ cells }) =>
    cells.map((cell) => {
      const probe = document.createElement('span')
      probe.style.cssText = 'display: inline-block; width: 0; height: 0'
      cell.prepend(probe)
      return probe
    }),
  )
  const bottoms = probes.map((all) => all.map((probe) => probe.getBoundingClientRect().bottom))
  for (const probe of probes.flat()) probe.remove()
  return rows.flatMap(({ name }, at) => {
    const apart = Math.max(...bottoms[at]!) - Math.min(...bottoms[at]!)
    return apart > 0.5 ? [`${name}: ${apart} px`] : []
  })
}

/** Every page has the masthead's height, one search field, and a button in each form. */
const findUncommon = (): string[] => {
  const { height } = document.querySelector('.masthead')!.getBoundingClientRect()
  const searches = document.querySelectorAll('input[type="search"]').length
  const forms = document.querySelectorAll('form:not(:has(button[type="submit"]))').length
  const parts = [
    [height !== 61, `a masthead of ${height} px`],
    [searches !== 1, `${searches} search fields`],
    [forms > 0, `${forms} forms without a button`],
  ] as const
  return parts.flatMap(([isWrong, what]) => (isWrong ? what : []))
}

/** Each value of a label is complete, and beside or below its key. */
const findBadLabel = (): string[] =>
  Array.from(document.querySelectorAll('.label dl > div')).flatMap((row) => {
    const [key, value] = [row.querySelector('dt')!, row.querySelector('dd')!]
    const [words, names] = [key, value].map((one) => one.getBoundingClientRect())
    const isApart = words!.right <= names!.left || words!.bottom <= names!.top + 1
    const parts = [
      [!isApart, 'key and value overlap'],
      [value.scrollWidth > value.clientWidth + 1, 'a value is cut off'],
      [names!.right > innerWidth || words!.left < 0, 'a row is out of sight'],
      [names!.height === 0, 'a value is empty'],
    ] as const
    return parts.flatMap(([isWrong, what]) => (isWrong ? `${key.textContent}: ${what}` : []))
  })

/** The lines of the install box wrap and are complete, in at most 12 rows. */
const findCutLines = (): string[] => {
  const codes = document.querySelectorAll('.line')
  return Array.from(codes).flatMap((code) => {
    const range = document.createRange()
    range.selectNodeContents(code)
    const rects = Array.from(range.getClientRects()).filter(({ width }) => width > 0)
    const text = (code.textContent ?? '').trim()
    const rows = new Set(rects.map(({ top }) => Math.round(top))).size
    const problems = rows > 12 ? [`${rows} rows: ${text}`] : []
    const isCut =
      code.scrollWidth > code.clientWidth + 1 && getComputedStyle(code).display !== 'inline'
    if (isCut || rects.some(({ left, right }) => left < 0 || right > innerWidth))
      problems.push(`cut off: ${text}`)
    return problems
  })
}

const findSidewaysScroll = (): string[] => {
  const over = document.documentElement.scrollWidth - innerWidth
  return over > 0 ? [`${over} px wider than the window`] : []
}

/** Search fields are wide enough to type in, and no word is broken into a column of letters. */
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

/** The lines of a file wrap, even in long words. */
const findWideSource = (): string[] =>
  Array.from(document.querySelectorAll('.source > pre')).flatMap(({ scrollWidth, clientWidth }) =>
    scrollWidth > clientWidth ? [`${scrollWidth} px in ${clientWidth}`] : [],
  )

/** No button covers code. */
const findCoveredCode = (): string[] =>
  Array.from(document.querySelectorAll('.code')).flatMap((frame) => {
    const button = frame.querySelector('.copy')?.getBoundingClientRect()
    const pre = frame.querySelector('pre')
    const isShown = frame.querySelector('.copy')?.checkVisibility({ opacityProperty: true })
    if (!button || !pre || !isShown) return []
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

/** No long text appears twice, except in the head, About, quoted evidence and install lines. */
const findRepeated = (): string[] => {
  // The text is the same on a phone.
  if (innerWidth < 600) return []
  const LONG = 60
  const quiet = '[data-part="about"], .line, .heading, .label, .notice pre, .contents'
  const seen = new Set<string>()
  const summary = document.querySelector('.lead')?.textContent?.trim() ?? ''
  const blocks = document.querySelectorAll('main :is(p, li, dd, td, pre, h2, h3)')
  return Array.from(blocks).flatMap((block) => {
    if (block.closest(quiet) || block.querySelector('p, li, pre')) return []
    const own = block.cloneNode(true) as Element
    // Two rules can quote the same line.
    for (const code of block.closest('.notice') ? own.querySelectorAll('pre') : []) code.remove()
    const texts = (own.textContent ?? '')
      .split(/(?<=[.!?。！？])\s+|\n/)
      .map((text) => text.replace(/\s+/g, ' ').trim())
      .filter((text) => text.length > LONG && !summary.includes(text))
    // A block can quote a template that has the same line twice.
    return [...new Set(texts)].flatMap((text) => {
      if (seen.has(text)) return [text]
      seen.add(text)
      return []
    })
  })
}

/** Links and controls are at least 24 px high and wide, unless they are in a sentence (WCAG 2.2 2.5.8). */
const findSmallTargets = (): string[] =>
  Array.from(document.querySelectorAll('a[href], button, select, summary, input')).flatMap(
    (one) => {
      const target = one.closest('label') ?? one
      const { width, height } = target.getBoundingClientRect()
      const isShown =
        target.checkVisibility({ visibilityProperty: true }) && width > 1 && !one.closest('.hidden')
      const text = target.textContent ?? ''
      const isInText =
        getComputedStyle(target).display === 'inline' &&
        target.closest('p, li, dd, td, th, h1, h2, h3')?.textContent?.trim() !== text.trim()
      return isShown && !isInText && Math.min(width, height) < 24
        ? [`${Math.round(width)} x ${Math.round(height)} px: ${text.slice(0, 30)}`]
        : []
    },
  )

/** The checks, made at every window size. */
export const CHECKS: readonly Check[] = [
  { name: 'essentials on the first screen', pages: SKILL, find: findOutOfSight },
  { name: 'complete label', pages: /^\/(?:skills\/[^/]+)?$/, find: findBadLabel, isForAll: true },
  { name: 'complete install lines', pages: SKILL, find: findCutLines },
  { name: 'no horizontal scrolling', pages: /^\//, find: findSidewaysScroll, isForAll: true },
  { name: 'nothing squeezed', pages: /^\//, find: findSqueezed, isForAll: true },
  { name: 'lines of a file wrap', pages: /^\/files\//, find: findWideSource, isForAll: true },
  { name: 'no code covered', pages: /^\//, find: findCoveredCode, isForAll: true },
  { name: 'targets of 24 px', pages: /^\//, find: findSmallTargets, isForAll: true },
  { name: 'rows on the first screen', pages: LIST, find: findFewRows },
  { name: 'one baseline', pages: /^\/skills$/, find: findApart },
  { name: 'common layout', pages: /^\//, find: findUncommon },
  { name: 'no repeated text', pages: SKILL, find: findRepeated },
]
