/** Failures of a database that a person can mend, by their code (PostgreSQL, appendix A; Node). */
const REMEDIES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; start PostgreSQL or mend SEARCH_URL',
  ENOTFOUND: 'there is no such host; mend SEARCH_URL',
  '28P01': 'the password is wrong; mend SEARCH_URL',
  '28000': 'the user may not connect; mend SEARCH_URL or pg_hba.conf',
  '3D000': 'there is no such database; create it with createdb, or mend SEARCH_URL',
  '42501': 'the user may not write; GRANT CREATE ON DATABASE … TO the user',
  '42883': 'a function is missing; PostgreSQL 14 or later is needed',
  '53100': 'its disk is full; free some room and sync again',
}

/** Says what went wrong with a database, and what to do where that is known. */
export const describeDatabaseFailure = (error: unknown): string => {
  const { code = '', message = '', stack } = error as NodeJS.ErrnoException
  const remedy = REMEDIES[code]
  return remedy === undefined ? (stack ?? String(error)) : `${remedy} (${message})`
}
