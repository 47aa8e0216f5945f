// Runs before the first paint, so that no page flashes in the wrong colour scheme and no text moves when ages come.
// `data-theme` also makes the styles show the theme button, which needs scripts.
;(() => {
  const themes = ['system', 'light', 'dark']
  const root = document.documentElement

  /** @param {string | null} theme */
  const show = (theme) => {
    const shown = themes.find((one) => one === theme) ?? 'system'
    root.dataset.theme = shown
    // The first call is before the button.
    document.querySelector('.theme')?.setAttribute('aria-label', `Theme: ${shown}`)
  }

  // Browsers can refuse storage; then the choice lasts only as long as the page.
  try {
    show(localStorage.getItem('theme'))
  } catch {
    show(null)
  }

  addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || !target.closest('.theme')) return
    const next = themes[(themes.indexOf(root.dataset.theme ?? '') + 1) % themes.length] ?? 'system'
    show(next)
    try {
      localStorage.setItem('theme', next)
    } catch {}
  })
  addEventListener('DOMContentLoaded', () => show(root.dataset.theme ?? null))
  addEventListener('storage', ({ key, newValue }) => {
    if (key === 'theme') show(newValue)
  })

  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  /** @type {[Intl.RelativeTimeFormatUnit, number][]} Units with their days; each is used from two of it on. */
  const units = [
    ['year', 365.25],
    ['month', 30.44],
    ['day', 1],
  ]
  /** Says how long ago the day in `data-day` was. */
  class Age extends HTMLElement {
    connectedCallback() {
      const days = Math.floor((Date.now() - Date.parse(this.dataset.day ?? '')) / 86_400_000)
      const [unit, size] = units.find(([, length]) => days >= 2 * length) ?? ['day', 1]
      this.textContent = words.format(-Math.round(days / size), unit)
    }
  }
  customElements.define('age-of', Age)
})()
