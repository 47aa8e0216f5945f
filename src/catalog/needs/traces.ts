import { isSampleHost, takesWord } from '../safety/hosts.ts'
import { KNOWN, LOGGED_IN, SERVICES } from './tables.ts'

// Effects outside the project: hosts, logins, and paths that commands write.

/** The part of an address that names the host: `https://user@get-fast.top:80/x`, `git@get-fast.top:x`. */
const AUTHORITY =
  /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/([^/?#'"`\s,]{1,300})|([\w.-]{1,60}@[^:/'"`\s]{3,253}):)/i
/** A placeholder for a part of a host: `<tenant>`, `[tenant]`, `${REGION}`, `$REGION`, `YOUR_TENANT`, `xxx`. */
const PLACEHOLDER =
  /\$?\{[^{}]{1,60}\}|\$\w{1,60}|[<‹][^<>‹›]{1,60}[>›]|\[[a-z][\w-]{0,60}\](?=\.)|(?<![\w-])(?:[A-Z][A-Z0-9]{0,40}_[A-Z0-9_]{1,40}|x{3,9}(?=\.[\w-]+\.))(?![\w-])/g
/** A name whose last two parts are no placeholders, or an address of IPv4 or IPv6. */
const IS_HOST =
  /^(?:[\w*-]{1,63}\.){0,10}[a-z0-9-]{1,63}\.(?:[a-z]{2,24}|xn--[a-z0-9-]{1,59})$|^(?:\d{1,3}\.){3}\d{1,3}$|^\[[\da-f:.]{2,45}\]$/
/** A placeholder that is written like a host: `your-shelf.dev`, `<worker>.<account>.workers.dev`. */
const SAMPLE = /^\*\.\*\.|^10\.0\.2\.2$|(?:^|\.)(?:your|my)-/

/** Whether an address leads to documentation that people read, not to a text or service for programs. */
export const isReference = (address: string): boolean =>
  !/(?:\.(?:txt|md|json)|mcp)\/?$/i.test(address) &&
  /^https?:\/\/(?:(?:docs?|developers?|learn|help|support|wiki|blog)\.|[^/]{1,200}\/(?:[^?#]{0,100}\/)?(?:docs?|documentation|guides?|blog|wiki)(?:[/?#]|$))/i.test(
    address,
  )

/**
 * The host of an address, in ASCII, with `*` for each placeholder. Undefined if the address names no host, a sample or the
 * reader's own network, or has other characters than a host.
 */
export const readHost = (address: string): string | undefined => {
  const [, ofUrl, ofGit] = AUTHORITY.exec(address) ?? []
  const authority = ofUrl ?? ofGit ?? ''
  const masked = authority
    .replace(/^.*@/, '')
    .replace(PLACEHOLDER, '*')
    .replace(/:(?:\d{0,5}|\*)$/, '')
  const host = URL.parse(`http://${masked}`)?.hostname.replace(/\.$/, '') ?? ''
  if (SAMPLE.test(host) || isSampleHost(host) || IN_NETWORK.test(masked)) return undefined
  return IS_HOST.test(host) && !/[^\p{L}\p{N}_.:*[\]%-]|%(?![\da-f]{2})/iu.test(masked)
    ? host
    : undefined
}

/** An address of the machine itself. A name alone is rather the host that a server listens on: `--host 0.0.0.0`. */
const IS_LOCAL =
  /^(?:[a-z]+:\/\/(?=\S)|(?=[^:/]{1,20}[:/]))(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])(?=[:/?#]|$)(?![^/?#]{0,200}@)/i

export const isLocal = (address: string): boolean => IS_LOCAL.test(address)

/** A name in the reader's own network, where a name needs no dot, or a part of code. */
const IN_NETWORK =
  /^(?:[a-z_][\w-]*|\[[\w-]+\])(?::|$)|\.(?:local|internal|lan|svc)(?::|$)|\.\.\.$|^\$?\{[^}]*$/i

/** A word that can be a host with a path. */
const TARGET =
  /^(?:[^@\s/]{1,60}@)?((?:[\p{L}\d_-]{1,63}\.){1,10}\p{L}[\p{L}\d-]{1,60}|(?:\d{1,3}\.){3}\d{1,3})(:\S*|\/\S*)?$/u
/** A word that is rather a file: `out.json`. */
const FILE =
  /\.(?:json|txt|md|html?|xml|ya?ml|csv|zip|t?gz|tar|sh|py|[jt]s|pem|key|pub|log|pdf|png|jpe?g|svg|toml|conf|sql)$/i
const COPIES = /^(?:scp|rsync)$/
const DOWNLOADS = /^(?:curl|wget)$/

/** The hosts that the arguments of a network program name without a scheme: `ssh a@get-fast.top`. */
export const listTargets = ([program = '', ...words]: readonly string[]): string[] => {
  const isHost = (word: string, rest: string, option: string): boolean => {
    if (DOWNLOADS.test(program)) return !takesWord(option, program === 'curl')
    return COPIES.test(program) ? rest.startsWith(':') : word.includes('@') || !FILE.test(word)
  }
  return words.flatMap((word, at) => {
    const [, host = '', rest = ''] = TARGET.exec(word) ?? []
    if (host === '' || !isHost(word, rest, words[at - 1] ?? '')) return []
    return readHost(`http://${host}`) ?? []
  })
}

const LOGIN = /^(?:[\w-]{1,30} ){0,2}(?:login|signin|adduser)\b/
/** Login commands that LOGIN does not match, by program. */
const OTHER_LOGINS: Readonly<Record<string, RegExp>> = {
  aws: /^(?:configure|sso|sts)\b/,
  gcloud: /^init\b/,
  ngrok: /^config add-authtoken/,
  tailscale: /^up\b/,
  modal: /^(?:setup|token)\b/,
  databricks: /^configure\b/,
}

/** An option whose value is not the registry of a login. */
const CREDENTIAL = /^(?:-[up]|--username|--password)$/

/** Finds the service of a login. `command` ends with the login words, or is a program that needs a login. */
export const findLogin = (
  words: readonly string[],
): { command: string; service: string } | undefined => {
  const isRun = /^(?:npx|bunx)$/.test(words[0] ?? '')
  const [tool = '', ...rest] = isRun
    ? words.slice(1).filter((word) => !word.startsWith('-'))
    : words
  const program = tool.replace(/(?<=.)@.*$/, '')
  const end = rest.findIndex((word) => !/^[a-z][a-z0-9-]{0,29}$/.test(word))
  const line = rest.slice(0, end < 0 ? 4 : Math.min(end, 4)).join(' ')
  const isLogin = LOGIN.test(line) || OTHER_LOGINS[program]?.test(line)
  const isAsked = rest.length === 0 || /^--(?:version|help)$/.test(rest[0]!)
  if (!isLogin && (!LOGGED_IN.has(program) || isAsked)) return undefined
  const isOfService = LOGGED_IN.has(program) || KNOWN.has(program)
  const name = isOfService ? program.charAt(0).toUpperCase() + program.slice(1) : program
  const registry =
    program === 'docker' &&
    rest.findLast((word, at) => IS_HOST.test(word) && !CREDENTIAL.test(rest[at - 1]!))
  const service = (registry || SERVICES.get(program)?.replaceAll('_', ' ')) ?? name
  return { command: isLogin ? `${program} ${line}` : program, service }
}

/** A path in the home folder or at the system's root. */
const OUTSIDE = /^(?:~\/|%[A-Z_]{3,30}%|\/[a-z]{2,10}\/)(?=[\w.])/i
/** Temporary folders, and samples that stand for the project. */
const INSIDE =
  /^\/(?:tmp|private|var\/tmp|dev|path|absolute|your|abs|some|full|workspaces?|repo|project)\//i
/** Commands that write all their paths or only the last path, and options followed by a path to write. */
const WRITES_ALL = /^(?:mkdir|touch|tee|rm|chmod|chown)$/
const WRITES_LAST = /^(?:cp|mv|ln|install|rsync|git (?:clone|init)) /
const WRITES_NEXT =
  /^(?:unzip -d|tar -\w*C|\S+ (?:-[oO]|-out|--(?:output|output-dir|out|dir|prefix|target|install-dir)))$/
/** Commands that change the user's settings or start services. */
const CHANGES = [
  'git config --global',
  'npm config set',
  'systemctl (?:--user )?(?:enable|disable|start|stop|restart|mask)',
  'service \\S+ (?:start|stop|restart)',
  'launchctl (?:load|unload|bootstrap|bootout|kickstart)',
  'brew services (?:re)?start',
  'docker(?: |-)compose (?:-f \\S+ )?up',
  'defaults (?:write|delete)',
  'security (?:add|delete)-generic-password',
  'brew upgrade(?= \\S)',
  'apt(?:-get)? upgrade',
  'crontab',
  'claude mcp add (?:\\S+ ){0,3}(?:-s|--scope) user',
  'docker (?:system|volume|image) prune',
  'playwright install',
].map((command) => new RegExp(`^(?:npx |python3? -m )?${command}\\b`))

/** A path in the home folder, or of the system's settings and data. */
const OUTSIDE_PATH =
  /^(?:(?:~|\$\{?HOME\}?)\/(?=\.\w|[A-Z]|[\w-]+\/)|\/(?:etc|opt|usr\/local|var\/(?:lib|log))\/(?=\w))(?!.*(?:\.\.|\/(?:my|your)-))[\w./@+-]{1,150}$/
/** Folders where clients keep skills. */
const OF_CLIENTS = /(?:^|\/)skills(?:\/|$)/

/** The path outside the project that a word names. */
export const readOutside = (word: string): string | undefined =>
  OUTSIDE_PATH.test(word) && !OF_CLIENTS.test(word) ? word.replace(/^\$\{?HOME\}?/, '~') : undefined

/** The paths that a command writes outside the project, and commands that change the user's settings or services. */
export const findOutside = (words: readonly string[]): string[] => {
  const [name = ''] = words
  const line = words.slice(0, 8).join(' ')
  const targets = words.filter((_, at) => WRITES_NEXT.test(`${name} ${words[at - 1]}`))
  const written = WRITES_ALL.test(name)
    ? words
    : words.slice(WRITES_LAST.test(line) ? -1 : words.length)
  const paths = [...written, ...targets].filter(
    (word) => word.length < 200 && OUTSIDE.test(word) && !INSIDE.test(word),
  )
  const plain = paths.map((path) => path.replace(/\/?[$*{].*$/, ''))
  const change = CHANGES.flatMap((pattern) => pattern.exec(line)?.[0] ?? [])
  return [...plain, ...change]
}
