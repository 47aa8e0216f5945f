/** Largest accepted request body, in bytes. */
export const BODY_LIMIT = 64 * 1024

/** A request body sent to `MCP_PATH`, with the header fields of the request. */
export interface Posted {
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  /** Undefined if it is larger than `BODY_LIMIT`. */
  body: Uint8Array<ArrayBuffer> | undefined
}

/** Reads a body to its end, so that the connection can be reused. A body over the limit is discarded. */
export const readPosted = async (
  chunks: AsyncIterable<Uint8Array>,
  headers: Posted['headers'],
): Promise<Posted> => {
  const body = new Uint8Array(BODY_LIMIT)
  let length = 0
  for await (const chunk of chunks) {
    if (length + chunk.length <= BODY_LIMIT) body.set(chunk, length)
    length += chunk.length
  }
  return { headers, body: length > BODY_LIMIT ? undefined : body.slice(0, length) }
}
