/** The line that installs what an address has, for one client or for those that are there, and asks nothing. */
export const installLine = (address: string, agent?: string): string =>
  `npx skills add ${address}${agent === undefined ? '' : ` -a ${agent}`} -y`
