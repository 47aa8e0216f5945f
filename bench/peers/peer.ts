/** The page of a skill as another generator gets it: what its layout shows, and its text. */
export interface PeerPage {
  slug: string
  fields: Readonly<Record<PeerField, string>>
  /** Every section of the page, as Markdown. */
  markdown: string
}

/** Places of the layout; `lead` and `facts` are HTML, all else is text. */
export const PEER_FIELDS = [
  'title',
  'description',
  'canonical',
  'twin',
  'heading',
  'hue',
  'lead',
  'facts',
] as const
export type PeerField = (typeof PEER_FIELDS)[number]

/** How a generator writes the places of a layout. */
export interface Places {
  text: (field: PeerField) => string
  html: (field: PeerField) => string
  content: string
}

/** What the same pages are made from elsewhere. */
export interface PeerInput {
  /** Our content folder. */
  content: string
  /** Our layout of a skill's page, with a generator's own places in it. */
  writeLayout: (places: Places) => string
  /** The pages in the order of their ids, each made when it is asked for. */
  pages: () => Iterable<PeerPage>
}

/** A project that was written for a generator. */
export interface PeerProject {
  commandInto: (output: string) => readonly string[]
  environment?: NodeJS.ProcessEnv
  /** File of a skill's text, for a change of it. */
  sourceOf: (slug: string) => string
}

/** Another generator that makes the page of each skill. */
export interface Peer {
  name: string
  /** Why it cannot be measured here, in one sentence; undefined where it can. */
  missing: () => string | undefined
  /** Writes a project whose build makes the pages. */
  prepare: (folder: string, input: PeerInput) => PeerProject
}

/** Writes a page as Markdown with front matter: JSON strings are YAML too. */
export const writeSource = ({ fields, markdown }: PeerPage, more = ''): string => {
  const lines = PEER_FIELDS.map((field) => `${field}: ${JSON.stringify(fields[field])}\n`)
  return `---\n${lines.join('')}${more}---\n${markdown}`
}

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
