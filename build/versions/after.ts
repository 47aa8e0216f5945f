import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { showValue } from '../../src/catalog/text.ts'
import { PATHS, basePath } from '../../src/documents/paths.ts'
import { VersionsError } from './git.ts'
import { parsePublished } from './published.ts'
import type { Published } from './published.ts'

/** Milliseconds in which the list has to come. */
const TIME_LIMIT = 60_000

/** Most characters of a list; 600,000 versions have as many. */
const LIST_LIMIT = 64 * 1024 * 1024

const readNetrc = (): string => {
  try {
    return readFileSync(join(homedir(), '.netrc'), 'utf8')
  } catch {
    return ''
  }
}

/** Finds the login of a host in the text of a netrc, as `machine host login name password word`. */
const findNetrcLogin = (netrc: string, host: string): string | undefined => {
  const [, ...machines] = netrc.split(/(?:^|\s)machine\s+/)
  const words = machines.map((text) => text.split(/\s+/)).find(([name]) => name === host)
  const [login, password] = ['login', 'password'].map((key) => words?.[words.indexOf(key) + 1])
  return words?.includes('login') && words.includes('password') ? `${login}:${password}` : undefined
}

/** The login for an origin: the token that the environment has for it, else that of `~/.netrc`. */
const findAuthorization = ({ hostname }: URL): Record<string, string> => {
  const token = process.env['VERSIONS_TOKEN']
  if (token) return { Authorization: `Bearer ${token}` }
  const login = findNetrcLogin(readNetrc(), hostname)
  return login ? { Authorization: `Basic ${Buffer.from(login).toString('base64')}` } : {}
}

/** Reads the text of an answer; undefined if it is too large. */
const readText = async (answer: Response): Promise<string | undefined> => {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of answer.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > LIST_LIMIT) return undefined
  }
  return text
}

/**
 * Reads the list of versions that a site has. A login goes to that origin alone, and no redirect is followed. Without
 * a list there is nothing to compare with, which only `isFirst` allows. Throws VersionsError.
 */
export const fetchPublished = async (
  address: string,
  isFirst = false,
): Promise<Published | undefined> => {
  if (!URL.canParse(address) || !/^https?:/i.test(address))
    throw new VersionsError(
      `--after ${showValue(address)} is not an address; name the site, as https://skills.example`,
    )
  const first = new URL(basePath(address) + PATHS.versions, address)
  const fail = (reason: string): VersionsError =>
    new VersionsError(`--after: ${first.href} ${reason}`)
  const headers = findAuthorization(first)
  const signal = AbortSignal.timeout(TIME_LIMIT)
  const failSilent = (error: Error): never => {
    throw fail(`does not answer (${(error.cause as Error | undefined)?.message ?? error.message})`)
  }
  const answer = await fetch(first, { headers, signal, redirect: 'manual' }).catch(failSilent)
  if (answer.status === 200) {
    const text = await readText(answer).catch(failSilent)
    if (text === undefined) throw fail('answers with more than 64 MB; check the address')
    return parsePublished(text, first.href)
  }
  await answer.body?.cancel()
  const location = answer.headers.get('location')
  if (location !== null)
    throw fail(`leads to ${showValue(location)}; name the site behind that address if it is right`)
  if (answer.status !== 404)
    throw fail(
      `answers ${answer.status}; give a login by ~/.netrc or VERSIONS_TOKEN if it wants one`,
    )
  if (isFirst) return undefined
  throw fail(
    'answers 404, so nothing says what was published; if this is the first time, add --first',
  )
}
