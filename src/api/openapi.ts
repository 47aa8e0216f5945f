import document from './openapi.json' with { type: 'json' }
import type { ApiError } from './errors.ts'
import { POLICIES, fitPrivacy } from './policies.ts'
import { parseListingQuery } from './query.ts'
import { CATEGORIES } from '../catalog/categories.ts'
import type { Category } from '../catalog/categories.ts'

/** A skill in the results of the search for clients. */
export interface ClientSkill {
  id: string
  name: string
  source: string
  installs: number
}

interface ApiOwner {
  name: string
  description: string
  origin: string
  /** Address of the page with the owner's contact; the start page by default. */
  contact?: string
  isPrivate?: boolean | undefined
  /** The names of its categories; by default, those of the contract. */
  categories?: readonly Category[]
  /** Whether only files are served: the API then consists of the zips. */
  isStatic?: boolean | undefined
}

const TEXT = JSON.stringify(document)

const DOWNLOAD = '/api/skills/download/{id}'

/** Keeps only the download, which needs no function. The host decides on failures and header fields. */
const keepFiles = (api: typeof document): typeof document => {
  const { responses, ...download } = api.paths[DOWNLOAD].get
  const { description, content } = responses['200']
  const get = { ...download, responses: { '200': { description, content } } }
  const tags = [{ name: 'Skills', description: 'Download skills.' }]
  return { ...api, tags, paths: { [DOWNLOAD]: { get } }, components: { responses: {} } } as never
}

/** Returns message and hint of the error for a category that a registry does not have. */
const refuseCategory = (cat: string, names: readonly Category[]): string[] => {
  try {
    parseListingQuery(`cat=${cat}`, names)
    return []
  } catch (thrown) {
    const { message, hint } = thrown as ApiError
    return [message, hint]
  }
}

/** Replaces the nine categories of the contract with those of a registry. */
const fitCategories = (text: string, names: readonly Category[]): string => {
  const examples = refuseCategory('coding', CATEGORIES)
  const replacements = refuseCategory('coding', names)
  const pairs = [
    [CATEGORIES, names],
    [
      ['Coding', 'Writing'],
      [names[0], names.at(-1)],
    ],
    [{ category: 'Data & Analytics' }, { category: names[0] }],
    ...examples.map((example, at) => [example, replacements[at] ?? example]),
  ].map((pair) => pair.map((value) => JSON.stringify(value).replace(/^\{|\}$/g, '')))
  return pairs.reduce((fitted, [from = '', to = '']) => fitted.replaceAll(from, () => to), text)
}

/** Fills the `{registry-…}` placeholders of the OpenAPI description. */
export const describeApi = (owner: ApiOwner): typeof document => {
  const { name, description, origin, contact = origin, isPrivate, isStatic } = owner
  const { categories = CATEGORIES } = owner
  const values: Readonly<Record<string, string>> = {
    name,
    description,
    origin,
    contact,
    access: isPrivate
      ? 'Private and read-only: its operator decides who can read it.'
      : 'Public and read-only: no key, token or credential is needed.',
    listings: fitPrivacy(POLICIES.listing.headers, isPrivate)['Cache-Control'] ?? '',
    errors: fitPrivacy(POLICIES.envelope.headers, isPrivate)['Cache-Control'] ?? '',
  }
  const filled = TEXT.replace(/\{registry-([a-z]+)\}/g, (placeholder, key: string) =>
    Object.hasOwn(values, key) ? JSON.stringify(values[key]).slice(1, -1) : placeholder,
  )
  const fitted = categories === CATEGORIES ? filled : fitCategories(filled, categories)
  const api = JSON.parse(fitted) as typeof document
  return isStatic ? keepFiles(api) : api
}
