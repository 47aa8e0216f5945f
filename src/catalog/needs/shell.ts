/** Words that a shell knows itself, and programs that say nothing of what a skill needs. */
const IN_EVERY_SHELL = new Set(
  `if then else elif fi for do done while until case esac in function select coproc return exit break continue
  local declare typeset readonly unset shift eval trap set shopt source alias unalias export cd pushd popd echo
  printf read test true false wait let sleep clear pwd type command builtin hash history jobs fg bg kill ulimit umask
  and or not begin end param foreach try catch finally throw switch cat ls ll dir mkdir cp mv rm rmdir touch head tail
  sort uniq wc tee cut tr chmod chown ln which where whoami date dirname basename realpath env xargs less more man help
  seq yes tac rev paste join fold du df ps time rem pause goto call mapfile getopts disown stty id uname hostname sync
  write-host write-output set-location del copy move mktemp split nproc timeout readarray elseif import from except
  with def class raise finally assert`.split(/\s+/),
)

/** Words before a command that only say when or how it is run. */
const LEADING = new Set(
  'if then else elif do while until ! { ( exec time nohup sudo command'.split(' '),
)

/** Programs that are known by their names alone, where a line may as well be prose. */
const KNOWN = new Set(
  `git gh npm npx pnpm yarn bun bunx deno node tsx tsc python python3 pip pip3 pipx uv uvx poetry conda pytest ruff mypy
  cargo rustup go ruby gem bundle php composer java mvn gradle dotnet docker docker-compose podman kubectl helm terraform
  ansible aws gcloud az vercel netlify wrangler flyctl heroku supabase firebase stripe curl wget jq yq sed awk grep rg
  find ffmpeg convert magick pandoc make cmake brew apt apt-get snap systemctl ssh scp rsync psql mysql sqlite3 redis-cli
  mongosh playwright claude codex gemini opencode cursor swift xcodebuild flutter dart adb expo eas bash sh zsh sudo
  d2 mmdc plantuml typst pdflatex xelatex latexmk soffice libreoffice tesseract exiftool magick yt-dlp ollama hugo
  rclone shellcheck hadolint trivy semgrep tofu terragrunt eslint prettier vitest jest
  tar unzip zip openssl gpg base64 tmux vim code dbt airflow astro pulumi k6 wrk`.split(/\s+/),
)

/** Those of them that are English words as well: alone on a line of a sample they may begin a sentence. */
const ENGLISH = new Set(
  'go find make convert code snap swift cursor bundle java ruby node composer'.split(' '),
)

const NAME = /^(?:[a-z][\w+-]{0,39}(?:\.\d{1,3}){0,2}|Rscript)$/
/** What ends as no name does, and what stands for any command. */
const NO_NAME =
  /[+-]$|^(?:some|my|your|another|any|do)[_-](?:[\w-]*[_-])?(?:command|cmd|program|tool|app|script|task|something)$|^(?:command|cmd|program|foo|bar)$|_task$/
