// Marks in the table of contents the section that is in view.
const links = [...document.querySelectorAll<HTMLAnchorElement>('.contents a')]
const byTarget = new Map(
  links.flatMap((link) => {
    const target = document.getElementById(decodeURIComponent(link.hash.slice(1)))
    return target ? [[target, link] as const] : []
  }),
)
const passed = new Set<Element>()

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, boundingClientRect, rootBounds } of entries)
      passed[boundingClientRect.top < rootBounds!.bottom ? 'add' : 'delete'](target)
    const current = [...byTarget].findLast(([target]) => passed.has(target)) ?? [...byTarget][0]
    for (const link of links) link.ariaCurrent = link === current?.[1] ? 'true' : null
  },
  // The section that has reached the upper third of the window is the current one.
  { rootMargin: '0px 0px -66%' },
)
for (const target of byTarget.keys()) observer.observe(target)
