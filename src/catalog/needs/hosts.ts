/** Labels of sample hosts, which nobody asks. */
const NO_LABEL =
  /^(?:example.*|.*-example|your.*|my(?:[-_].*|app|site|domain|store|shop|company|org|bucket|server|host|account|project|cluster|instance|team|workspace|registry|service|api|blog|website|db|proxy|vault|resource|function|tenant|image|index)?|.+-(?:url|id|name|domain|host|placeholder)|placeholder|foo|bar|baz|acme.*|contoso.*|fabrikam.*|northwind|tenant|account|subdomain|yourdomain|domain|hostname|(?:.*-)?x{2,}|some|somewhere|abc\d*|xyz|username|dummy|sample.*|mycompany|evil|attacker.*|malicious.*)$/

/** Names before an ending that stand for any. */
const NO_NAME =
  /^(?:company|site|website|server|service|product|brand|client|customer|competitor.*|rival.*|url|cdn|target|vendor|corp|corporation|startup|store|shop|blog|email|host|org|app|page|link|image|images|a|b|c|x|y|test|old|new|public|internal|production|staging|instance|(?:site|domain)\d+|some-.*|external(?:-(?:api|vendor|service|site|server|system))?|custom-(?:endpoint|domain|host|api|server))$/

/** Hosts of names that are no addresses, and endings for tests. */
const NO_HOST =
  /^(?:(?:www\.)?w3\.org|(?:www\.)?schema\.org|schemas?\..*|json-schema\.org|purl\.org|ogp\.me)$/
const NO_ENDING = /^(?:example|test|invalid|local|localhost|internal|lan|home|corp|svc)$/

/** Words before an address that names a language or a schema and is never asked. */
const IS_NAMING =
  /xmlns|schema"?\s?[=:]|schemaLocation|"\$id"|@context|@link\(|DOCTYPE|setFeature\(|namespace/i

const HOST = /[\w.-]{1,253}/y
const IS_HOST = /^(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,24}$/
/** Bare addresses, but for those that are reached from inside alone and those of samples (RFC 1918, RFC 5737). */
const IS_ADDRESS = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/
const NO_ADDRESS =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|192\.0\.2|198\.51\.100|203\.0\.113|25[0-5])\.|^1\.2\.3\.4$/
const SAMPLE_PATH =
  /(?::\d{2,5})?\/(?:@|in\/|company\/|user\/)?(?:example|your|my[-_]|acme|username\b|handle\b|owner\/|org\/|xxx|project\b|repo\b|paper\b|10\.1234)|(?::\d{2,5})?\/(?:[\w.~-]{1,40}\/){0,3}(?:your[-_]|you\/)/iy

/**
 * Reads the host of an http address whose `://` stands at a place; undefined of sample hosts and sample pages,
 * of names of XML and of what is no host.
 */
export const readHost = (text: string, at: number): string | undefined => {
  if (!text.startsWith('http', at - 4) && !text.startsWith('https', at - 5)) return undefined
  HOST.lastIndex = at + 3
  const host = (HOST.exec(text)?.[0] ?? '').toLowerCase().replace(/[.-]{1,3}$/, '')
  const isAddress = IS_ADDRESS.test(host)
  if (isAddress ? NO_ADDRESS.test(host) : !IS_HOST.test(host)) return undefined
  const end = at + 3 + host.length
  // A name and a password, or a part that is to be filled in.
  if (/[@{<[$%(]/.test(text.charAt(end))) return undefined
  if (isAddress) return host
  const labels = host.split('.')
  const ending = labels.pop() ?? ''
  if (NO_ENDING.test(ending) || NO_HOST.test(host)) return undefined
  if (NO_NAME.test(labels.at(-1) ?? '') || labels.some((label) => NO_LABEL.test(label)))
    return undefined
  SAMPLE_PATH.lastIndex = end
  if (SAMPLE_PATH.test(text)) return undefined
  const before = text.slice(Math.max(0, at - 80), at)
  return IS_NAMING.test(before.slice(before.lastIndexOf('\n') + 1)) ? undefined : host
}
