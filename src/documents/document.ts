import type { Sort } from '../catalog/browse.ts'
import type { Category } from '../catalog/categories.ts'
import type { Facets } from '../catalog/facets.ts'
import type { Problem } from '../catalog/problems.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import type { PartName } from '../catalog/parts.ts'
import type { Html } from './prose/markup.ts'
import type { Markdown } from './prose/md.ts'

/** Kinds of page; each has one template. */
export type DocumentKind =
  | 'home'
  | 'skills'
  | 'results'
  | 'bundle'
  | 'listing'
  | 'skill'
  | 'blog'
  | 'post'
  | 'prose'
  | 'reference'
  | 'file'
  | 'missing'

/** A part of a text that matches the query, in UTF-16 units. */
export interface TextRange {
  from: number
  to: number
}

/** A short fact of an entry, as text. Days are written YYYY-MM-DD. */
export interface EntryFact {
  kind:
    | 'category'
    | 'author'
    | 'day'
    | 'days'
    | 'licence'
    | 'tokens'
    | 'scan'
    | 'review'
    | 'deprecated'
    | 'installs'
    | 'touches'
    | 'copies'
    | 'count'
  text: string
  /** Address that it links to. */
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
  /** A few of the skills that it stands for. */
  examples?: { title: string; path: string }[]
  /** Parts of the title and the text that match a search, in order. */
  matches?: { title: readonly TextRange[]; text: readonly TextRange[] }
}

/** A page of the breadcrumb trail. */
export interface Crumb {
  label: string
  path: string
}

/** A label and its value, which may be a link. */
export interface Fact {
  label: string
  value: string
  path?: string
  /** Shown as a warning. */
  isWarning?: boolean
  /** Shown as code: a stranger's words where readers expect ours. */
  isCode?: boolean
  /** How many skills its address shows. */
  count?: number
}

/** One line of a label: the statement, and the small words after it. */
export interface LabelLine {
  key: string
  value: Markdown
  aside?: Markdown
  /** Nothing was found or stated, so the value is small. */
  isSoft?: true
  /** Shown as a warning. */
  isWarning?: true
}

/** The answers for somebody who decides about a skill, in the same lines on every page. */
export interface LabelView {
  title: string
  /** The files that it was read from. */
  origin: Markdown
  lines: readonly LabelLine[]
}

/** A whole command that installs a skill into each of some clients. */
export interface InstallCommand {
  /** Ids of clients (`CLIENTS`). */
  clients: readonly string[]
  /** For one project, or below the user's home for all of them. */
  place: 'project' | 'home'
  command: string
}

/** One way to install a skill, with a command for each client and place. */
export interface InstallWay {
  name: string
  /** Whom it suits. */
  suits: string
  commands: readonly InstallCommand[]
}

/** A finding beside a line of a file. */
export interface LineNote {
  /** 1-based. */
  line: number
  label: string
  path: string
  /** Shown as a warning. */
  isWarning: boolean
}

/** A file of a skill, to be shown with line numbers. */
interface FileSource {
  /** Lines end in LF, unless the file mixes line endings. */
  text: string
  notes: readonly LineNote[]
}

/** Numbers that HTML shows as bars and Markdown as a table. */
export interface Figure {
  /** Headings of the two columns. */
  columns: readonly [kind: string, counted: string]
  bars: readonly Bar[]
}

interface Bar {
  label: string
  count: number
  category?: Category
}

/** Skills beside a page, each with a few words, and the author who may have more. */
export interface NearList {
  skills: readonly { title: string; path: string; text: string }[]
  author: { title: string; path: string }
}

/** A row of evidence: a label and its items. */
export interface EvidenceRow {
  label: string
  /** Stands before the items, which HTML then folds. */
  lead?: string
  items: readonly Markdown[]
}

