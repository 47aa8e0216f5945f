const contents = document.querySelector<HTMLElement>('.contents')

/** Brings a link into sight inside the list alone: `scrollIntoView` would move the page too. */
const showLink = (list: HTMLElement, link: HTMLElement): void => {
  const top = link.offsetTop - list.offsetTop
  if (top < list.scrollTop || top + link.offsetHeight > list.scrollTop + list.clientHeight)
    list.scrollTop = top - list.clientHeight / 3
}

/** Marks the link of the last heading in the uppermost tenth of the window, or above. */
const follow = (nav: HTMLElement): void => {
  const links = new Map<Element, HTMLElement>()
  for (const link of nav.querySelectorAll<HTMLElement>('li > a')) {
    const heading = document.getElementById(link.getAttribute('href')!.slice(1))
    if (heading) links.set(heading, link)
  }
  let current: HTMLElement | undefined
  const mark = (): void => {
    const line = innerHeight / 10
    const heading = [...links.keys()].findLast(
      (one) => one.checkVisibility() && one.getBoundingClientRect().top < line,
    )
    const link = heading && links.get(heading)
    if (link === current) return
    current?.removeAttribute('aria-current')
    link?.setAttribute('aria-current', 'true')
    if (link) showLink(nav, link)
    current = link
  }
  const observer = new IntersectionObserver(mark, { rootMargin: '0px 0px -90% 0px' })
  for (const heading of links.keys()) observer.observe(heading)
}

/** What a fold hides is shown where the address leads into it. */
const unfoldTarget = (): void => {
  const target = document.querySelector(':target')
  const isHidden = target?.checkVisibility() === false
  let fold = target?.closest('details')
  while (fold) {
    fold.open = true
    fold = fold.parentElement?.closest('details')
  }
  if (isHidden) target?.scrollIntoView()
}

if (contents) {
  follow(contents)
  // On a phone the list covers the text it leads to.
  contents.addEventListener('click', (event) => {
    const details = contents.querySelector('details')
    if (details && (event.target as Element).closest('li > a')) details.open = false
  })
}
addEventListener('hashchange', unfoldTarget)
unfoldTarget()
