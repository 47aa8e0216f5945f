import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, posix } from 'node:path'
import { FILE_LIMIT, findPathFault } from '../../../../src/catalog/folder-files.ts'
import type { PathFault } from '../../../../src/catalog/folder-files.ts'
import type { FileViolation } from '../file-faults.ts'
import { showValue } from '../../../../src/catalog/text.ts'
import { LINK_MODE } from '../../../machine/checkout.ts'
import { NOT_INSTALLED, startGit, untrustedRights } from '../../../machine/git.ts'
import { CommandError } from '../../cli/command.ts'
import type { GitAddress } from '../git-address.ts'
import {
  GIT_FOLDER,
  PACKAGE_FOLDER,
  folderOf,
  isInFolder,
  isSkillMd,
  listFoldersAbove,
  listFoldersUp,
  resolveLink,
} from '../find.ts'
import { describedFolder } from '../licence/folder.ts'
import { REGISTRY_FILES } from '../registry-folder.ts'
import { CHOSEN_LIMIT, explainMany } from '../skill-md.ts'
import type { FolderNames, LeaveOut } from '../skill-md.ts'
import { LOG_FORMAT, dayOf, readLastChanges } from './last-change.ts'
import type { LastChange } from './last-change.ts'
import { TreeLinks } from './tree-links.ts'

/** Makes a local repository serve any commit, and history without files, as hosts do. */
const LOCAL_SERVER =
  'git -c uploadpack.allowFilter=true -c uploadpack.allowAnySHA1InWant=true upload-pack'

/** Attributes of the highest precedence, so that every file keeps the committed bytes. */
const NO_ATTRIBUTES = '* -text !eol -filter -ident !working-tree-encoding\n'

/** Commits of history to read; hosts send them without files. */
const HISTORY = 2_000

/** Maximum number of bytes to check out of one source. */
const SOURCE_LIMIT = 1024 ** 3

/** Limit on rounds of following links to files that are not checked out yet. */
const LINK_ROUNDS = 5

/** Whether a path leads through a .git folder, or through a package folder if packages are not wanted. */
const isToolPath = (path: string, hasPackages: boolean): boolean =>
  path.split('/').some((part) => part === GIT_FOLDER || (part === PACKAGE_FOLDER && !hasPackages))

/** The folder whose skills a file says something about: their licence, or that a registry lists them. */
const findDescribed = (path: string): string | undefined =>
  REGISTRY_FILES.has(posix.basename(path)) ? folderOf(path) : describedFolder(path)

/**
 * Chooses the outermost skills below a folder of a tree, and the other files needed to read them: licence files and
 * files of a registry above the skills, and the SKILL.md of each left-out skill around another skill.
 */
const choosePaths = (
  paths: readonly string[],
  folder: string,
  isLeftOut: (skill: string) => boolean,
) => {
  const texts = new Map(
    paths.filter((path) => isSkillMd(posix.basename(path))).map((path) => [folderOf(path), path]),
  )
  const all = [...texts.keys()].filter((path) => isInFolder(path, folder))
  const leftOut = new Set(all.filter(isLeftOut))
  const skills = new Set(all.filter((path) => !leftOut.has(path)))
  const outermost = [...skills].filter(
    (skill) => !listFoldersAbove(skill).some((above) => skills.has(above)),
  )
  // A file belongs to the innermost skill around it, even if that skill is left out.
  const around = new Set(outermost.flatMap(listFoldersAbove).filter((above) => leftOut.has(above)))
  const upwards = new Set([...skills, folder].flatMap(listFoldersUp))
  const beside = paths.filter((path) => upwards.has(findDescribed(path) ?? '/'))
  return {
    skills: outermost,
    files: [...beside, ...[...around].flatMap((skill) => texts.get(skill) ?? [])],
    leftOut: [...leftOut].filter((skill) => !around.has(skill)),
  }
}

/** Reads a line of `ls-tree`. */
const readEntry = (line: string) => {
  const path = line.slice(line.indexOf('\t') + 1)
  // A sparse checkout has one pattern per line.
  const isBroken = path.includes('\n')
  const broken = { message: 'its name has a line break', remedy: 'rename it' }
  const fault = isBroken ? broken : findPathFault(path)
  const [mode, type, oid = ''] = line.split(/[ \t]/, 3)
  return { line, path, oid, isFile: type === 'blob', isLink: mode === LINK_MODE, fault }
}

