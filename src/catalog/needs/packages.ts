/** Commands that install packages or fetch and run one, by the registry that the names are of. */
const INSTALLS: Readonly<Record<string, string>> = {
  PyPI: 'pip install, pip3 install, python -m pip install, python3 -m pip install, uv pip install, uv add, poetry add, pdm add, pipx install, uv tool install',
  npm: 'npm i, npm install, npm update, npx expo install, npm add, pnpm add, pnpm i, pnpm install, yarn add, yarn global add, bun add, bun i, bun install',
  Homebrew: 'brew install',
  Debian: 'apt install, apt-get install',
  'crates.io': 'cargo install, cargo add',
  Go: 'go install, go get',
  RubyGems: 'gem install',
  conda: 'conda install, mamba install',
  NuGet: 'dotnet add package, dotnet tool install',
}
const RUNS: Readonly<Record<string, string>> = {
  PyPI: 'uvx, pipx run, uv tool run',
  npm: 'npx, bunx, pnpm dlx, yarn dlx, npm exec, bun x',
}

const tabulate = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(table).flatMap(([registry, all]) =>
      all.split(', ').map((words) => [words, registry]),
    ),
  )
const REGISTRY_OF_INSTALL = tabulate(INSTALLS)
const REGISTRY_OF_RUN = tabulate(RUNS)

/** Words of the longest of these commands. */
const LONGEST = 4

/** Options whose next word is their value; `--from` and `-p` name the package of a program that is run. */
const VALUED = new Set(
  `-r --requirement -c --constraint -i --index-url --extra-index-url -t --target --prefix --channel --python --with
  --features --version --registry -w --workspace --filter --tool-path --framework --source --git --branch --tag --path
  --group --extra --optional --platform --project -C -m`.split(/\s+/),
)
const NAMES_PACKAGE = new Set(['--from', '-p', '--package', '--spec'])

const PACKAGE = /^@?[a-z0-9](?:[\w.+-]*[a-z0-9])?(?:\/[\w.+-]+){0,8}$/i
const HAS_SLASH: ReadonlySet<string> = new Set(['Homebrew', 'Go'])
const PLACEHOLDER =
  /^(?:your|my|some|the|packages?|pkg|name|foo|bar|x|example)(?:[-_.\d].*)?$|[-_/](?:name|packages?|pkg)$|^\d/i
const IS_FILE = /\.(?:txt|toml|json|whl|tgz|gz|py|js|deb|sh|ya?ml)$/i

/** `requests`, of `requests==2.1`, `requests@2` and `requests[socks]`. */
const bareName = (word: string): string => {
  const end = word.slice(1).search(/[@[=<>~!;]/)
  return end < 0 ? word : word.slice(0, end + 1)
}

/** A package with its registry, `requests (PyPI)`; undefined of a file, an address or a name to be filled in. */
export const namePackage = (word: string, registry: string): string | undefined => {
  const name = bareName(word)
  if (!PACKAGE.test(name) || PLACEHOLDER.test(name) || IS_FILE.test(name)) return undefined
  // Elsewhere a name with a slash is a folder.
  const isFolder = name.includes('/') && !name.startsWith('@') && !HAS_SLASH.has(registry)
  return isFolder ? undefined : `${name} (${registry})`
}

/** The packages that a command installs or fetches to run. */
export const listPackages = (words: readonly string[]): string[] => {
  for (let count = Math.min(LONGEST, words.length); count > 0; count -= 1) {
    const command = words.slice(0, count).join(' ')
    const registry = REGISTRY_OF_INSTALL.get(command) ?? REGISTRY_OF_RUN.get(command)
    if (registry === undefined) continue
    const isRun = REGISTRY_OF_RUN.has(command)
    const names: string[] = []
    for (let at = count; at < words.length; at += 1) {
      const word = words[at]!
      if (isRun && NAMES_PACKAGE.has(word)) names.push(words[at + 1] ?? '')
      if (VALUED.has(word) || NAMES_PACKAGE.has(word)) at += 1
      // `react17@npm:react@17` is a name of one's own for a package.
      else if (!word.startsWith('-') && !word.includes('@npm:')) names.push(word)
    }
    // The words behind a program that is run are its own.
    return names
      .slice(0, isRun ? 1 : undefined)
      .flatMap((name) => namePackage(name, registry) ?? [])
  }
  return []
}
