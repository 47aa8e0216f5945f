/** The one address that takes a body. */
export const MCP_PATH = '/mcp'

/** Methods that it answers; GET would be for event streams, which it has none of. */
export const MCP_ALLOW = 'POST, OPTIONS'

/** Largest body in bytes. */
export const BODY_LIMIT = 64 * 1024

/** What was sent to `MCP_PATH`. */
export interface Posted {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Undefined where it is larger than `BODY_LIMIT`. */
  body: Uint8Array<ArrayBuffer> | undefined
}

/** Header fields that the protocol reads besides `Mcp-*`. */
const READ = new Set(['accept', 'content-type'])

const collect = async (
  chunks: AsyncIterable<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const body = new Uint8Array(BODY_LIMIT)
  let length = 0
  for await (const chunk of chunks) {
    if (length + chunk.length > BODY_LIMIT) return undefined
    body.set(chunk, length)
    length += chunk.length
  }
  return body.slice(0, length)
}

/** Whether a request declares more than is read; one in chunks declares nothing. */
export const isTooLong = (length: string | undefined): boolean => Number(length ?? 0) > BODY_LIMIT

/** Reads what was sent, up to the limit. `fields` are header fields with names in lower case. */
export const readPosted = async (
  chunks: AsyncIterable<Uint8Array>,
  fields: Iterable<[string, string]>,
): Promise<Posted> => ({
  headers: Object.fromEntries(
    [...fields].filter(([name]) => READ.has(name) || name.startsWith('mcp-')),
  ),
  body: await collect(chunks),
})