/** Bytes to read of a link's target, and the longest name in it that most systems support. */
const TARGET_LIMIT = 1_024
const NAME_BYTES = 255

/** Explains why a link cannot be created. */
const findTargetFault = (target: Buffer): PathFault | undefined => {
  const { length } = target
  const remedy = 'copy the file instead'
  if (length > TARGET_LIMIT) {
    const message = `a symlink to a path of ${length} bytes; at most ${TARGET_LIMIT} are read`
    return { message, remedy }
  }
  const isLong = String(target)
    .split('/')
    .some((name) => Buffer.byteLength(name) > NAME_BYTES)
  const isBroken = length === 0 || target.includes(0) || isLong
  return isBroken ? { message: 'a symlink whose target is not a valid path', remedy } : undefined
}

/** Returns a sparse-checkout pattern for one path, with wildcards escaped. */
const toPattern = (path: string): string =>
  path === '' ? '/*' : `/${path.replace(/[\\*?[ ]/g, String.raw`\$&`)}`

/** What readers of a followed address find missing: its folder, or the whole repository. */
export class AbsentError extends CommandError {
  readonly what: 'folder' | 'repository'
  constructor(message: string, what: 'folder' | 'repository') {
    super(message)
    this.what = what
  }
}

/** What git says about a repository that does not exist, over https and ssh. */
const NOT_FOUND = /\brepository '[^']*' not found\b|\bRepository not found\b|returned error: 410\b/

/** What git says if a host asks for a login. Hosts do so for repositories that are private or do not exist. */
const LOGIN = /\bcould not read Username\b|\bAuthentication failed\b/

/** Whether git says that the public cannot read a repository. A private registry has logins, which may have ended. */
export const isAbsence = (words: string, isPrivate = false): boolean =>
  NOT_FOUND.test(words) || (!isPrivate && LOGIN.test(words))

/** Passes settings as variables, which git does not pass on into other repositories (git-config(1)). */
const passSettings = (settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const rows = Object.entries(settings)
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(rows.length)],
    ...rows.flatMap(([name, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, name],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ])
}

/** An untrusted repository, cloned into a temporary folder without its files. Methods throw CommandError. */
export class Repository {
  readonly folder: string
  readonly #address: GitAddress
  /** Settings in addition to those that keep a repository from running code. */
  readonly #variables: NodeJS.ProcessEnv
  /** The links of the commit that is checked out. */
  readonly #links = new TreeLinks()
  /** The address that the host redirects to, in lower case and without `.git`; undefined without a redirect. */
  movedTo: string | undefined

