/** A skill to look at. */
export interface Target {
  /** Absolute path of its folder. */
  folder: string
  fileName: string
  /** How the folder is shown; empty for the one the command runs in. */
  shown: string
  /** Paths inside the folder that are skills of their own. */
  inner: readonly string[]
  /** Only the file was named: the rest of the folder is not looked at. */
  isAlone: boolean
  /** The name has to be that of the folder: not where a catalog chose the folder's name. */
  isNamedByFolder: boolean
  /** The file may be changed: not where it is the copy of somebody else's. */
  mayChange: boolean
}

/** Gives how a file of a folder is shown. */
export const shownPath = (shown: string, path: string): string =>
  [shown, path].filter(Boolean).join('/')
