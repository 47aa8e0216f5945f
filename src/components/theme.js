// Runs before anything is drawn, so no page flashes in the other scheme. `data-theme` also shows the switch, which
// does nothing without scripts.
;(() => {
  const themes = ['system', 'light', 'dark']
  const root = document.documentElement

  /** @param {string | null} theme */
  const show = (theme) => {
    root.dataset.theme = themes.find((one) => one === theme) ?? 'system'
  }

  // A browser may refuse to keep anything; the choice then lasts as long as the page.
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
  addEventListener('storage', ({ key, newValue }) => {
    if (key === 'theme') show(newValue)
  })
})()
