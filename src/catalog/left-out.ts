/** Kinds of files that no copy of a skill has, whatever their author wrote. `names` says them in the docs. */
const LEFT_OUT = [
  {
    kind: 'tool',
    pattern: /^(?:\.git|\.ds_store|thumbs\.db)$/i,
    names: ['.git', '.DS_Store', 'Thumbs.db'],
  },
  {
    kind: 'attributes',
    // Git obeys the nearest ones, so in a catalog they would change the bytes of the files beside them.
    pattern: /^\.gitattributes$/i,
    names: ['.gitattributes'],
  },
  {
    kind: 'cache',
    pattern: /^(?:__pycache__|node_modules|\.venv)$|\.pyc$/i,
    names: ['__pycache__', '*.pyc', 'node_modules', '.venv'],
  },
  {
    kind: 'environment',
    pattern: /^\.env(?:\.(?!(?:.*\.)?(?:example|sample|template|dist|defaults)$).*)?$/i,
    names: ['.env', '.env.*'],
  },
] as const

/** The names, as docs and help list them. */
export const LEFT_OUT_NAMES: readonly string[] = LEFT_OUT.flatMap(({ names }) => names)

type LeftOutKind = (typeof LEFT_OUT)[number]['kind']

/** Why no copy has a file or folder of this name; undefined if copies have it, as most dot files. */
export const findLeftOut = (name: string): LeftOutKind | undefined =>
  LEFT_OUT.find(({ pattern }) => pattern.test(name))?.kind

/**
 * What a report says of a file of a skill, by kind: that copies do not have it, and why, or what is wrong with it.
 */
export type NoticeKind =
  | LeftOutKind
  | 'untracked'
  | 'submodule'
  | 'link'
  | 'limit'
  | 'name'
  | 'special'
  | 'empty'
  | 'missing'
  | 'text'
  | 'record'
  | 'spelling'
  | 'parent'
  | 'windows'
  | 'crlf'
  | 'pointer'
  | 'dead'
  | 'cut'
  | 'bit'
  | 'ignored'

/** What is said of a file, by its path in the skill; that of a folder ends in a slash. */
export interface Notice {
  kind: NoticeKind
  path: string
}
