/** The body of an answer: bytes in memory, or a stream of what is too much for it. */
export type Body = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

/** What a request is answered with, as plain data: a Response around it would cost a host of Node a stream. */
export interface Answer {
  status: number
  headers: Readonly<Record<string, string>>
  body: Body | null
}

/** Makes the web-standard Response of an answer, for hosts that speak in those. */
export const toResponse = ({ body, ...init }: Answer): Response => new Response(body, init)

/** Reads a body to its end. */
export const readBody = async (body: Body | null): Promise<Uint8Array<ArrayBuffer>> =>
  body instanceof Uint8Array ? body : new Uint8Array(await new Response(body).arrayBuffer())
