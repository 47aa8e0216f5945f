import type { ContractClause } from './clause.ts'

/** Answers that shared caches must not store. */
const UNSHARED = /^(?:private, (?!.*s-maxage)|no-store$)/

const toPrivate = (directive: string | RegExp | null | undefined): string | RegExp => {
  if (typeof directive !== 'string') return UNSHARED
  return directive.startsWith('s-maxage')
    ? 'private, no-store'
    : directive.replace(/^public/, 'private')
}

/** What a private registry owes instead: the same, but for what caches are told. */
export const asPrivate = (clauses: readonly ContractClause[]): ContractClause[] =>
  clauses.map((clause) => ({
    ...clause,
    has: { ...clause.has, 'cache-control': toPrivate(clause.has['cache-control']) },
  }))