  constructor(folder: string, address: GitAddress) {
    this.folder = folder
    this.#address = address
    this.#variables = passSettings({
      'remote.origin.url': address.remote,
      'core.sparseCheckout': 'true',
      // Git writes links as files with their targets; the import then creates the links that this system supports.
      'core.symlinks': 'false',
      ...(address.remote.startsWith('file:') && { 'remote.origin.uploadpack': LOCAL_SERVER }),
    })
  }

  #fail(reason: string, absent?: AbsentError['what']): never {
    const message = `${showValue(this.#address.argument, 200)}: ${reason}`
    throw absent === undefined ? new CommandError(message) : new AbsentError(message, absent)
  }

  #git(...args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
    return this.#feedGit('', ...args)
  }

  async #feedGit(input: string, ...args: readonly string[]) {
    const { isPrivate } = this.#address
    const rights = untrustedRights({ isPrivate, mayFetch: true })
    const call = { ...rights, folder: this.folder, input }
    const { stdout, stderr, fault } = await startGit(['--git-dir=.git', '--work-tree=.', ...args], {
      ...call,
      env: { ...rights.env, ...this.#variables },
    })
    if (fault === undefined) return { stdout: String(stdout), stderr }
    const remedy = fault === NOT_INSTALLED ? 'install it, or import a folder; ' : ''
    const message = `git ${fault}; ${remedy}correct the address, or try again later`
    return this.#fail(message, isAbsence(message, isPrivate) ? 'repository' : undefined)
  }

  /** Creates the folder. Querying the remote does not need a repository in it. */
  open(): void {
    mkdirSync(join(this.folder, '.git/info'), { recursive: true })
    writeFileSync(join(this.folder, '.git/info/attributes'), NO_ATTRIBUTES)
  }

  /** Looks up the address's current commit: one request, or none if the address names a commit. */
  async findCommit(): Promise<string> {
    const { tree } = this.#address
    if (tree !== undefined) return (await this.splitTree(tree)).commit
    const { stdout } = await this.#git('ls-remote', '--', 'origin', 'HEAD')
    return stdout.split('\t')[0] || this.#fail('it has no commit yet')
  }

  /** Splits the part after `/tree/` into ref and folder; branch names may contain slashes. */
  async splitTree(
    tree: string | undefined,
  ): Promise<{ ref: string; folder: string; commit: string }> {
    if (tree === undefined) return { ref: 'HEAD', folder: '', commit: '' }
    const [first = '', ...rest] = tree.split('/')
    if (/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(first))
      return { ref: first, folder: rest.join('/'), commit: first }
    const { stdout } = await this.#git('ls-remote', '--heads', '--tags', '--refs', '--', 'origin')
    const inTree = stdout
      .split('\n')
      .map((line) => line.split('\trefs/'))
      .map(([commit = '', ref = '']) => ({
        commit,
        ref,
        name: ref.replace(/^(?:heads|tags)\//, ''),
      }))
      .filter(({ name }) => name !== '' && isInFolder(tree, name))
    const [found] = inTree.sort((a, b) => b.name.length - a.name.length)
    if (!found) {
      return this.#fail(`it has no branch or tag ${showValue(first)}; correct what follows /tree/`)
    }
    const folder = tree.slice(found.name.length + 1)
    return { ref: `refs/${found.ref}`, folder, commit: found.commit }
  }

  /** Fetches a commit without history and files, and notes a redirect by the host. */
  async fetchCommit(ref: string): Promise<string> {
    if (!existsSync(join(this.folder, '.git/HEAD')))
      await this.#git('init', '--quiet', '--template=')
    const options = ['--depth=1', '--no-tags', '--no-progress', '--filter=blob:none']
    const { stderr } = await this.#git('fetch', ...options, '--', 'origin', ref)
    const found = /^warning: redirecting to (\S+?)(?:\.git)?\/?$/m.exec(stderr)?.[1]?.toLowerCase()
    const bare = this.#address.remote.toLowerCase().replace(/\.git$/, '')
    if (found !== undefined && found !== bare) this.movedTo = found
    const { stdout } = await this.#git('rev-parse', '--verify', 'FETCH_HEAD^{commit}')
    return stdout.trim()
  }

  /** Reads the day of a fetched commit; undefined if its time is out of range. */
  async readDay(commit: string): Promise<string | undefined> {
    const { stdout } = await this.#git('log', '-1', '--format=%ct', commit, '--')
    return dayOf(Number(stdout)) || undefined
  }

  async #writeTree(lines: readonly string[]): Promise<string> {
    const text = lines.map((line) => `${line}\0`).join('')
    await this.#feedGit(text, 'update-index', '-z', '--index-info')
    const { stdout } = await this.#git('write-tree', '--missing-ok')
    rmSync(join(this.folder, '.git/index'))
    return stdout.trim()
  }

  /**
   * Checks out the skills below a folder of a commit, and the licence files and the files of a registry above them;
   * skills in packages only on request. Returns the files that could not be checked out, and the folders of skills that
   * the curator leaves out, both by their paths below `folder`.
   */
  async checkOut(
    commit: string,
    folder: string,
    { hasPackages = false, leaveOut }: { hasPackages?: boolean; leaveOut?: LeaveOut | undefined },
  ): Promise<{ odd: FileViolation[]; leftOut: string[] }> {
    const { stdout } = await this.#git('ls-tree', '-r', '-z', '--full-tree', commit)
    const all = stdout.split('\0').filter(Boolean).map(readEntry)
    const entries = all.filter(({ fault }) => !fault)
    // Git fails on a tree that is too deep, even outside the skills.
    const tree =
      entries.length < all.length ? await this.#writeTree(entries.map(({ line }) => line)) : commit
    const paths = entries.map(({ path }) => path)
    if (folder !== '' && !paths.some((path) => path.startsWith(`${folder}/`)))
      this.#fail(`there is no folder ${JSON.stringify(folder)} at ${commit}`, 'folder')
    const linked = new Set(entries.filter(({ isLink }) => isLink).map(({ path }) => path))
    const links = [...linked].filter((path) => isInFolder(path, folder))
    const modules = paths.filter((path) => path === '.gitmodules')
    const chosen = new Set([...links, ...modules])
    const large = new Map<string, PathFault>()
    const isChosen = (path: string): boolean =>
      !isToolPath(path, hasPackages) && listFoldersUp(path).some((above) => chosen.has(above))
    const addTarget = (link: string): void => {
      const target = this.#links.has(link) ? undefined : this.#readLink(link)
      if (target === undefined) return
      this.#links.add(link, target)
      if (target !== '') chosen.add(target)
      // A link may lead to or through another link that is outside the folders.
      for (const path of listFoldersUp(target)) if (linked.has(path)) chosen.add(path)
    }
    const takeChosen = async (): Promise<void> => {
      for (let round = 0, before = -1; before < chosen.size && round < LINK_ROUNDS; round += 1) {
        before = chosen.size
        const wanted = entries.filter(({ path, isFile }) => isFile && isChosen(path))
        for (const [path, fault] of await this.#findLarge(commit, wanted)) large.set(path, fault)
        const patterns = [...chosen].map(toPattern)
        if (!hasPackages) patterns.push(`!${PACKAGE_FOLDER}/`)
        patterns.push(...Array.from(large.keys(), (path) => `!${toPattern(path)}`))
        writeFileSync(join(this.folder, '.git/info/sparse-checkout'), `${patterns.join('\n')}\n`)
        await this.#git('read-tree', '-m', '-u', tree)
        for (const link of linked) if (isChosen(link)) addTarget(link)
      }
    }
    // A curator may name a folder by a link to it, so links are read first.
    if (links.length > 0) await takeChosen()
    const isLeftOut = (path: string): boolean =>
      leaveOut?.(this.listNames(path, folder)) !== undefined
    const searched = paths.filter((path) => !isToolPath(path, hasPackages))
    const { skills, files, leftOut } = choosePaths(searched, folder, isLeftOut)
    if (leaveOut && skills.length > CHOSEN_LIMIT) this.#fail(explainMany(skills.length))
    for (const path of [...skills, ...files]) chosen.add(path)
    await takeChosen()
    const faults = this.#makeLinks(entries.filter(({ isLink }) => isLink))
    const skillFolders = new Set(skills)
    const isWanted = (path: string): boolean =>
      !isToolPath(path, hasPackages) &&
      isInFolder(path, folder) &&
      (isSkillMd(posix.basename(path)) ||
        listFoldersUp(path).some((above) => skillFolders.has(above)))
    const toInside = (path: string): string => path.slice(folder === '' ? 0 : folder.length + 1)
    const odd = all.flatMap(({ path, fault: nameFault }): FileViolation[] => {
      const fault = nameFault ?? large.get(path) ?? faults.get(path)
      const rule = nameFault ? 'file-name' : large.has(path) ? 'file-size' : 'link'
      return fault && isWanted(path) ? [{ path: toInside(path), rule, ...fault }] : []
    })
    return { odd, leftOut: leftOut.map(toInside) }
  }

  /** Fetches files, packed as they are, and finds those that are too large to be checked out. */
  async #findLarge(
    commit: string,
    files: readonly { path: string; oid: string }[],
  ): Promise<[string, PathFault][]> {
    const oids = new Set(files.map(({ oid }) => oid))
    if (oids.size === 0) return []
    // A line starts with "?" for an object that git does not have.
    const { stdout } = await this.#git('rev-list', '--objects', '--missing=print', commit)
    const absent = stdout.split('\n').flatMap((row) => (row.startsWith('?') ? row.slice(1) : []))
    const fetched = absent.filter((oid) => oids.has(oid))
    const options = ['--quiet', '--no-tags', '--no-write-fetch-head', '--filter=blob:none']
    if (fetched.length > 0)
      await this.#feedGit(fetched.join('\n'), 'fetch', ...options, '--stdin', '--', 'origin')
    const command = ['cat-file', '--batch-check=%(objectname) %(objectsize)']
    const answer = await this.#feedGit([...oids].join('\n'), ...command)
    const rows = answer.stdout.split('\n').map((row) => row.split(' '))
    const sizes = new Map(rows.map(([oid, size]) => [oid, Number(size)]))
    const sizeOf = (oid: string): number => sizes.get(oid) ?? 0
    const large = files.filter(({ oid }) => sizeOf(oid) > FILE_LIMIT)
    const small = files.filter(({ oid }) => sizeOf(oid) <= FILE_LIMIT)
    const bytes = small.reduce((sum, { oid }) => sum + sizeOf(oid), 0)
    if (bytes > SOURCE_LIMIT)
      this.#fail(`its skills have ${bytes} bytes; at most ${SOURCE_LIMIT}; name one of its folders`)
    return large.map(({ path, oid }) => {
      const message = `a file of ${sizeOf(oid)} bytes; at most ${FILE_LIMIT}`
      return [path, { message, remedy: 'make it smaller, or link to it' }]
    })
  }

  /** Lists the paths of a folder in the checked-out tree, relative to another folder. */
  listNames(path: string, folder: string): FolderNames {
    const { names, through } = this.#links.listNames(path)
    const toRelative = (name: string): string => posix.relative(folder, name)
    return { names: names.map(toRelative), through: through.map(toRelative) }
  }

  /** Reads the path that a link leads to; undefined if the link is faulty or leads out of the repository. */
  #readLink(path: string): string | undefined {
    const bytes = this.#readTarget(path)
    return bytes && !findTargetFault(bytes) ? resolveLink(path, String(bytes)) : undefined
  }

  /** Reads the target of a link before the link is created, up to the limit; undefined if it is not checked out. */
  #readTarget(path: string): Buffer | undefined {
    const place = join(this.folder, path)
    const stats = lstatSync(place, { throwIfNoEntry: false })
    if (!stats?.isFile()) return undefined
    return stats.size > TARGET_LIMIT ? Buffer.alloc(stats.size) : readFileSync(place)
  }

  /** Turns files that represent links into links. Removes faulty links and returns their faults by path. */
  #makeLinks(links: readonly Pick<ReturnType<typeof readEntry>, 'path'>[]): Map<string, PathFault> {
    const faults = new Map<string, PathFault>()
    // On Windows, creating links needs privileges; the files stay as git wrote them.
    if (process.platform === 'win32') return faults
    // Create deeper paths first, so that no path leads through a link.
    for (const { path } of links.toSorted((a, b) => (a.path < b.path ? 1 : -1))) {
      const bytes = this.#readTarget(path)
      if (!bytes) continue
      const place = join(this.folder, path)
      rmSync(place)
      const fault = findTargetFault(bytes)
      if (fault) faults.set(path, fault)
      else symlinkSync(bytes, place)
    }
    return faults
  }

  /**
   * Lists the commits of a history, the newest up to a limit; undefined if the host refuses. They are fetched into a
   * folder of their own and without trees: in this folder, git would then fetch each tree by itself.
   */
  async listCommits(commit: string): Promise<ReadonlySet<string> | undefined> {
    const history = new Repository(`${this.folder}.history`, this.#address)
    history.open()
    await history.#git('init', '--quiet', '--template=')
    const options = ['--quiet', `--depth=${HISTORY}`, '--no-tags', '--filter=tree:0']
    try {
      await history.#git('fetch', ...options, '--', 'origin', commit)
      const { stdout } = await history.#git('rev-list', commit)
      return new Set(stdout.split('\n'))
    } catch (error) {
      if (error instanceof CommandError) return undefined
      throw error
    }
  }

  async findLastChanges(
    commit: string,
    folders: readonly string[],
  ): Promise<Map<string, LastChange>> {
    let reason = 'its history was not read further back'
    try {
      const options = ['--quiet', `--depth=${HISTORY}`, '--no-tags', '--filter=blob:none']
      await this.#git('fetch', ...options, '--', 'origin', commit)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      // Import the skills anyway, with a warning about their day.
      reason = error.message
    }
    const boundary = join(this.folder, '.git/shallow')
    const oldestCommits = new Set(
      existsSync(boundary) ? readFileSync(boundary, 'utf8').split('\n') : [],
    )
    const { stdout } = await this.#git('log', ...LOG_FORMAT, commit, '--')
    return readLastChanges(stdout, folders, { oldestCommits, links: this.#links, reason })
  }
}
