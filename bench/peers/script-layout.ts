import type { Places } from './peer.ts'

/** What a layout that is a JavaScript template of the page's fields `d` begins with. */
export const SCRIPT_START = `const signs = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text) => text.replace(/[&<>"]/g, (sign) => signs[sign])
`

/** The places of such a layout, `content` where the text stands. */
export const scriptPlaces = (content: string): Places => ({
  text: (field) => `\${escape(d.${field})}`,
  html: (field) => `\${d.${field}}`,
  content,
})
