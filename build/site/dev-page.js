// Runs in each page of `npm run dev`: reloads it after a build, and shows the problems of a failed build.

const box = document.createElement('pre')
box.setAttribute('role', 'alert')
Object.assign(box.style, {
  position: 'fixed',
  inset: 'auto 0 0',
  zIndex: '9',
  margin: '0',
  padding: '1rem',
  whiteSpace: 'pre-wrap',
  background: '#8f2626',
  color: '#fff',
})

/** @type {number | undefined} */
let shown

new EventSource('/@dev/news').addEventListener('message', ({ data }) => {
  const { build, problems } = JSON.parse(data)
  if (shown !== undefined && shown !== build) location.reload()
  shown = build
  const [first, ...others] = problems
  const more = others.length > 0 ? `\nand ${others.length} more, in the terminal` : ''
  box.textContent = `${first}${more}`
  if (first === undefined) box.remove()
  else document.body.append(box)
})
