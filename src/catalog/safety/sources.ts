import { ADDRESS, TRUST_REASON, isSuspicious, isTrusted, judgeHost, readAddress } from './hosts.ts'
import type { Address, HostKind } from './hosts.ts'
import type { Judgement, Place, TextFile } from './rule.ts'

/** An address as written, with the kind of its host. */
interface JudgedAddress {
  kind: HostKind
  address: Address
}

/** Judges the addresses of a text; one without a scheme counts as `https`. */
export const judgeAddresses = (text: string, file: TextFile): JudgedAddress[] =>
  [...text.matchAll(ADDRESS)].slice(0, 20).flatMap(([url]) => {
    const address = readAddress(url)
    return address ? [{ address, kind: judgeHost(address, file.names) }] : []
  })

/** Hosts in code outside http addresses: with another scheme, in a request field, or as an argument of a connection. */
const HOST_FIELD =
  /\b(?:wss?|tcp|mqtts?|sftp|ssh):\/\/(?:[^@\s/"']{0,60}@)?((?:[\w-]{1,40}\.){1,4}[a-z]{2,12}|(?:\d{1,3}\.){3}\d{1,3})|(?:\b(?:host|hostname|server|addr|address)["']?\s{0,3}[:=]\s{0,3}|\b(?:HTTPS?Connection|connect|create_connection|createConnection|TCPClient|TcpClient|TCPSocket\.new)\(\s{0,3}\(?\s{0,3}(?:\d{2,5},\s{0,3})?)["']((?:[\w-]{1,40}\.){1,4}[a-z]{2,12}|(?:\d{1,3}\.){3}\d{1,3})["']/gi

/** The kinds of the hosts in code, from addresses and bare names. */
export const kindsIn = (text: string, file: TextFile): HostKind[] => [
  ...judgeAddresses(text, file).map(({ kind }) => kind),
  ...[...text.matchAll(HOST_FIELD)]
    .slice(0, 10)
    .map(([, reached, host = reached ?? '']) =>
      judgeHost({ host: host.toLowerCase(), path: '', isPlain: false }, file.names),
    ),
]

/** Lines around a position, each of bounded length. */
export const linesAround = ({ lines }: TextFile, line: number, reach: number): string =>
  lines
    .slice(Math.max(0, line - reach), line + reach + 1)
    .map((one) => one.slice(0, 500))
    .join('\n')

/** The host of a download address without a scheme. */
const BARE_HOST =
  /\b(?:curl|wget|iwr|irm)\s{1,4}(?:-{1,2}[\w-]{1,30}\s{1,4}){0,6}["']?((?:[a-z0-9-]{1,40}\.){1,4}[a-z]{2,12}(?:\/[^\s"'|)]{0,200})?)(?=["'\s|)])/i

/** Lines above a command in which variable assignments are searched. */
const SETTING_REACH = 40

/** Replaces variables by literals assigned above a command: twice, since addresses may be composed of parts. */
export const expandVariables = (
  command: string,
  { file, line }: Pick<Place, 'file' | 'line'>,
): string => {
  if (!/\$\{?\w/.test(command)) return command
  const above = file.lines
    .slice(Math.max(0, line - SETTING_REACH), line + 1)
    .map((one) => one.slice(0, 300))
    .join('\n')
  const put = (text: string): string =>
    text.slice(0, 1_000).replace(/\$\{?(\w{1,30})\}?/g, (whole, name: string) => {
      const assignment = String.raw`(?:^|[\s;$])${name}\s{0,3}=\s{0,3}["']?([^\s"';]{1,200})`
      return new RegExp(assignment, 'm').exec(above)?.[1] ?? whole
    })
  return put(put(command))
}

/** Judges code from an address: no finding if its owner is known, the worst severity if nobody is accountable. */
export const judgeSource = (
  text: string,
  place: Pick<Place, 'file' | 'line' | 'region'>,
): Judgement => {
  const { file, region } = place
  const expanded = expandVariables(text, place)
  const bare = BARE_HOST.exec(expanded)?.[1]
  const command = expanded.includes('://') || !bare ? expanded : `https://${bare}`
  const [first] = judgeAddresses(command, file)
  // No address: a variable, or prose about such commands.
  if (!first) {
    if (/\$\{?\w|\$\(|%\w{1,30}%/.test(text)) return ['low', 'from an address in a variable']
    return region === 'prose' || region === 'table' ? undefined : ['low', 'without an address']
  }
  const { kind, address } = first
  if (isTrusted(kind))
    return kind === 'own' || kind === 'known' ? ['low', TRUST_REASON[kind] ?? ''] : undefined
  return (isSuspicious(kind) && kind !== 'odd') || (address.isPlain && kind !== 'code')
    ? 'high'
    : 'medium'
}

/** Judges a package from an address; `otherwise` applies if its owner is neither known nor suspicious. */
export const judgePackage = (
  url: string,
  file: TextFile,
  otherwise: Judgement,
  isPackage: (address: Address) => boolean = () => true,
): Judgement => {
  const address = readAddress(url)
  if (!address || !isPackage(address)) return undefined
  const kind = judgeHost(address, file.names)
  if (isTrusted(kind) || kind === 'code') return undefined
  return isSuspicious(kind) || address.isPlain ? 'high' : otherwise
}
