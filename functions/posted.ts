/** The one address that takes a body. */
export const MCP_PATH = '/mcp'

/** Its methods. No GET, which would open an event stream. */
export const MCP_ALLOW = 'POST, OPTIONS'

/** Largest body in bytes. */
export const BODY_LIMIT = 64 * 1024

/** A request body sent to `MCP_PATH`, with its header fields. */
export interface Posted {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Undefined if it is larger than `BODY_LIMIT`. */
  body: Uint8Array<ArrayBuffer> | undefined
}

/** Header fields of the protocol in addition to `Mcp-*`. */
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

/** Whether the declared length exceeds the limit; a chunked body declares none. */
export const isTooLong = (length: string | undefined): boolean => Number(length ?? 0) > BODY_LIMIT

/** Reads a body up to the limit. `fields` are header fields with names in lower case. */
export const readPosted = async (
  chunks: AsyncIterable<Uint8Array>,
  fields: Iterable<[string, string]>,
): Promise<Posted> => ({
  headers: Object.fromEntries(
    [...fields].filter(([name]) => READ.has(name) || name.startsWith('mcp-')),
  ),
  body: await collect(chunks),
})
