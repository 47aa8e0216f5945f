import { forEachChild, parse } from 'unbash'
import type { Command, SyntaxNode } from 'unbash'
import { SAMPLE_HOST } from '../safety/hosts.ts'
import { listPackages } from './packages.ts'

/** What every Unix has, which says nothing of what a skill needs. */
const EVERYWHERE = new Set(
  `return exit break continue local declare typeset readonly unset shift eval trap set shopt source alias unalias
  export cd pushd popd echo printf read test true false wait let sleep clear pwd type builtin hash history jobs fg bg
  kill ulimit umask cat ls ll dir mkdir cp mv rm rmdir touch head tail sort uniq wc tee cut tr chmod chown ln whoami
  date dirname basename realpath less more man help seq yes tac rev paste join fold du df ps rem pause call mapfile
  getopts stty id uname hostname sync del copy move mktemp split nproc readarray grep egrep find sed awk diff cmp comm
  import from def class const function raise open pgrep pkill lsof file stat expr tput nl od base64 md5sum sha256sum
  env readlink printenv reset logout bc gzip gunzip disown fmt cls chsh`.split(/\s+/),
)

/** Words before a command that only say when or how it is run. */
const LEADING = new Set(
  'sudo exec time nohup env command which where xargs timeout watch nice'.split(' '),
)

/** Programs that are known by their names alone, where a line may as well be prose or output. */
const KNOWN = new Set(
  `git gh glab npm npx pnpm yarn bun bunx deno node tsx tsc python python3 pip pip3 pipx uv uvx poetry conda pytest
  ruff mypy cargo rustup go ruby gem bundle rails php composer java mvn gradle dotnet docker docker-compose podman
  kubectl helm terraform tofu ansible aws gcloud az azd vercel netlify wrangler flyctl heroku supabase firebase stripe
  curl wget jq yq rg fd ffmpeg ffprobe magick pandoc cmake make brew apt apt-get systemctl ssh scp rsync psql mysql
  sqlite3 redis-cli mongosh playwright claude codex gemini opencode swift xcodebuild xcrun flutter dart adb eas expo
  bash sh zsh d2 mmdc plantuml typst pdflatex xelatex latexmk soffice tesseract pdftotext pdftoppm qpdf exiftool yt-dlp
  ollama hugo rclone shellcheck trivy semgrep eslint prettier vitest jest tar unzip zip openssl gpg tmux code dbt
  airflow astro pulumi k6`.split(/\s+/),
)

const NAME = /^[a-z][\w+-]{1,39}(?:\.\d{1,3}){0,2}$/
/** Stands for any command. */
const PLACEHOLDER =
  /^(?:your|my|some|any|other)[-_]|[-_](?:command|cmd|here|name)$|^(?:command|cmd|program|foo|bar|some|your|my)$/

