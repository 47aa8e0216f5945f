/** Files that are never copied with a skill. `names` is how docs and help list them. */
const LEFT_OUT = [
  {
    kind: 'tool',
    pattern: /^(?:\.git|\.ds_store|thumbs\.db)$/i,
    names: ['.git', '.DS_Store', 'Thumbs.db'],
  },
  {
    kind: 'attributes',
    // Git applies the nearest such file, so inside a catalog it would change the bytes of the files beside it.
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

export const LEFT_OUT_NAMES: readonly string[] = LEFT_OUT.flatMap(({ names }) => names)

type LeftOutKind = (typeof LEFT_OUT)[number]['kind']

/** Why a file or folder of this name is never copied; undefined if it is copied, as most dot files are. */
export const findLeftOut = (name: string): LeftOutKind | undefined =>
  LEFT_OUT.find(({ pattern }) => pattern.test(name))?.kind

/** Kinds of notices about a skill's file: why it is not copied, or what is wrong with it. */
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

/** A notice about a file, by its path in the skill; the path of a folder ends in a slash. */
export interface Notice {
  kind: NoticeKind
  path: string
}
