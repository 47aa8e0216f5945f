import type { Sort } from '../catalog/browse.ts'
import type { Category } from '../catalog/categories.ts'
import type { Facets } from '../catalog/facets.ts'
import type { Problem } from '../catalog/problems.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import type { Phrase } from './prose/phrases.ts'
import type { PageKind } from './template.ts'

/** A part of a text that matches the query, in UTF-16 units. */
export interface TextRange {
  from: number
  to: number
}

/** A short fact about an entry, as text. Days are written YYYY-MM-DD. */
export interface EntryFact {
  kind:
    | 'category'
    | 'author'
    | 'licence'
    | 'tokens'
    | 'day'
    | 'days'
    | 'since'
    | 'version'
    | 'count'
    | 'found'
  text: string
  /** Address that it links to. */
  path?: string
  /** Shown as a warning. */
  isWarning?: boolean
}

/** An entry in a list of skills or posts, as plain text. Every list of the site is made of entries. */
export interface Entry {
  title: string
  path: string
  text: string
  /** Whether the title is a name that people type. */
  isName?: true
  category?: Category
  facts: EntryFact[]
  /** Ranges of the title and the text that match the query, in order. */
  matches?: { title: readonly TextRange[]; text: readonly TextRange[] }
  /** Numbers of lines that a version adds and removes. */
  lines?: { added: number; removed: number } | undefined
  /** What else matches the query, if the text does not; `before` introduces it. */
  hit?: { before: string; text: string; matches: readonly TextRange[] } | undefined
}

/** A page of the breadcrumb trail. */
export interface Crumb {
  label: string
  path: string
}

/** A finding in a file, as the build saves it for the function. */
export interface FileFinding {
  /** 1-based; 0 means the whole file. */
  line: number
  rule: string
  /** Name of its severity. */
  label: string
  /** Whether it is severe and no curator has accepted it. */
  isSevere: boolean
  says: string
}

/** A file of a skill that is shown with line numbers. */
export interface FileSource {
  /** Lines end in LF, unless the file mixes line endings. */
  text: string
  findings: readonly FileFinding[]
}

/** The label of one skill as a sample: in short, and with a note beside each line. */
export interface SampleLabel {
  short: Phrase
  annotated: Phrase
}

/** A heading and its text. The text has no headings of depth 1 or 2. */
export interface Section extends Phrase {
  /** Anchor of the heading. */
  id: string
  /** Absent if the text directly follows the heading of the page. */
  heading?: string
  /** Headings within the text that the table of contents lists. */
  inner?: readonly { id: string; text: string }[]
  entries?: Entry[]
  /** Layout of the entries in HTML. If absent, they are rows of skills. */
  list?: 'cells' | 'titles'
  /**
   * How HTML shows the section, if not as a text below a heading. `install` and `label` have their own places in the
   * layout, a `brief` has its heading at the side, and a `bare` section has the whole width.
   */
  form?: 'install' | 'label' | 'brief' | 'bare'
  /** A file that HTML shows with line numbers; `markdown` contains it unchanged. */
  source?: FileSource
}

/** The position of a page in a paginated list, and the addresses of its neighbours. */
export interface Pager {
  page: number
  pages: number
  previous?: string
  next?: string
}

/** What the search form can offer in a catalog: sort orders (besides by name) and categories. */
export interface Choices {
  /** Whether the catalog has counters, so skills can be sorted by installs and views. */
  isCounted: boolean
  /** Whether the day of some skill is known, so skills can be sorted by day. */
  isDated: boolean
  categories: readonly Category[]
}

export interface SearchForm {
  q: string
  sort: Sort
  categories: readonly Category[]
  facets: Facets
  counts?: Readonly<Record<Category, number>>
  /** For each of `FACET_VALUES`, the number of results with it. */
  facetCounts?: readonly number[]
  choices: Choices
}

/** A page, from which HTML, Markdown and an entry of the sitemap are rendered. */
export interface Document {
  kind: PageKind
  path: string
  /** Text of the page's only `h1`. */
  heading: string
  /** The skill to which the page belongs. */
  partOf?: Crumb
  /** The first paragraph, on one line. */
  lead: Phrase
  /** Whether the lead contains untrusted text. If so, Markdown has it as a block quote. */
  isQuoted?: boolean
  /** Plain text for search engines and link previews. */
  description: string
  /** Day of the last change, YYYY-MM-DD. */
  updated: string
  /** If true, the page says `noindex` and is not in the sitemap. */
  isUnindexed: boolean
  /** A notice above everything else. */
  notice?: Phrase
  /** Category that gives the page its colour. */
  category?: Category
  /** Whether the page links to a feed: of its category, or else of the whole site. */
  hasFeed?: true
  /** What follows the lead, such as the main facts. */
  below?: Phrase
  /** On the page of a file: all files of the skill that have a page. */
  files?: readonly { label: string; path: string }[]
  sections: Section[]
  pager?: Pager
  search?: SearchForm
  /** On a skill page: more schema.org properties for structured data. */
  work?: Readonly<Record<string, unknown>>
  /** Query of the address, without `?`. The Markdown twin has the same query. */
  query?: string
  /** On a skill page: the reason why the SKILL.md is shown as code, if reading it took too long. */
  unread?: string | undefined
  /** Problems reported to curators; the page does not show them. */
  warnings?: readonly Problem[]
}

/** A page of the site that is written only when it is needed. */
export interface DocumentPlan {
  path: string
  /**
   * Everything on the page that depends on skills: the skills it lists, the number of pages in the list, and other
   * data. The page changes only if these change. Absent if they are not known before the page is written.
   */
  shows?: { skills: readonly SkillFacts[]; pages: number; otherData?: string }
  write: () => Document
}