const HOST = /^https?:\/\/([a-z0-9.-]{4,253})(?=[:/?#'"]|$)/i
const IS_HOST = /^(?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,24}$/

const readHost = (word: string): string | undefined => {
  const host = HOST.exec(word)?.[1]?.toLowerCase() ?? ''
  return IS_HOST.test(host) && !SAMPLE_HOST.test(host) ? host : undefined
}

/** What a shell text names. */
export class ShellNames {
  commands: string[] = []
  readonly packages: string[] = []
  readonly hosts: string[] = []
  /** Servers that a client of the Model Context Protocol is told to add. */
  readonly servers: string[] = []
  /** Variables that are read, and those that the reader is meant to set. */
  readonly variables: string[] = []
  readonly exported: string[] = []
  /** Variables that a line of their own gives a plain value, as a file of settings does. */
  readonly settings: string[] = []
  /** All variables that the text gives a value. */
  readonly assigned: string[] = []
  /** All words, in which paths stand. */
  readonly words: string[] = []
}

const LENGTH_LIMIT = 64 * 1024
/** Deeper commands in commands, and loops in loops, are not read. */
const DEPTH_LIMIT = 24

const wordsOf = ({ name, suffix }: Command): string[] =>
  [name, ...suffix].flatMap((word) => (word?.type === 'Word' ? word.value : []))

const isLeading = (word: string): boolean => LEADING.has(word) || /^[-\d]/.test(word)

/** Options of `mcp add` whose next word is their value. */
const VALUED = /^(?:-[tseH]|--(?:transport|scope|env|header|type))$/

const isArgument = (word: string, at: number, words: readonly string[]): boolean =>
  !word.startsWith('-') && !VALUED.test(words[at - 1] ?? '')

/** Variables that are given a plain value: what is computed nobody is asked for. */
const listPlain = (parts: Command['prefix'] | Command['suffix']): string[] =>
  parts.flatMap((one) => (one.type === 'Assignment' && !one.text.includes('$') ? one.name : []))

const takeCommand = (command: Command, into: ShellNames): void => {
  const all = wordsOf(command)
  into.words.push(...all)
  if (all[0] === 'read') into.assigned.push(...all.slice(1))
  if (all[0] === 'export') into.exported.push(...listPlain(command.suffix))
  if (all.length === 0) into.settings.push(...listPlain(command.prefix))
  const words = LEADING.has(all[0] ?? '') ? all.slice(all.findIndex((one) => !isLeading(one))) : all
  const [name = '', next = '', then] = words
  if (EVERYWHERE.has(name) || !NAME.test(name) || PLACEHOLDER.test(name) || next === '=') return
  into.commands.push(name)
  into.packages.push(...listPackages(words))
  into.hosts.push(...all.flatMap((word) => readHost(word) ?? []))
  if (next === 'mcp' && then === 'add') into.servers.push(words.slice(3).find(isArgument) ?? '')
}

const PROMPT = /^[ \t]{0,8}\$ /

/** The lines behind a prompt where there are any, since what stands between is output. */
const withoutOutput = (text: string): string => {
  const lines = text.split('\n').filter((line) => PROMPT.test(line))
  return lines.length > 0 ? lines.map((line) => line.replace(PROMPT, '')).join('\n') : text
}

const FIRST = /^(?:\$ |sudo )?([a-z][\w.+-]{0,39})(?: \S|$)/

/** Whether a text begins with a program that is known; its name alone will do where it is required. */
export const isCommand = (text: string, isRequired: boolean): boolean =>
  KNOWN.has(FIRST.exec(text)?.[1] ?? '') && (isRequired || text.includes(' '))

/** Between words without blanks it parts what one may choose from: `--format=json|text`. */
const CHOICE = /(?<=[\w\]])\|(?=[\w[])/g

/** Reads a shell text. Where it does not parse, or is not said to be shell, only known programs are its commands. */
export const readShell = (source: string, isStated: boolean): ShellNames => {
  const into = new ShellNames()
  const own = new Set<string>()
  let isSure = isStated
  const visit = (node: SyntaxNode, depth: number): void => {
    if (node.type === 'HereDoc' || depth > DEPTH_LIMIT) return
    if (node.type === 'Command') takeCommand(node, into)
    else if (node.type === 'Function') own.add(node.name.value)
    else if (node.type === 'Assignment') into.assigned.push(node.name)
    else if (node.type === 'For' || node.type === 'Select') into.assigned.push(node.name.value)
    else if (node.type === 'SimpleExpansion') into.variables.push(node.text.slice(1))
    else if (node.type === 'ParameterExpansion') into.variables.push(node.parameter)
    forEachChild(node, (child) => visit(child, depth + 1))
  }
  try {
    const script = parse(withoutOutput(source.slice(0, LENGTH_LIMIT)).replace(CHOICE, '/'))
    isSure &&= (script.errors?.length ?? 0) === 0
    visit(script, 0)
  } catch (error) {
    // Functions in functions without end exhaust the parser's stack.
    if (!(error instanceof RangeError)) throw error
  }
  into.commands = into.commands.filter((name) => !own.has(name) && (isSure || KNOWN.has(name)))
  return into
}
