/** Largest archive that is opened, and most that is unpacked from it; sizes in bytes. */
export const ARCHIVE_LIMITS = {
  archive: 64 * 1024 * 1024,
  unpacked: 256 * 1024 * 1024,
  entries: 20_000,
  /** Unpacked bytes for each packed one; texts reach 20, a bomb 1,000. */
  ratio: 200,
}
export type ArchiveLimits = Readonly<typeof ARCHIVE_LIMITS>
