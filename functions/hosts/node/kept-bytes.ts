/** Bytes by name, those least recently asked for dropped beyond a bound. */
export class KeptBytes {
  readonly #limit
  readonly #kept = new Map<string, Uint8Array<ArrayBuffer>>()
  #size = 0

  /** `limit` in bytes; 0 keeps nothing. */
  constructor(limit: number) {
    this.#limit = limit
  }

  find(name: string): Uint8Array<ArrayBuffer> | undefined {
    const bytes = this.#kept.get(name)
    if (bytes === undefined) return undefined
    // A Map remembers the order its keys were set in, so the first is the one least recently asked for.
    this.#kept.delete(name)
    this.#kept.set(name, bytes)
    return bytes
  }

  /** Keeps bytes unless they alone would drop many others. */
  keep(name: string, bytes: Uint8Array<ArrayBuffer>): void {
    this.#drop(name)
    if (bytes.length > this.#limit / 8) return
    this.#kept.set(name, bytes)
    this.#size += bytes.length
    for (const first of this.#kept.keys()) {
      if (this.#size <= this.#limit) return
      this.#drop(first)
    }
  }

  #drop(name: string): void {
    this.#size -= this.#kept.get(name)?.length ?? 0
    this.#kept.delete(name)
  }
}
