/** The file cannot be searched: it is damaged, or another version wrote it. The remedy is a new build. */
export class InvalidIndexError extends Error {
  override readonly name = 'InvalidIndexError'

  constructor(reason: string, options?: ErrorOptions) {
    super(`The search index cannot be read: ${reason}. Build the site again.`, options)
  }
}
