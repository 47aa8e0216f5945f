/** Calls the file system; undefined if the path leads nowhere, such as `README.md/x`, where README.md is a file. */
export const ifThere = <Result>(call: () => Result): Result | undefined => {
  try {
    return call()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Remedies for disk errors, by the system's error code. */
export const DISK_REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space and try again',
  EDQUOT: 'the disk quota is used up; free some space and try again',
  ENOENT: 'does not exist; create it or name another path',
  EACCES: 'permission denied; change its permissions or choose another folder',
  EPERM: 'permission denied; change its permissions or choose another folder',
  EROFS: 'the file system is read-only; choose a writable folder',
  ENOTDIR: 'this is a file, but a folder is needed; move it or choose another folder',
  EEXIST: 'the path is already taken; move what is there or choose another folder',
  EISDIR: 'this is a folder, but a file is needed; move it or choose another folder',
  ENAMETOOLONG: 'the path is too long for this system; choose a shorter folder',
  EFBIG: 'the file exceeds the size limit of this process; raise the limit (ulimit -f)',
  EIO: 'reading or writing failed; check the disk and the file size limit (ulimit -f)',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
  ENFILE: 'the system has too many open files; close programs',
  ENOMEM: 'the system has no memory left; close programs',
}
