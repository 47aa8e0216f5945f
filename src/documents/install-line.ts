/** The setting of a site on which its commands depend. */
interface Visibility {
  /** Whether the registry is private, perhaps behind a login. */
  isPrivate?: boolean | undefined
}

/** Returns `npx skills`. In a private registry, it must not tell its maker the skill and the registry's host. */
export const npxOf = ({ isPrivate }: Visibility): string =>
  `${isPrivate ? 'DISABLE_TELEMETRY=1 ' : ''}npx skills`

/** The command that installs everything at an address without prompts: for one client, or for all clients it finds. */
export const installLine = (address: string, site: Visibility, agent?: string): string =>
  `${npxOf(site)} add ${address}${agent === undefined ? '' : ` -a ${agent}`} -y`

/** Warning for pages of a private registry on which `npx skills` is the only way to install. */
export const SENDS_NO_LOGIN =
  'A command for several skills sends no login. If a login is needed, install each skill with the command on its page.'
