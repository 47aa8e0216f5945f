// Runs before the first paint, so that no page flashes in the wrong colour scheme. `data-theme` also makes the styles
// show the theme button, which needs scripts.
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
})()
