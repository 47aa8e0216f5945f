import { RANKS_FIRST } from '../../src/catalog/facets.ts'
import { INDEX_VERSION } from '../../src/search/format/layout.ts'

/** The PostgreSQL schema of this version: servers of an older version keep their own tables until they are replaced. */
export const SEARCH_SCHEMA = `skill_search_${INDEX_VERSION}`

/**
 * The tables of the search. In `skills`, `listed` is the API's row and `card` has the additional fields of a page's
 * row; the other columns find, order and filter skills. Text that is compared has the collation "C": it sorts by code
 * point, alike on every machine, and its indexes find prefixes.
 */
export const TABLES = `
CREATE TABLE IF NOT EXISTS skills (
  id bigint PRIMARY KEY,
  category text NOT NULL,
  facets int NOT NULL,
  author text COLLATE "C" NOT NULL,
  views bigint NOT NULL,
  installs bigint NOT NULL,
  updated text COLLATE "C" NOT NULL,
  listed json NOT NULL,
  card json NOT NULL,
  name_key text COLLATE "C" NOT NULL,
  slug text COLLATE "C" NOT NULL,
  letters text COLLATE "C" NOT NULL,
  spelling text COLLATE "C" NOT NULL,
  lengths int[] NOT NULL,
  words text[] NOT NULL,
  vector bytea NOT NULL,
  digest text NOT NULL
);
CREATE TABLE IF NOT EXISTS postings (
  stem text COLLATE "C" NOT NULL,
  field smallint NOT NULL,
  skill bigint NOT NULL,
  frequency int NOT NULL,
  length int NOT NULL
);
CREATE TABLE IF NOT EXISTS frequencies (
  stem text COLLATE "C",
  field smallint,
  skills bigint NOT NULL,
  PRIMARY KEY (stem, field)
);
CREATE TABLE IF NOT EXISTS vocabulary (
  word text COLLATE "C" PRIMARY KEY,
  stem text COLLATE "C" NOT NULL,
  length int NOT NULL,
  uses bigint NOT NULL,
  pieces text[] NOT NULL
);
CREATE TABLE IF NOT EXISTS vectors (version uuid NOT NULL, words bytea NOT NULL);
CREATE TABLE IF NOT EXISTS build (digest text NOT NULL);
CREATE TABLE IF NOT EXISTS copies (copy bigint PRIMARY KEY, original bigint NOT NULL);
CREATE TABLE IF NOT EXISTS successors (behind bigint PRIMARY KEY, ahead bigint NOT NULL);
CREATE TABLE IF NOT EXISTS eldest (behind bigint PRIMARY KEY, ahead bigint NOT NULL);
CREATE TABLE IF NOT EXISTS categories (category text PRIMARY KEY, skills bigint NOT NULL);
CREATE TABLE IF NOT EXISTS fields (field smallint PRIMARY KEY, average double precision NOT NULL);
`

/** Created after the rows are written: a first load then takes a third of the time. */
export const INDEXES = `
CREATE UNIQUE INDEX IF NOT EXISTS postings_by_stem
  ON postings (stem, field, skill) INCLUDE (frequency, length);
CREATE INDEX IF NOT EXISTS postings_by_skill ON postings (skill);
CREATE INDEX IF NOT EXISTS vocabulary_by_piece ON vocabulary USING gin (pieces);
CREATE INDEX IF NOT EXISTS copies_by_original ON copies (original);
CREATE INDEX IF NOT EXISTS skills_without_text ON skills (id)
  WHERE facets & ${RANKS_FIRST} = 0;
CREATE INDEX IF NOT EXISTS skills_by_author ON skills (author);
CREATE INDEX IF NOT EXISTS skills_by_slug ON skills (slug);
CREATE INDEX IF NOT EXISTS skills_by_letters ON skills (letters);
CREATE INDEX IF NOT EXISTS skills_by_spelling ON skills (spelling);
CREATE UNIQUE INDEX IF NOT EXISTS skills_for_ranking
  ON skills (id) INCLUDE (category, facets, author, installs, views, updated, name_key);
CREATE INDEX IF NOT EXISTS skills_by_installs
  ON skills (installs DESC, views DESC, updated DESC, name_key, id) INCLUDE (category, facets);
CREATE INDEX IF NOT EXISTS skills_by_installs_alone
  ON skills (installs DESC, name_key, id) INCLUDE (category, facets);
CREATE INDEX IF NOT EXISTS skills_by_views
  ON skills (views DESC, name_key, id) INCLUDE (category, facets);
CREATE INDEX IF NOT EXISTS skills_by_name ON skills (name_key, id) INCLUDE (category, facets);
`

/** The tables that grow with the catalog. The planner needs statistics of them. */
export const CHANGED_TABLES = ['skills', 'postings', 'frequencies', 'vocabulary'] as const

/** Replaces lone surrogates and NUL, which PostgreSQL text cannot store. */
export const toDatabaseText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\uFFFD')

/** Converts a text to a parameter of a statement; null if it is undefined. */
export const toParameter = (text: string | undefined): string | null =>
  text === undefined ? null : toDatabaseText(text)

/** SEARCH_URL is not an address of PostgreSQL. */
export class SearchUrlError extends Error {}

/** Reads SEARCH_URL; undefined if empty or not set. Throws SearchUrlError. */
export const readSearchUrl = (environment: NodeJS.ProcessEnv): string | undefined => {
  const url = environment['SEARCH_URL'] || undefined
  if (url === undefined || (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url))) return url
  // The message omits the value, which can contain a password.
  throw new SearchUrlError(
    'SEARCH_URL is not an address of PostgreSQL; set it to postgres://user:password@host/database.',
  )
}
