import type { RootContent } from 'mdast'
import type { Sort } from '../catalog/browse.ts'
import type { Category } from '../catalog/categories.ts'
import type { Facets } from '../catalog/facets.ts'
import type { Problem } from '../catalog/problems.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import type { PartName } from '../catalog/parts.ts'
import type { Figure } from './figure.ts'
import type { Words } from './tree.ts'

/** Kinds of page; each has one template, and routing knows no other. */
export type DocumentKind =
  | 'home'
  | 'skills'
  | 'results'
  | 'compare'
  | 'bundle'
  | 'listing'
  | 'skill'
  | 'blog'
  | 'post'
  | 'prose'
  | 'reference'
  | 'file'
  | 'missing'

/** A part of a text that answers what was asked, in UTF-16 units. */
export interface TextRange {
  from: number
  to: number
}

/** A short fact of an entry, in words; a day is written YYYY-MM-DD, two days with words between. */
export interface EntryFact {
  kind:
    'category' | 'author' | 'day' | 'days' | 'tokens' | 'installs' | 'review' | 'copies' | 'count'
  text: string
  /** Where it leads. */
  path?: string
}

/** One line of a list of skills or posts, plain text; every list of the site is made of these. */
export interface Entry {
  title: string
  path: string
  text: string
  category?: Category
  facts: EntryFact[]
  /** Slug of a skill that can be installed with others. */
  pick?: string
  /** The first of what stands behind it. */
  names?: { title: string; path: string }[]
  /** What of the title and the text answers a search, in order. */
  matches?: { title: readonly TextRange[]; text: readonly TextRange[] }
}

/** A page above another. */
export interface Crumb {
  label: string
  path: string
}

/** A label and its value, with an address where the value leads somewhere. */
export interface Fact {
  label: string
  value: string
  path?: string
  /** The value is a day, YYYY-MM-DD. */
  isDay?: boolean
  /** A reader should stop at it. */
  isWarning?: boolean
}

/** Words of a command: the same for all, or one for each choice of a reader; the first where none is made. */
export type LinePiece = string | Readonly<Record<string, string>>

/** A command for one or more of the clients that a reader chooses among. */
export interface InstallLine {
  /** Names what it is for, for the styles; `npx` stands by itself. */
  choice: 'claude' | 'agents' | 'home' | 'npx'
  line: readonly LinePiece[]
}

/** A finding beside a line of a file. */
export interface LineNote {
  /** 1-based. */
  line: number
  label: string
  path: string
  /** A reader should stop at it. */
  isWarning: boolean
}

/** What the build leaves of a file for its page: safe HTML of Markdown, or the lengths of its colours. */
export interface FileView {
  html?: string
  runs?: string
}

/** A file of a skill, for a page that numbers its lines. */
export interface FileSource {
  /** Lines end in LF, unless they end in different ways. */
  text: string
  /** Page that shows it rendered. */
  rendered?: string
  view?: FileView | undefined
  notes: readonly LineNote[]
}

/** A part of a page. */
export interface Section {
  /** Anchor of the heading. */
  id: string
  /** Left out where the text follows the page's own heading directly. */
  heading?: string
  /** Markdown without headings of depth 1 or 2. */
  markdown: string
  /** The tree that `markdown` was printed from, and that HTML is made from; without it marked reads the Markdown. */
  blocks?: readonly RootContent[] | undefined
  entries?: Entry[]
  /** Numbers below the text. */
  figure?: Figure
  /** Commands that HTML lets a reader choose among; `blocks` begins with that of the shell and that of npx, as code. */
  lines?: readonly InstallLine[]
  /** A file that HTML shows by its lines; `markdown` has it as it is. */
  source?: FileSource
  /** Tells of the page, and is not what readers come for: it stands beside the rest, and is folded on a phone. */
  isAside?: boolean
}

/** Where a page stands in a listing of several. */
export interface Pager {
  page: number
  pages: number
  previous?: string
  next?: string
}

/** What the form of the search has filled in. */
export interface SearchForm {
  q: string
  sort: Sort
  categories: readonly Category[]
  facets: Facets
  /** Skills that each category would leave, in the order of `CATEGORIES`. */
  counts?: readonly number[]
  /** Whether skills can be ordered by installs and views: somebody counts them. */
  isCounted: boolean
}

/** What a page says of the work that it shows, for machines; nothing that is not known. */
export interface Work {
  author?: string
  /** YYYY-MM-DD. */
  published?: string
  modified?: string
  licence?: string
  /** Address of its source elsewhere. */
  repository?: string
  /** Path of its zip. */
  download?: string
  keywords?: string
}

/** A page of the registry, in words: its twin prints it, its HTML renders it, the sitemap walks it. */
export interface Document {
  kind: DocumentKind
  path: string
  /** The one heading of depth 1, plain text. */
  heading: string
  /** The skill that it is a part of. */
  partOf?: Crumb
  /** First paragraph. */
  lead: Words
  /** For search engines and link previews, plain text. */
  description: string
  /** Day of the last change, YYYY-MM-DD. */
  updated: string
  /** False keeps a page out of the sitemap and says noindex. */
  isIndexable: boolean
  /** What a reader must know first. */
  notice?: Words
  /** Category whose mark the page carries. */
  category?: Category
  /** Whether what it lists has a feed: that of its category, or of the whole site. */
  hasFeed?: true
  /** What a reader decides by. */
  facts: Fact[]
  /** What is said after it. */
  moreFacts?: Fact[]
  sections: Section[]
  pager?: Pager
  search?: SearchForm
  /** Slugs of the skills that one more can be compared or bundled with; none where no more fit. */
  compared?: readonly string[]
  work?: Work
  /** Address of a picture of its own, for links that are shared. */
  preview?: string
  /** Query of its address, without `?`; its twin has the same. */
  query?: string
  /** Of a skill: the parts that its author or its text states. */
  parts?: readonly PartName[]
  /** What a curator should know about it and the page does not say. */
  warnings?: readonly Problem[]
}

/** A page of the site, and how to write it when it is needed. */
export interface DocumentPlan {
  kind: DocumentKind
  path: string
  /**
   * Everything it shows of the skills, where that is known without writing the page: which skills, the number of
   * pages in its listing, and what it shows of others. While these stay the same, so does the page.
   */
  shows?: { skills: readonly SkillFacts[]; pages: number; more?: string }
  write: () => Document
}