const ASSIGNMENT = /^\$?[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/

/** A simple command of a shell text. */
interface SimpleCommand {
  /** Its words without quotes; variables are as written. */
  words: string[]
  /** Place of its first word in the text. */
  at: number
}

/** Characters of a list or a sum that are looked at for its end. */
const LIST_LIMIT = 400

/** Commands in commands beyond this depth are not told apart; nobody writes them so. */
const DEPTH_LIMIT = 20

/** Reads a shell text, one sign after the other, as its simple commands. */
class ShellReader {
  readonly #text: string
  readonly #commands: SimpleCommand[] = []
  /** Functions that the text defines: to call one is no command of the system. */
  readonly #own = new Set<string>()
  #words: string[] = []
  #word = ''
  #hasWord = false
  #start = 0
  #isQuoted = false
  /** What the commands around this one had been. */
  readonly #outer: { words: string[]; word: string; start: number; isQuoted: boolean }[] = []
  #heredocs: string[] = []

  constructor(text: string) {
    this.#text = text
  }

  read(): SimpleCommand[] {
    const text = this.#text
    let at = 0
    while (at < text.length) at = this.#step(text, at)
    if (!this.#isQuoted) this.#endCommand()
    return this.#commands.filter(({ words: [name = ''] }) => !this.#own.has(name))
  }

  #step(text: string, at: number): number {
    const sign = text[at]!
    if (sign === '\\') {
      // A line that goes on.
      if (text[at + 1] === '\n') return at + 2
      // A macro of LaTeX, an alias set aside: what follows is no program's name.
      if (!this.#hasWord && this.#words.length === 0) this.#take(at, '\\')
      this.#take(at, text[at + 1] ?? '')
      return at + 2
    }
    if (sign === '$' && text[at + 1] === '(' && text[at + 2] !== '(') return this.#open(at)
    if (sign === '"') {
      this.#isQuoted = !this.#isQuoted
      this.#take(at, '')
      return at + 1
    }
    if (this.#isQuoted) return this.#takeRun(text, at, isPlainQuoted)
    switch (sign) {
      case "'":
        return this.#takeQuotation(text, at)
      case ' ':
      case '\t':
      case '\r':
        this.#endWord()
        return at + 1
      case '\n':
        this.#endCommand()
        return this.#skipHeredocs(text, at + 1)
      case ';':
        this.#endCommand()
        return at + 1
      case '|':
        // Between words without blanks it parts what one may choose from: `--format=json|text`.
        if (isBetweenWords(text, at)) return this.#takeRun(text, at, isPlain)
        this.#endCommand()
        return at + (text[at + 1] === '|' || text[at + 1] === '&' ? 2 : 1)
      case '&':
        // `2>&1` and `&>` lead output elsewhere.
        if (text[at - 1] === '>' || text[at + 1] === '>') this.#take(at, sign)
        else this.#endCommand()
        return at + 1
      case '(':
        if (this.#hasWord && this.#words.length === 0 && text[at + 1] === ')') {
          this.#own.add(this.#word)
          this.#drop()
          return at + 2
        }
        if (text[at + 1] === '(') return this.#takeThrough(text, at, '))')
        if (this.#hasWord && this.#word.endsWith('=')) return this.#takeThrough(text, at, ')')
        if (this.#hasWord && this.#words.length === 0) {
          // A call of another language.
          this.#drop()
          return endOfLine(text, at)
        }
        this.#endCommand()
        return at + 1
      case ')':
        return this.#close(at)
      case '#':
        if (this.#hasWord) break
        return endOfLine(text, at)
      case '<':
        if (text[at + 1] === '<' && text[at + 2] !== '<') return this.#takeHeredoc(text, at)
    }
    return this.#takeRun(text, at, isPlain)
  }

  #take(at: number, part: string): void {
    if (!this.#hasWord && this.#words.length === 0) this.#start = at
    this.#hasWord = true
    this.#word += part
  }

  /** Takes all plain signs from here on, at least one. */
  #takeRun(text: string, at: number, isTaken: (code: number) => boolean): number {
    let end = at + 1
    while (end < text.length && isTaken(text.charCodeAt(end))) end += 1
    this.#take(at, text.slice(at, end))
    return end
  }

  /** Takes sums and lists, in which no command stands. */
  #takeThrough(text: string, at: number, mark: string): number {
    const found = text.slice(at, at + LIST_LIMIT).indexOf(mark)
    this.#take(at, '()')
    return found < 0 ? at + 1 : at + found + mark.length
  }

  #takeQuotation(text: string, at: number): number {
    const end = text.indexOf("'", at + 1)
    // An apostrophe that nothing closes is one.
    this.#take(at, end < 0 ? "'" : text.slice(at + 1, end))
    return end < 0 ? at + 1 : end + 1
  }

  #takeHeredoc(text: string, at: number): number {
    HEREDOC.lastIndex = at
    const [all, mark] = HEREDOC.exec(text) ?? []
    if (all === undefined || mark === undefined) return this.#takeRun(text, at, isPlain)
    this.#heredocs.push(mark)
    return at + all.length
  }

  #skipHeredocs(text: string, from: number): number {
    let at = from
    for (const mark of this.#heredocs) {
      while (at < text.length) {
        const end = endOfLine(text, at)
        const line = end - at > 200 ? '' : text.slice(at, end).trim()
        at = end + 1
        if (line === mark) break
      }
    }
    this.#heredocs = []
    return at
  }

  #open(at: number): number {
    if (this.#outer.length >= DEPTH_LIMIT) {
      this.#take(at, '$')
      return at + 1
    }
    this.#take(at, '$()')
    this.#outer.push({
      words: this.#words,
      word: this.#word,
      start: this.#start,
      isQuoted: this.#isQuoted,
    })
    this.#drop()
    this.#isQuoted = false
    return at + 2
  }

  #close(at: number): number {
    const outer = this.#outer.pop()
    if (!outer) {
      // A subshell ends, or the label of a case, which has one word.
      if (this.#words.length === 0) this.#drop()
      else this.#endCommand()
      return at + 1
    }
    this.#endCommand()
    this.#words = outer.words
    this.#word = outer.word
    this.#start = outer.start
    this.#isQuoted = outer.isQuoted
    this.#hasWord = true
    return at + 1
  }

  #endWord(): void {
    if (!this.#hasWord) return
    // `FOO=bar` and `sudo` before a command are no part of it.
    const isBefore =
      this.#words.length === 0 &&
      (LEADING.has(this.#word) || ASSIGNMENT.test(this.#word) || this.#word.startsWith('-'))
    if (!isBefore) this.#words.push(this.#word)
    this.#word = ''
    this.#hasWord = false
  }

  #endCommand(): void {
    this.#endWord()
    if (this.#words.length > 0) this.#commands.push({ words: this.#words, at: this.#start })
    this.#drop()
  }

  #drop(): void {
    this.#words = []
    this.#word = ''
    this.#hasWord = false
  }
}