/** A heading and its text. */
export interface Section {
  /** Anchor of the heading. */
  id: string
  /** Absent if the text directly follows the heading of the page. */
  heading?: string
  /** Markdown without headings of depth 1 or 2. */
  markdown: Markdown
  /** The same as HTML, where it is not rendered from `markdown`: the function cannot read Markdown. */
  html?: Html
  /** Headings inside of its text that contents name. */
  inner?: readonly { id: string; text: string }[]
  /** Shown below the text. */
  rows?: readonly EvidenceRow[]
  entries?: Entry[]
  /** How HTML lays its entries out; as rows of skills if absent. */
  list?: 'authors' | 'cells' | 'titles' | 'short'
  /** Shown below the text. */
  figure?: Figure
  /** The part that HTML folds under a label. */
  more?: { label: string; markdown: Markdown } | undefined
  /** Commands to choose from in HTML, in the place of `markdown`, and what stands below them. */
  install?: { ways: readonly InstallWay[]; below: Markdown }
  /** A file that HTML shows with line numbers; `markdown` contains it unchanged. */
  source?: FileSource
}

/** The position of a page in a paged listing. */
export interface Pager {
  page: number
  pages: number
  previous?: string
  next?: string
}

/** The orders of a catalog's skills besides names, and its categories. */
export interface Choices {
  /** By installs and views, because the catalog has counters. */
  isCounted: boolean
  /** By day, because that of some skill is known. */
  isDated: boolean
  /** Those that have skills. */
  categories: readonly Category[]
}

/** The values of the search form. */
export interface SearchForm {
  q: string
  sort: Sort
  categories: readonly Category[]
  facets: Facets
  /** Number of results in each category. */
  counts?: Readonly<Record<Category, number>>
  /** Number of results that have none of each of `ON_MACHINE`. */
  machineCounts?: readonly number[]
  choices: Choices
}

/** A page before it is rendered as HTML, Markdown and a line of the sitemap. */
export interface Document {
  kind: DocumentKind
  path: string
  /** Text of the only h1. */
  heading: string
  /** The skill that it belongs to. */
  partOf?: Crumb
  /** First paragraph, one line. */
  lead: Markdown
  /** Whether the lead has words of a stranger, which Markdown quotes. */
  isQuoted?: boolean
  /** The same as HTML, where it is not rendered from `lead`. */
  leadHtml?: Html
  /** Plain text for search engines and link previews. */
  description: string
  /** Day of the last change, YYYY-MM-DD. */
  updated: string
  /** Address of the page that search engines show instead. */
  canonical?: string
  /** False keeps a page out of the sitemap and says noindex. */
  isIndexable: boolean
  /** A notice above everything else. */
  notice?: Markdown
  /** Category whose colour the page has. */
  category?: Category
  /** Whether its list has a feed: that of its category, or of the whole site. */
  hasFeed?: true
  /** Of a skill page: author, source and category, shown in one line. */
  byline?: readonly Markdown[]
  label?: LabelView | undefined
  /** Of a skill page: the skills that HTML shows beside the text. */
  near?: NearList
  /** Main facts, shown at the top. */
  facts: Fact[]
  sections: Section[]
  pager?: Pager
  search?: SearchForm
  /** Slug of a skill that can be chosen to be installed with others. */
  pick?: string
  /** Of a skill page: further properties of schema.org for structured data. */
  work?: Readonly<Record<string, unknown>>
  /** Query of its address, without `?`; its twin has the same. */
  query?: string
  /** Of a skill page: the parts that its author or its text states. */
  parts?: readonly PartName[]
  /** Of a skill page: why the SKILL.md is shown as code, if reading it took too long now. */
  unread?: string | undefined
  /** Problems for curators that the page does not show. */
  warnings?: readonly Problem[]
}

/** A page of the site, written on demand. */
export interface DocumentPlan {
  kind: DocumentKind
  path: string
  /**
   * Everything it shows of skills, if that is known without writing the page: which skills, the number of
   * pages in its listing, and other skills' data. The page changes only if these do.
   */
  shows?: { skills: readonly SkillFacts[]; pages: number; more?: string }
  write: () => Document
}
