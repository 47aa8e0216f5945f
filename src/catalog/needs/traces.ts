import { SAMPLE_HOST } from '../safety/hosts.ts'
import { KNOWN, LOGGED_IN, SERVICES } from './tables.ts'

// Effects outside the project: hosts, logins, and paths that commands write.

/** A placeholder before the domain of a service; capitals count as a placeholder. */
const TENANT =
  /^(?:\$?\{[^{}/]{1,60}\}|[<‹][^<>‹›/]{1,60}[>›]|[\w-]{0,40}[A-Z]{3}[\w-]{0,40})[.-](?=[\w-]{1,60}\.)/
const HOST = /^(?:[a-z]{2,10}:\/\/|git@)([^/:?#'"`\s]{4,253})/i
const IS_HOST = /^(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,24}$/
/** Hosts of schemas, which nothing calls, and placeholders. */
const NO_HOST =
  /^(?:www\.w3\.org|(?:.*\.)?schemas?\..*|json-schema\.org|purl\..*)$|(?:^|\.)(?:company|domain|website|site|contoso)\.\w+$/
/** A placeholder address of a repository. */
const SAMPLE_PATH =
  /^[a-z]+:\/\/[^/]+\/(?:org|owner|user|username|example|your\b|my\b)[\w-]{0,30}\//i

/** The host of an address; undefined for samples and placeholders. */
export const readHost = (address: string): string | undefined => {
  const host = HOST.exec(address)?.[1]?.replace(TENANT, '').toLowerCase() ?? ''
  const isSample = /abc123|12345|^tenant\./.test(host) || /\/(?:schemas?|xmlns|ns)\//.test(address)
  const isReal = !isSample && IS_HOST.test(host) && !SAMPLE_HOST.test(host) && !NO_HOST.test(host)
  return isReal && !SAMPLE_PATH.test(address) ? host : undefined
}

const LOGIN = /^(?:[\w-]{1,30} ){0,2}(?:login|signin|adduser)\b|^auth\b|^whoami\b/
/** Login commands that LOGIN does not match, by program. */
const OTHER_LOGINS: Readonly<Record<string, RegExp>> = {
  aws: /^(?:configure|sso|sts)\b/,
  gcloud: /^init\b/,
  ngrok: /^config add-authtoken/,
  tailscale: /^up\b/,
  modal: /^(?:setup|token)\b/,
  databricks: /^configure\b/,
}

/** Finds the service of a login. `command` ends with the login words, or is a program that needs a login. */
export const findLogin = (
  words: readonly string[],
): { command: string; service: string } | undefined => {
  const isRun = /^(?:npx|bunx)$/.test(words[0] ?? '')
  const [tool = '', ...rest] = isRun
    ? words.slice(1).filter((word) => !word.startsWith('-'))
    : words
  const program = tool.replace(/@.*$/, '')
  const end = rest.findIndex((word) => !/^[a-z][a-z0-9-]{0,29}$/.test(word))
  const line = rest.slice(0, end < 0 ? 4 : Math.min(end, 4)).join(' ')
  const isLogin = LOGIN.test(line) || OTHER_LOGINS[program]?.test(line)
  if (!isLogin && (!LOGGED_IN.has(program) || rest.length === 0)) return undefined
  const isOfService = LOGGED_IN.has(program) || KNOWN.has(program)
  const name = isOfService ? program.charAt(0).toUpperCase() + program.slice(1) : program
  const service = SERVICES.get(program)?.replaceAll('_', ' ') ?? name
  return { command: isLogin ? `${program} ${line}` : program, service }
}

/** A path in the home folder or at the system's root. */
const OUTSIDE = /^(?:~\/|%[A-Z_]{3,30}%|\/[a-z]{2,10}\/)(?=[\w.])/i
/** Temporary folders, and samples that stand for the project. */
const INSIDE =
  /^\/(?:tmp|private|var\/tmp|dev|path|absolute|your|abs|some|full|workspaces?|repo|project)\//i
/** Commands that write all their paths or only the last path, and options followed by a path to write. */
const WRITES_ALL = /^(?:mkdir|touch|tee|rm|chmod|chown)$/
const WRITES_LAST = /^(?:cp|mv|ln|install|rsync|git)$/
const WRITES_NEXT = /^(?:-[oOdC]|-out|--(?:output|output-dir|out|dir|prefix|target|install-dir))$/
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
  'brew upgrade',
  'apt(?:-get)? upgrade',
  'crontab',
  'claude mcp add (?:\\S+ ){0,3}(?:-s|--scope) user',
  'docker (?:system|volume|image) prune',
  'playwright install',
].map((command) => new RegExp(`^(?:npx |python3? -m )?${command}\\b`))

const OUTPUT = /^(?:-\w*o|--output|-O)$/

/** The file that a command downloads, and its host. */
export const readDownload = (
  words: readonly string[],
): { file: string; host: string } | undefined => {
  if (!/^(?:curl|wget)$/.test(words[0] ?? '')) return undefined
  const address = words.find((word) => HOST.test(word)) ?? ''
  const at = words.findIndex((word) => OUTPUT.test(word))
  const output = at > 0 ? words[at + 1] : undefined
  const file =
    output && !output.startsWith('-') && !HOST.test(output) ? output : /[^/]+$/.exec(address)?.[0]
  return file ? { file: file.replace(/^\.\//, ''), host: readHost(address) ?? 'a host' } : undefined
}

/** A path in the home folder, or of the system's settings and data. */
const OUTSIDE_PATH =
  /^(?:(?:~|\$\{?HOME\}?)\/(?=\.\w|[A-Z]|[\w-]+\/)|\/(?:etc|opt|usr\/local|var\/(?:lib|log))\/(?=\w))(?!.*\.\.)[\w./@+-]{1,150}$/
/** Folders where clients keep skills. */
const OF_CLIENTS = /(?:^|\/)skills(?:\/|$)/

/** The path outside the project that a word names. */
export const readOutside = (word: string): string | undefined =>
  OUTSIDE_PATH.test(word) && !OF_CLIENTS.test(word) ? word.replace(/^\$\{?HOME\}?/, '~') : undefined

/** The paths that a command writes outside the project, and commands that change the user's settings or services. */
export const findOutside = (words: readonly string[]): string[] => {
  const [name = ''] = words
  const targets = words.filter((_, at) => WRITES_NEXT.test(words[at - 1] ?? ''))
  const written = WRITES_ALL.test(name)
    ? words
    : words.slice(WRITES_LAST.test(name) ? -1 : words.length)
  const paths = [...written, ...targets].filter(
    (word) => word.length < 200 && OUTSIDE.test(word) && !INSIDE.test(word),
  )
  const plain = paths.map((path) => path.replace(/\/?[$*{].*$/, ''))
  const line = words.slice(0, 8).join(' ')
  const change = CHANGES.flatMap((pattern) => pattern.exec(line)?.[0] ?? [])
  return [...plain, ...change]
}