const HEREDOC = /<<-?[ \t]{0,3}["']?([A-Za-z_]\w{0,40})["']?/y

/** Signs that mean something outside of quotes, and inside of double ones. */
const markOf = (signs: string): Uint8Array => {
  const marks = new Uint8Array(128)
  for (const sign of signs) marks[sign.charCodeAt(0)] = 1
  return marks
}
const MARKS = markOf('\\$"\' \t\r\n;|&()#<')
const QUOTED_MARKS = markOf('\\$"')
const isPlain = (code: number): boolean => code > 127 || MARKS[code] === 0
const isPlainQuoted = (code: number): boolean => code > 127 || QUOTED_MARKS[code] === 0

const isBetweenWords = (text: string, at: number): boolean =>
  /\w/.test(text.charAt(at - 1)) && /\w/.test(text.charAt(at + 1))

const endOfLine = (text: string, at: number): number => {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** What stands before a command that is shown with its output. */
const PROMPT =
  /^[ \t]{0,8}(?:\$|PS [^>\n]{0,60}>|[\w.-]{1,30}@[\w.-]{1,30}[:~ ][^$#\n]{0,60}[$#]) (?=\S)/

const LINE_LIMIT = 2_000

/** Where in a text the commands are: after prompts where there are any, since what stands between is output. */
const listCommandRanges = (text: string): { from: number; to: number }[] | undefined => {
  if (!text.includes('$ ') && !text.includes('PS ')) return undefined
  const ranges: { from: number; to: number }[] = []
  let from = 0
  let goesOn = false
  for (const line of text.split('\n')) {
    const prompt = PROMPT.exec(line.slice(0, LINE_LIMIT))?.[0]
    if (goesOn) ranges.at(-1)!.to = from + line.length
    else if (prompt !== undefined)
      ranges.push({ from: from + prompt.length, to: from + line.length })
    goesOn = (goesOn || prompt !== undefined) && line.endsWith('\\')
    from += line.length + 1
  }
  return ranges.length > 0 ? ranges : undefined
}

/** How a program is told to install or to fetch and run packages: the words before their names. */
const INSTALLERS: readonly { registry: string; begins: RegExp; takesOne?: boolean }[] = [
  {
    registry: 'PyPI',
    begins:
      /^(?:(?:uv )?pip3? install|python3? -m pip install|(?:uv|poetry|pdm) add|pipx install|uv tool install) /,
  },
  { registry: 'PyPI', begins: /^(?:uvx|pipx run|uv tool run) /, takesOne: true },
  {
    registry: 'npm',
    begins: /^(?:npm (?:i|install|add)|(?:pnpm|yarn|bun) (?:global )?(?:add|install|i)) /,
  },
  { registry: 'npm', begins: /^(?:npx|bunx|(?:pnpm|yarn) dlx|npm exec) /, takesOne: true },
  { registry: 'Homebrew', begins: /^brew install / },
  { registry: 'Debian', begins: /^apt(?:-get)? install / },
  { registry: 'crates.io', begins: /^cargo (?:install|add) / },
  { registry: 'Go', begins: /^go (?:install|get) / },
  { registry: 'RubyGems', begins: /^gem install / },
  { registry: 'conda', begins: /^(?:conda|mamba) install / },
  { registry: 'NuGet', begins: /^dotnet (?:add package|tool install) / },
]

const PACKAGE_PROGRAMS = new Set(
  'uv pip pip3 python python3 poetry pdm pipx uvx npm npx pnpm yarn bun bunx brew apt apt-get cargo go gem conda mamba dotnet'.split(
    ' ',
  ),
)

/** Options whose next word is their value. */
const VALUED = new Set(
  `-r --requirement -c --constraint -i --index-url --extra-index-url -t --target --prefix --channel --python --with
  --features --version --registry -w --workspace --filter --tool-path --framework --source --git --branch --tag --path
  --group --extra --platform --project -C`.split(/\s+/),
)

/** Options of programs that run one package, which name it where its command has another name. */
const NAMES_PACKAGE = new Set(['--from', '-p', '--package', '--spec'])

const PACKAGE = /^@?[a-z0-9](?:[\w.+-]*[a-z0-9])?(?:\/[\w.+-]+){0,8}$/i
const HAS_SLASH: ReadonlySet<string> = new Set(['Homebrew', 'Go'])
const PLACEHOLDER =
  /^(?:your|my|some|the|package|packages|pkg|name|foo|bar|baz|x|needed|module|dependency|library|crate|gem|tool|new|old)(?:[-_.\d].*)?$|(?:^|[-_/])(?:name|packages?|pkg)$|^example|\.(?:txt|toml|json|whl|tgz|gz|py|js|deb|sh|ya?ml)$|^\d/i

/** `requests`, of `requests==2.1`, `requests@2` and `requests[socks]`. */
const bareName = (word: string): string => {
  const end = word.slice(1).search(/@|\[|[=<>~!]=?|;/)
  return end < 0 ? word : word.slice(0, end + 1)
}

/** The packages that a command installs or fetches to run, each with its registry: `requests (PyPI)`. */
const listPackages = (words: readonly string[]): string[] => {
  if (!PACKAGE_PROGRAMS.has(words[0] ?? '') || words.length < 2) return []
  // Output that goes elsewhere names a file.
  const redirect = words.findIndex((word) => /^\d?[<>]/.test(word))
  const read = (redirect < 0 ? words : words.slice(0, redirect)).slice(0, 200)
  const plain = read.filter((word) => word !== '-g' && word !== '--global' && word !== '-y')
  const command = `${plain.join(' ')} `
  const installer = INSTALLERS.find(({ begins }) => begins.test(command))
  if (!installer) return []
  const rest = command.slice(installer.begins.exec(command)?.[0].length).trim().split(' ')
  const { registry, takesOne = false } = installer
  const names: string[] = []
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    if (takesOne && NAMES_PACKAGE.has(word)) names.unshift(rest[at + 1] ?? '')
    if (VALUED.has(word) || NAMES_PACKAGE.has(word)) at += 1
    // A name of one's own for a package, as `react17@npm:react@17`, is none.
    else if (!word.startsWith('-') && !word.includes('@npm:')) names.push(word)
    if (takesOne && names.length > 0) break
  }
  return (
    names
      .map(bareName)
      .filter((name) => PACKAGE.test(name) && !PLACEHOLDER.test(name))
      // Elsewhere a name with a slash is a folder.
      .filter((name) => !name.includes('/') || HAS_SLASH.has(registry) || name.startsWith('@'))
      .map((name) => `${name} (${registry})`)
  )
}

/** What a command of a shell text needs. */
interface ShellCommand {
  /** Place of its first word in the text. */
  at: number
  /** Its program; undefined of words that every shell knows. */
  program: string | undefined
  packages: string[]
}

/** Reads shell text as its simple commands; keywords, assignments, comments and texts in it are none. */
const readShell = (text: string): ShellCommand[] =>
  (listCommandRanges(text) ?? [{ from: 0, to: text.length }]).flatMap(({ from, to }) =>
    new ShellReader(text.slice(from, to))
      .read()
      // A command of PowerShell itself, such as `Out-Null`, and an assignment in it.
      .filter(({ words: [name = '', next] }) => {
        return NAME.test(name) && !NO_NAME.test(name) && next !== '=' && next !== '+='
      })
      .map(({ words, at }) => ({
        at: at + from,
        program: IN_EVERY_SHELL.has(words[0]!.toLowerCase()) ? undefined : words[0],
        packages: listPackages(words),
      })),
  )

/** A first word, and another that is no word of a sentence: reading the rest is for these alone. */
const MAY_RUN = /^(?:\$ |sudo )?([a-z][\w.+-]{0,39}) \S/

/** Reads the lines of a fence that says nothing of its language: those after a prompt, and those of known programs. */
const readSample = (text: string): ShellCommand[] => {
  if (listCommandRanges(text)) return readShell(text)
  const commands: ShellCommand[] = []
  let from = 0
  for (const line of text.split('\n')) {
    const name = MAY_RUN.exec(line)?.[1]
    if (name !== undefined && KNOWN.has(name) && !ENGLISH.has(name))
      for (const command of readShell(line.slice(0, LINE_LIMIT)))
        commands.push({ ...command, at: command.at + from })
    from += line.length + 1
  }
  return commands
}

/**
 * Reads the commands of a text: of a script or a fence of shell, of a fence that says nothing of its language, or of
 * inline code, which is one where it begins with a program that is known and does something.
 */
export const readCommands = (text: string, kind: 'shell' | 'sample' | 'inline'): ShellCommand[] => {
  if (kind === 'sample') return readSample(text)
  return kind === 'shell' || KNOWN.has(MAY_RUN.exec(text)?.[1] ?? '') ? readShell(text) : []
}
