import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { splitLoosely } from '../src/catalog/front-matter.ts'
import { loadCatalog } from '../src/catalog/load.ts'
import type { Category } from '../src/catalog/categories.ts'
import { RANKS_FIRST, packFacets } from '../src/catalog/facets.ts'
import { listAsks } from '../src/catalog/parts.ts'
import { SKILL_MD, isListed, listSkill, pickCard } from '../src/catalog/skill.ts'
import { pickBody } from '../src/search/body.ts'
import type { SearchDocument } from '../src/search/rank.ts'
import { openShippedVectors } from '../src/search/vector-file.ts'
import { parseRows } from './big-rows.ts'

/** A searchable skill, with its name in the judgements. */
export interface BenchDocument extends SearchDocument {
  key: string
}

interface ManifestRow {
  /** Its folder in the corpus. */
  dir: string
  owner: string
  repo: string
  path: string
  name: string
  description: string
  sourceUrl: string
  bytes: number
}

interface LabelRow {
  owner: string
  repo: string
  path: string
  category: Category
}

const GITHUB_TREE = /^https:\/\/github\.com\/([^/]+\/[^/]+)\/(?:tree|blob)\/[^/]+\/(.+?)\/?$/

/** Reads a skill's text without front matter. */
const readText = (folder: string): string =>
  splitLoosely(readFileSync(join(folder, SKILL_MD), 'utf8')).body

/** Reads a folder with a `manifest.ndjson`; a skill without a label counts as `Coding`. */
export const readCorpus = (folder: string, labelsFile: string | undefined): BenchDocument[] => {
  const labels = new Map(
    (labelsFile === undefined ? [] : readRows<LabelRow>(labelsFile)).map((row) => [
      skillKey(row),
      row.category,
    ]),
  )
  return readRows<ManifestRow>(join(folder, 'manifest.ndjson')).map((row, index) => ({
    key: skillKey(row),
    description: row.description,
    body: pickBody(readText(join(folder, row.dir))),
    facts: { summary: '', safety: 'No findings', tokens: Math.ceil(row.bytes / 4) },
    facets: RANKS_FIRST,
    vector: openShippedVectors().ofSkill(row),
    listed: {
      id: index + 1,
      slug: `skill-${index + 1}`,
      name: row.name,
      author: row.owner,
      description: row.description,
      category: labels.get(skillKey(row)) ?? 'Coding',
      views: 0,
      installs: 0,
      sourceUrl: row.sourceUrl,
    },
  }))
}

/** Reads the listed skills of a content folder. The key of a skill is its source on GitHub, or its slug. */
export const readContent = (folder: string): BenchDocument[] =>
  loadCatalog(folder)
    .skills.filter(isListed)
    .map((skill) => {
      const asks = listAsks(skill.parts)
      const listed = listSkill(skill, skill.slug)
      const [, repository, path] = GITHUB_TREE.exec(listed.sourceUrl ?? '') ?? []
      return {
        key: repository === undefined ? skill.slug : `${repository}/${path}/SKILL.md`,
        description: skill.description,
        body: pickBody(skill.tokens === undefined ? '' : readText(skill.folder)),
        facts: { ...pickCard(skill), asks },
        facets: packFacets(skill),
        vector: openShippedVectors().ofSkill(skill),
        listed,
      }
    })

/** Replaces the asks of skills by those of a file, whose lines have `asks` and either `slug` or `owner`, `repo`, `path`. */
export const replaceAsks = (documents: readonly BenchDocument[], file: string): void => {
  const rows = readRows<Parameters<typeof skillKey>[0] & { slug?: string; asks: string[] }>(file)
  const asksOf = new Map(rows.map((row) => [row.slug ?? skillKey(row), row.asks]))
  for (const document of documents) {
    const { key, listed } = document
    const asks = listAsks({ examples: asksOf.get(key) ?? asksOf.get(listed.slug) ?? [] })
    document.facts = { ...document.facts, asks }
  }
}

/** A query, and the grades that people gave to skills for it: 3 = wanted, 2 = useful, 1 = related. */
export interface JudgedQuery {
  q: string
  kind: string
  /** Grades by `owner/repo/path` of the SKILL.md. */
  grades: ReadonlyMap<string, number>
}

interface QueryRow {
  q: string
  kind: string
  relevant: { owner: string; repo: string; path: string; grade: number }[]
}

const readRows = <Row>(file: string): Row[] => parseRows(readFileSync(file, 'utf8'))

/** Makes the name of a SKILL.md in the judgements. */
const skillKey = (row: { owner: string; repo: string; path: string }): string =>
  `${row.owner}/${row.repo}/${row.path}`

/** Reads judged queries, one per line, in JSON. */
export const readJudgedQueries = (file: string): JudgedQuery[] =>
  readRows<QueryRow>(file).map(({ q, kind, relevant }) => ({
    q,
    kind,
    grades: new Map(relevant.map((row) => [skillKey(row), row.grade])),
  }))
