import { CommandError } from '../../cli/errors.ts'
import { showValue } from '../../../../src/catalog/text.ts'
import { NoAnswer, createGuard } from '../../verify/guard.ts'
import type { Resolver } from '../../verify/guard.ts'
import type { GitAddress } from './address.ts'

/** Git behind a proxy leaves the names of hosts to it. */
const hasProxy = (): boolean =>
  ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'].some((name) => process.env[name])

/**
 * Refuses a repository on a host of this machine or its network, before git asks it for anything. Git looks the name
 * up again, so one that changes in between is not found out. Throws CommandError.
 */
export const checkPublicHost = async (
  { given, remote }: Pick<GitAddress, 'given' | 'remote'>,
  resolver?: Resolver,
): Promise<void> => {
  const url = new URL(remote)
  if (url.protocol !== 'https:') return
  const { check, lookup } = createGuard(false, resolver)
  try {
    check(url)
    if (hasProxy() || url.hostname.startsWith('[')) return
    await new Promise<void>((resolve, reject) =>
      lookup(url.hostname, { all: true }, (error) => (error ? reject(error) : resolve())),
    )
  } catch (error) {
    // A name that cannot be looked up is git's to tell.
    if (!(error instanceof NoAnswer)) return
    throw new CommandError(
      `${showValue(given, 200)} is not asked: ${error.message}. Name a public host, or the repository as file:///<path> with --source.`,
    )
  }
}
