/** Bytes that grow as they are written. */
export interface ByteWriter {
  readonly size: number
  byte: (value: number) => void
  /** Writes a whole number, seven bits a byte, the lowest first. */
  number: (value: number) => void
  /** Writes bytes from one place to before another. */
  bytes: (from: Uint8Array, start: number, end: number) => void
  /** Shows what was written, until more is. */
  view: () => Uint8Array
  /** Forgets what was written, and keeps the room. */
  clear: () => void
  finish: () => Uint8Array<ArrayBuffer>
}

/** Fewer bytes are copied by a loop, which is quicker than a call. */
const WORTH_A_CALL = 32

/** Opens an empty writer. */
export const openByteWriter = (): ByteWriter => {
  let room = new Uint8Array(1024)
  let size = 0
  const grow = (least: number): void => {
    const longer = new Uint8Array(Math.max(room.length * 2, least))
    longer.set(room)
    room = longer
  }
  const byte = (value: number): void => {
    if (size === room.length) grow(size + 1)
    room[size++] = value
  }
  const number = (value: number): void => {
    let rest = value
    for (; rest > 0x7f; rest >>>= 7) byte((rest & 0x7f) | 0x80)
    byte(rest)
  }
  const bytes = (from: Uint8Array, start: number, end: number): void => {
    const next = size + end - start
    if (next > room.length) grow(next)
    if (end - start < WORTH_A_CALL) for (let at = start; at < end; at++) room[size++] = from[at]!
    else room.set(from.subarray(start, end), size)
    size = next
  }
  return {
    get size() {
      return size
    },
    byte,
    number,
    bytes,
    view: () => room.subarray(0, size),
    clear: () => {
      size = 0
    },
    finish: () => room.slice(0, size),
  }
}
