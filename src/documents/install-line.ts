/** The line that installs what an address has, for one client or for those that are there, and asks nothing. */
export const installLine = (address: string, agent?: string): string =>
  `npx skills add ${address}${agent === undefined ? '' : ` -a ${agent}`} -y`

/** The warning of a private registry where only `npx skills` installs. */
export const SENDS_NO_LOGIN =
  'A line for several skills sends no login; where one is asked, install each by the line of its page.'
