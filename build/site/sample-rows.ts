import type { ColumnRow } from './row-columns.ts'

/** Gives a row for tests. */
export const sampleColumnRow = (slug: string): ColumnRow => ({
  slug,
  id: 1,
  name: slug,
  author: 'ann',
  category: 'Coding',
  updated: '2026-01-01',
  visibility: 'own',
  views: 0,
  installs: 0,
  digest: '',
  told: '',
  key: '',
  sha256: '',
  size: 0,
  files: 1,
  nearest: '',
  signature: '',
  from: 0,
  length: 0,
  check: 0,
})
