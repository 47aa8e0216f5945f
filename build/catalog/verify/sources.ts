import type { StoredRecord } from '../store/records.ts'

/** A skill that comes from a source. */
export interface Dependent {
  slug: string
  /** Its source address, as the record has it. */
  url: string
  status: 'alive' | 'gone' | 'untraced'
  /** What follows the address of the repository in it. */
  rest: string
}

/** One thing to ask: a repository, or an address on the web. */
export interface VerifiedSource {
  kind: 'git' | 'web'
  /** Address of the repository, or the address itself. */
  address: string
  /** What git wants after the address of the repository. */
  suffix: string
  skills: Dependent[]
}

/** What a source address names. */
interface Named extends Omit<VerifiedSource, 'skills'> {
  rest: string
}

/** How repositories show in addresses: the repository is the first group of the path. */
interface Form {
  path: RegExp
  suffix: string
}

/** The forms in order of trust. */
const FORMS: readonly Form[] = [
  // GitLab has groups within groups, a dash after the repository, and git's endpoints behind `.git`.
  { path: /^(\/.+?)(\/-\/(?:tree|blob)\/.+)$/, suffix: '.git' },
  { path: /^(\/.+?\.git)(\/.*)?$/, suffix: '' },
  { path: /^(\/[^/]+\/[^/]+)(\/(?:tree|blob|src)\/.+)$/, suffix: '' },
]

const GITHUB_FORMS: readonly Form[] = [{ path: /^(\/[^/]+\/[^/]+)(\/.*)?$/, suffix: '' }]

const GITHUB = 'https://github.com'

const isGitHub = ({ hostname }: URL): boolean => /^(?:www\.)?github\.com$/.test(hostname)

/** Finds the repository in a source address; one that names none is asked as it is. */
export const nameSource = (address: string): Named => {
  const url = new URL(address)
  const [forms, origin] = isGitHub(url) ? [GITHUB_FORMS, GITHUB] : [FORMS, url.origin]
  for (const { path, suffix } of forms) {
    const [, repository, rest = ''] = path.exec(url.pathname) ?? []
    if (repository === undefined) continue
    return { kind: 'git', address: origin + repository, suffix, rest: rest + url.search }
  }
  return { kind: 'web', address, suffix: '', rest: '' }
}

/** Owners and repositories of GitHub are the same in any case. */
const keyOf = ({ address }: Pick<VerifiedSource, 'address'>): string =>
  isGitHub(new URL(address)) ? address.toLowerCase() : address

/** Gathers the skills of each source; each source is asked once, whatever comes from it. */
export const gatherSources = (records: readonly StoredRecord[]): VerifiedSource[] => {
  const sources = new Map<string, VerifiedSource>()
  for (const { slug, record } of records) {
    if (record.source.kind === 'own') continue
    const { url, status } = record.source
    const { rest, ...named } = nameSource(url)
    const key = keyOf(named)
    const source = sources.get(key) ?? { ...named, skills: [] }
    source.skills.push({ slug, url, status, rest })
    sources.set(key, source)
  }
  return [...sources.values()]
}

/** Puts sources into an order in which no host has two turns while another waits for its first. */
export const mixHosts = (sources: readonly VerifiedSource[]): VerifiedSource[] => {
  const turns = new Map<string, number>()
  return sources
    .map((source) => {
      const { host } = new URL(source.address)
      const turn = turns.get(host) ?? 0
      turns.set(host, turn + 1)
      return { source, turn }
    })
    .sort((a, b) => a.turn - b.turn)
    .map(({ source }) => source)
}
