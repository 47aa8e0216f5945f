import { foldPath } from './file-names.ts'

/**
 * Names of files and folders that are never copied with a skill, in any capitalization: `*` stands for any characters,
 * `?` for one. Names that match `except` are copied nevertheless.
 */
const LEFT_OUT: readonly { rule: LeftOutRule; names: readonly string[]; except?: RegExp }[] = [
  { rule: 'tool-file', names: ['.git', '.hg', '.svn'] },
  {
    rule: 'system-file',
    names: [
      '.DS_Store ._* __MACOSX .AppleDouble .LSOverride .localized Icon\r .Spotlight-V100 .fseventsd',
      '.DocumentRevisions-V100 .TemporaryItems .Trash* .VolumeIcon.icns .apdisk Thumbs.db ehthumbs.db',
      'ehthumbs_vista.db desktop.ini $RECYCLE.BIN *:Zone.Identifier .directory @eaDir .nfs*',
      '.fuse_hidden*',
    ].flatMap((line) => line.split(' ')),
  },
  {
    // Vim tests with a file 4913 whether it may write in a folder.
    rule: 'editor-file',
    names: [
      '*~ #*# .#* .*.sw? .swp *.swp *.swo .*.kate-swp 4913 ~$* .~lock.* *.orig *.rej *.bak *.save .goutputstream-*',
      '*___jb_tmp___ *___jb_old___ *.sb-????????-?????? *.crswap',
    ].flatMap((line) => line.split(' ')),
  },
  // Git applies the nearest such file, so inside a catalog it would change the bytes of the files beside it.
  { rule: 'git-attributes', names: ['.gitattributes'] },
  { rule: 'cache', names: ['__pycache__', '*.pyc', 'node_modules', '.venv'] },
  {
    rule: 'environment-file',
    names: ['.env', '.env.*'],
    except: /\.(?:example|sample|template|dist|defaults)$/i,
  },
]

/** The names as docs list them. */
export const LEFT_OUT_NAMES: readonly string[] = LEFT_OUT.flatMap(({ names }) =>
  names.map((name) => name.replace('\r', '\\r')),
)

/** Ids of rules of `check`. */
type LeftOutRule =
  | 'tool-file'
  | 'system-file'
  | 'editor-file'
  | 'git-attributes'
  | 'cache'
  | 'environment-file'

/** Turns names with wildcards into one pattern. */
const toPattern = (names: readonly string[]): RegExp => {
  const patterns = names.map((name) =>
    name
      .replace(/[.$^+()[\]{}|\\]/g, String.raw`\$&`)
      .replaceAll('?', '.')
      .replaceAll('*', '.*'),
  )
  return new RegExp(`^(?:${patterns.join('|')})$`, 'is')
}

const PATTERNS = LEFT_OUT.map(({ rule, names, except }) => ({
  rule,
  except,
  pattern: toPattern(names),
}))

/** Also matches a name that becomes a left-out one on some systems, such as `.git.`. */
const isNamed = (pattern: RegExp, name: string): boolean =>
  pattern.test(name) || pattern.test(foldPath(name))

/** Why a file or folder of this name is never copied; undefined if it is copied, as most dot files are. */
export const findLeftOut = (name: string): LeftOutRule | undefined =>
  PATTERNS.find(({ pattern, except }) => isNamed(pattern, name) && !except?.test(name))?.rule

/** A file or folder that is not copied, by its path in the skill; the path of a folder ends in a slash. */
export interface Omission {
  rule: LeftOutRule | 'empty-folder' | 'record-name' | 'same-name'
  path: string
}
