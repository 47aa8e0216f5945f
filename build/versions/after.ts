import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { showValue } from '../../src/catalog/text.ts'
import { PATHS, basePath } from '../../src/documents/paths.ts'
import { VersionsError } from './git.ts'
import { parsePublished } from './published.ts'
import type { Published } from './published.ts'

/** Time limit for fetching the list, in milliseconds. */
const TIME_LIMIT = 60_000

/** Maximum length of a list in characters: enough for 600,000 versions. */
const LIST_LIMIT = 64 * 1024 * 1024

const readNetrc = (): string => {
  try {
    return readFileSync(join(homedir(), '.netrc'), 'utf8')
  } catch {
    return ''
  }
}

/** Finds the login of a host in the text of a netrc file: `machine <host> login <name> password <password>`. */
const findNetrcLogin = (netrc: string, host: string): string | undefined => {
  const [, ...machines] = netrc.split(/(?:^|\s)machine\s+/)
  const words = machines.map((text) => text.split(/\s+/)).find(([name]) => name === host)
  const [login, password] = ['login', 'password'].map((key) => words?.[words.indexOf(key) + 1])
  return words?.includes('login') && words.includes('password') ? `${login}:${password}` : undefined
}

/** Returns the header with the login for a host: the token in VERSIONS_TOKEN, or the login in `~/.netrc`. */
const findAuthorization = ({ hostname }: URL): Record<string, string> => {
  const token = process.env['VERSIONS_TOKEN']
  if (token) return { Authorization: `Bearer ${token}` }
  const login = findNetrcLogin(readNetrc(), hostname)
  return login ? { Authorization: `Basic ${Buffer.from(login).toString('base64')}` } : {}
}

/** Reads the text of a response; undefined if it is too large. */
const readText = async (response: Response): Promise<string | undefined> => {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > LIST_LIMIT) return undefined
  }
  return text
}

/**
 * Fetches the list of versions from a published site. The login is sent only to that origin, and redirects are not
 * followed. Returns undefined if the site has no list, which only `isFirst` allows. Throws VersionsError.
 */
export const fetchPublished = async (
  address: string,
  isFirst = false,
): Promise<Published | undefined> => {
  if (!URL.canParse(address) || !/^https?:/i.test(address))
    throw new VersionsError(
      `--after ${showValue(address)} is not an address; write the address of the site, such as https://skills.example`,
    )
  const list = new URL(basePath(address) + PATHS.versions, address)
  const fail = (reason: string): VersionsError =>
    new VersionsError(`--after: ${list.href} ${reason}`)
  const headers = findAuthorization(list)
  const signal = AbortSignal.timeout(TIME_LIMIT)
  const failSilent = (error: Error): never => {
    throw fail(`does not answer (${(error.cause as Error | undefined)?.message ?? error.message})`)
  }
  const answer = await fetch(list, { headers, signal, redirect: 'manual' }).catch(failSilent)
  if (answer.status === 200) {
    const text = await readText(answer).catch(failSilent)
    if (text === undefined) throw fail('answers with more than 64 MB; check the address')
    return parsePublished(text, list.href)
  }
  await answer.body?.cancel()
  const location = answer.headers.get('location')
  if (location !== null)
    throw fail(`redirects to ${showValue(location)}; if that is the right site, use its address`)
  if (answer.status !== 404)
    throw fail(
      `answers ${answer.status}; if it requires a login, set VERSIONS_TOKEN or add the login to ~/.netrc`,
    )
  if (isFirst) return undefined
  throw fail(
    'answers 404, so the published versions are unknown; for the first build with versions, add --first',
  )
}
