import { PACKAGE_OF_PROGRAM, PLACEHOLDER_NAME } from './tables.ts'

/** Commands that install packages, by registry. A `*` marks commands that install outside the project. */
const INSTALLS: Readonly<Record<string, string>> = {
  PyPI: `pip install, pip3 install, python -m pip install, python3 -m pip install, py -m pip install, pipenv install,
    uv pip install, uv add, poetry add, pdm add, *pipx install, *uv tool install`,
  npm: `npm i, npm install, npm update, npm add, npx expo install, expo install, pnpm add, pnpm i, pnpm install,
    yarn add, *yarn global add, bun add, bun i, bun install`,
  Homebrew: '*brew install',
  Debian: '*apt install, *apt-get install',
  Fedora: '*dnf install, *yum install',
  Arch: '*pacman -S',
  Alpine: '*apk add',
  Snap: '*snap install',
  WinGet: '*winget install',
  Scoop: '*scoop install',
  Chocolatey: '*choco install',
  PowerShell: '*Install-Module, *Install-PSResource',
  'crates.io': '*cargo install, cargo add',
  Go: '*go install, go get',
  RubyGems: '*gem install, bundle add',
  conda: 'conda install, mamba install',
  NuGet: 'dotnet add package, dotnet tool install',
  JSR: 'deno add, deno install',
  Packagist: 'composer require',
  mise: '*mise use -g, *mise use --global',
}
/** Commands that fetch a package and run it. */
const RUNS: Readonly<Record<string, string>> = {
  PyPI: 'uvx, pipx run, uv tool run',
  npm: `npx, bunx, pnpm dlx, yarn dlx, npm exec, bun x, nlx, pnpx, npm create, pnpm create, yarn create,
    bun create`,
  Go: 'go run',
}

/** Maps each name in a table's lists to its key. */
const invert = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(table).flatMap(([value, all]) => all.split(/,\s+/).map((name) => [name, value])),
  )
const INSTALLED = invert(INSTALLS)
const REGISTRY_OF_RUN = invert(RUNS)

const withoutMark = (command: string): string => command.replace('*', '')

/** Programs that install packages. */
export const INSTALLERS: ReadonlySet<string> = new Set(
  [...INSTALLED.keys(), ...REGISTRY_OF_RUN.keys()].map(
    (command) => withoutMark(command).split(' ', 1)[0]!,
  ),
)

/** Finds the start of an install command in any kind of text. */
export const INSTALL_LINE = new RegExp(
  `(?<![\\w-])(?:${Array.from(INSTALLED.keys(), withoutMark)
    .sort((a, b) => b.length - a.length)
    .join('|')}) (?=[\\w@"'-])`,
  'g',
)

/** Number of words of the longest command in INSTALLS and RUNS. */
const LONGEST = 4

/** Whether a command installs but names no package. npm is excepted: it then installs the project's dependencies. */
export const isBareInstall = (words: readonly string[]): boolean => {
  const command = words.join(' ')
  const registry = INSTALLED.get(command) ?? INSTALLED.get(`*${command}`)
  return registry !== undefined && registry !== 'npm'
}

/** Options whose next word is their value. */
const VALUED = new Set(
  `-r --requirement -c --constraint -i --index-url --extra-index-url -t --target --prefix --channel --python --with
  --features --version --registry -w --workspace --filter --tool-path --framework --source --git --branch --tag --path
  --group --extra --optional --platform --project --profile --bin --rev --root -C -m --scope -Scope -MaximumVersion
  -MinimumVersion -RequiredVersion -Repository`.split(/\s+/),
)
/** Options whose next word is the package of the program to run. */
const NAMES_PACKAGE = new Set(['--from', '-p', '--package', '--spec', '--id', '-Name'])

const PACKAGE = /^@?[a-z0-9](?:[\w.+-]*[a-z0-9])?(?:\/[\w.+-]+){0,8}$/i
const HAS_SLASH: ReadonlySet<string> = new Set(['Homebrew', 'Go', 'JSR', 'Packagist'])
const PLACEHOLDER_PACKAGE =
  /^(?:packages?|pkg|name|x)(?:[-_.].*)?$|[-_/](?:name|packages?|pkg)$|^\d|^@?user|^(?:my|your|another|target).*(?:module|project|package|app|lib)$/i
const IS_FILE = /\.(?:txt|toml|json|whl|tgz|gz|py|js|deb|sh|ya?ml)$/i

/** Returns `requests` for `requests==2.1`, `requests@2` and `requests[socks]`. */
const bareName = (word: string): string => {
  const end = word.slice(1).search(/[@[=<>~!;^,]/)
  return end < 0 ? word : word.slice(0, end + 1)
}

/** A package and its registry. */
interface PackageName {
  name: string
  from: string
  machineWide?: true
}

/** Reads a package name; undefined for a file, an address or a placeholder. */
export const readPackage = (word: string, from: string): PackageName | undefined => {
  const [, registry, specified = ''] = /^(jsr|npm):(.+)$/.exec(word) ?? []
  if (registry) return readPackage(specified, registry === 'jsr' ? 'JSR' : 'npm')
  const bare = bareName(word)
  if (
    bare.length > 100 ||
    PLACEHOLDER_NAME.test(bare) ||
    PLACEHOLDER_PACKAGE.test(bare) ||
    IS_FILE.test(bare)
  )
    return undefined
  // In other registries, a name with a slash is a folder.
  const isFolder = bare.includes('/') && !bare.startsWith('@') && !HAS_SLASH.has(from)
  if (isFolder || !PACKAGE.test(bare)) return undefined
  if (from === 'Go' && !/^[\w-]+\.[\w.-]+\//.test(bare)) return undefined
  // In Homebrew, `python@3.12` is a name.
  return { name: from === 'Homebrew' && !/[<‹]/.test(word) ? word : bare, from }
}

/** Lists the packages that a command installs, or downloads to run. */
export const listPackages = (words: readonly string[]): PackageName[] => {
  if (!INSTALLERS.has(words[0] ?? '')) return []
  for (let count = Math.min(LONGEST, words.length); count > 0; count -= 1) {
    const command = words.slice(0, count).join(' ')
    const forMachine = INSTALLED.get(`*${command}`)
    const installed = forMachine ?? INSTALLED.get(command)
    const registry = installed ?? REGISTRY_OF_RUN.get(command)
    if (registry === undefined) continue
    const isRun = installed === undefined
    const fromOptions: string[] = []
    const names = command.startsWith('npx ') ? [words[1]!] : []
    for (let at = count; at < words.length; at += 1) {
      const word = words[at]!
      // After a program to run, the remaining words are its arguments.
      if (isRun && names.length > 0) break
      if (NAMES_PACKAGE.has(word)) fromOptions.push(words[at + 1] ?? '')
      if (VALUED.has(word) || NAMES_PACKAGE.has(word)) at += 1
      // `react17@npm:react@17` is an alias for a package.
      else if (!word.startsWith('-') && !word.includes('@npm:')) names.push(word)
    }
    const isGlobal = forMachine !== undefined || words.includes('-g') || words.includes('--global')
    const marks = isGlobal && !isRun ? { machineWide: true as const } : {}
    const packages = fromOptions.length > 0 ? fromOptions : names
    return packages.flatMap((word) => {
      const program = /^\S+ create$/.test(command) ? `create-${word}` : word
      const name = isRun ? (PACKAGE_OF_PROGRAM.get(program) ?? program) : word
      const found = readPackage(name, registry)
      return found ? [{ ...found, ...marks }] : []
    })
  }
  return []
}
