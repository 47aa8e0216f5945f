import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { closeInStages } from './send.ts'

const BLANK_LINE = '\r\n\r\n'

/** Where the blank line of the shortest request begins: `GET / HTTP/1.1`. */
const SHORTEST = 14

/** Resumes one waiting connection in each turn of the event loop, so that others are answered in between. */
class Turns {
  readonly #waiting = new Set<() => void>()

  add(goOn: () => void): void {
    if (this.#waiting.size === 0) setImmediate(this.#take)
    this.#waiting.add(goOn)
  }

  readonly #take = (): void => {
    const [goOn] = this.#waiting
    if (goOn === undefined) return
    this.#waiting.delete(goOn)
    if (this.#waiting.size > 0) setImmediate(this.#take)
    goOn()
  }
}

/**
 * A connection whose requests are answered one after the other. Node's parser would emit all requests that arrived
 * together, some 2,000 in 64 KiB, at once; so it gets one request at a time, and the rest waits.
 */
export class Connection {
  readonly #socket
  readonly #parse
  readonly #turns
  readonly #underWay: IncomingMessage[] = []
  #held: Buffer = Buffer.alloc(0)
  #isStopping = false

  constructor(socket: Socket, turns: Turns) {
    this.#socket = socket
    this.#turns = turns
    const [parse] = socket.listeners('data') as ((chunk: Buffer) => void)[]
    this.#parse = parse ?? (() => undefined)
    if (parse === undefined) {
      // Bun has no such listener; it reads one request at a time by itself.
      if (process.versions['bun'] !== undefined) return
      throw new Error('Node reads its connections in another way')
    }
    socket.removeListener('data', parse)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    // Node resumes a connection whenever it has finished a request.
    socket.on('resume', () => this.#pauseToHold())
  }

  /** The number of answers that are still being made or sent. */
  get open(): number {
    return this.#underWay.length
  }

  follow(request: IncomingMessage, outgoing: ServerResponse): void {
    this.#underWay.push(request)
    outgoing.once('close', () => {
      this.#underWay.splice(this.#underWay.indexOf(request), 1)
      if (this.#isStopping) this.stop()
      else if (this.#held.length > 0) this.#turns.add(this.#goOn)
    })
  }

  /** Closes the connection once the requests that arrived whole are answered. */
  stop(): void {
    if (this.#isBusy) this.#isStopping = true
    else if (this.#isStopping) closeInStages(this.#socket)
    else this.#socket.destroy()
  }

  get #isBusy(): boolean {
    return this.#underWay[0]?.complete === true
  }

  #take(chunk: Buffer): void {
    const isWaiting = this.#held.length > 0
    this.#held = isWaiting ? Buffer.concat([this.#held, chunk]) : chunk
    if (isWaiting) this.#pauseToHold()
    else this.#goOn()
  }

  #pauseToHold(): void {
    if (this.#held.length > 0) this.#socket.pause()
  }

  readonly #goOn = (): void => {
    const socket = this.#socket
    let rest = this.#held
    while (rest.length > 0 && !this.#isBusy && socket.writable) {
      const blank = rest.indexOf(BLANK_LINE, SHORTEST)
      const end = blank < 0 ? rest.length : blank + BLANK_LINE.length
      const piece = rest.subarray(0, end)
      rest = rest.subarray(end)
      this.#parse(piece)
    }
    const wasHeld = socket.isPaused() && this.#held.length > 0
    this.#held = socket.writable && !this.#isStopping ? rest : Buffer.alloc(0)
    if (this.#held.length > 0) socket.pause()
    else if (wasHeld) socket.resume()
  }
}

/** Events with which a server emits a request; one with an Expect header has another event. */
export const REQUEST_EVENTS = ['request', 'checkContinue', 'checkExpectation'] as const

export class Connections {
  readonly #server
  readonly #open = new Map<Socket, Connection>()

  /** Must be created before other listeners of requests, and before the server listens. */
  constructor(server: Server) {
    this.#server = server
    const turns = new Turns()
    server.on('connection', (socket: Socket) => {
      this.#open.set(socket, new Connection(socket, turns))
      socket.once('close', () => this.#open.delete(socket))
    })
    for (const event of REQUEST_EVENTS) {
      server.on(event, (request: IncomingMessage, outgoing: ServerResponse) =>
        this.find(request.socket)?.follow(request, outgoing),
      )
    }
  }

  get size(): number {
    return this.#open.size
  }

  find(socket: Socket): Connection | undefined {
    return this.#open.get(socket)
  }

  /** Refuses new connections and closes each open one once its answers are sent, or after `grace` ms. */
  async close(grace: number): Promise<void> {
    // On a machine without IPv6 the second server of localhost never listened.
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const connection of this.#open.values()) connection.stop()
    const cut = setTimeout(() => this.#server.closeAllConnections(), grace)
    await closed
    clearTimeout(cut)
  }
}
