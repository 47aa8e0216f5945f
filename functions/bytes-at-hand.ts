const known = new WeakMap<Response, Uint8Array<ArrayBuffer>>()

/** Builds an answer whose bytes are in memory, and remembers them for a host that can send them as they are. */
export const respondWithBytes = (bytes: Uint8Array<ArrayBuffer>, init: ResponseInit): Response => {
  const response = new Response(bytes, init)
  known.set(response, bytes)
  return response
}

/** Gives the bytes of an answer's body where they are in memory: reading them from the body costs a stream. */
export const bytesAtHand = (response: Response): Uint8Array<ArrayBuffer> | undefined =>
  known.get(response)
