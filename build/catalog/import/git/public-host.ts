import { CommandError } from '../../cli/errors.ts'
import { showValue } from '../../../../src/catalog/text.ts'
import { NoAnswerError, createGuard } from '../../verify/guard.ts'
import type { Resolver } from '../../verify/guard.ts'
import type { GitAddress } from './address.ts'

/** Behind a proxy, the proxy resolves host names. */
const hasProxy = (): boolean =>
  ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'].some((name) => process.env[name])

/**
 * Refuses hosts in this machine's network before git connects. Git resolves the name again, so a change in between goes
 * unnoticed. Throws CommandError.
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
    // Git reports names that cannot be resolved.
    if (!(error instanceof NoAnswerError)) return
    throw new CommandError(
      `${showValue(given, 200)} was not contacted: ${error.message}. Name a public host, or the repository as file:///<path> with --source.`,
    )
  }
}
