import { isGitHub } from '../import/source-url.ts'
import type { StoredRecord } from '../store/records.ts'

export interface Dependent {
  slug: string
  /** Its source address, as the record has it. */
  url: string
  status: 'alive' | 'copied' | 'gone' | 'untraced'
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

/** How repositories show in paths, in order of trust: the repository, then what follows it. */
const FORMS = [
  // GitLab has groups within groups, a dash after the repository, and git's endpoints behind `.git`.
  { path: /^(\/.+?)(\/-\/(?:tree|blob)\/.+)$/, suffix: '.git' },
  { path: /^(\/.+?\.git)(\/.*)?$/, suffix: '' },
  { path: /^(\/[^/]+\/[^/]+)(\/(?:tree|blob|src)\/.+)$/, suffix: '' },
]
const GITHUB_FORMS = [{ path: /^(\/[^/]+\/[^/]+)(\/.*)?$/, suffix: '' }]

/** Finds the repository in a source address; one that names none is asked as it is. */
export const nameSource = (
  address: string,
): Omit<VerifiedSource, 'skills'> & Pick<Dependent, 'rest'> => {
  const url = new URL(address)
  const [forms, origin] = isGitHub(url) ? [GITHUB_FORMS, 'https://github.com'] : [FORMS, url.origin]
  for (const { path, suffix } of forms) {
    const [, repository, rest = ''] = path.exec(url.pathname) ?? []
    if (repository === undefined) continue
    return { kind: 'git', address: origin + repository, suffix, rest: rest + url.search }
  }
  return { kind: 'web', address, suffix: '', rest: '' }
}

/** Gathers the skills of each source; each source is asked once, whatever comes from it. */
export const gatherSources = (records: readonly StoredRecord[]): VerifiedSource[] => {
  const sources = new Map<string, VerifiedSource>()
  for (const { slug, record } of records) {
    if (record.source.kind === 'own') continue
    const { url, status } = record.source
    const { rest, ...named } = nameSource(url)
    // GitHub's owners and repositories are case-insensitive.
    const key = isGitHub(new URL(url)) ? named.address.toLowerCase() : named.address
    const source = sources.get(key) ?? { ...named, skills: [] }
    source.skills.push({ slug, url, status, rest })
    sources.set(key, source)
  }
  return [...sources.values()]
}

/** Interleaves sources round-robin by host. */
export const mixHosts = (sources: readonly VerifiedSource[]): VerifiedSource[] => {
  const turns = new Map<string, number>()
  const byTurn = Map.groupBy(sources, ({ address }) => {
    const { host } = new URL(address)
    const turn = (turns.get(host) ?? 0) + 1
    turns.set(host, turn)
    return turn
  })
  // Rounds first appear in ascending order, so the map is ordered.
  return [...byTurn.values()].flat()
}
