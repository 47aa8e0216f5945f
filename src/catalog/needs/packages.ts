import type { ShellCommand } from './shell.ts'

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

const PROGRAMS = new Set(
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

/** The packages that a command installs or fetches to run, with their registry. */
export const readPackages = ({ words }: ShellCommand): { registry: string; name: string }[] => {
  if (!PROGRAMS.has(words[0] ?? '') || words.length < 2) return []
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
      .map((name) => ({ registry, name }))
  )
}
