/** The command that installs everything at an address without prompts: for one client, or for all clients it finds. */
export const installLine = (address: string, agent?: string): string =>
  `npx skills add ${address}${agent === undefined ? '' : ` -a ${agent}`} -y`

/** Warning for pages of a private registry on which `npx skills` is the only way to install. */
export const SENDS_NO_LOGIN =
  'A command for several skills sends no login. If a login is needed, install each skill with the command on its page.'
