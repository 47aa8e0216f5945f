/**
 * Name of the PostgreSQL schema that holds the search. Raise its number with any change of the tables
 * or of text analysis: servers of the old version then keep their tables until they are replaced.
 */
export const SEARCH_SCHEMA = 'skill_search_2'

/** Gives a text as a database takes it: of whole characters, and without NUL. */
export const toDatabaseText = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\uFFFD')

/** Says whether a text is an address that the driver of PostgreSQL takes. */
export const isDatabaseUrl = (text: string): boolean =>
  /^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)
