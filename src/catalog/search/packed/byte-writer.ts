/** Bytes that grow as they are written. */
export interface ByteWriter {
  readonly size: number
  byte: (value: number) => void
  /** Writes a whole number, seven bits a byte, the lowest first. */
  number: (value: number) => void
  finish: () => Uint8Array<ArrayBuffer>
}

/** Opens an empty writer. */
export const openByteWriter = (): ByteWriter => {
  let bytes = new Uint8Array(1024)
  let size = 0
  const byte = (value: number): void => {
    if (size === bytes.length) {
      const longer = new Uint8Array(bytes.length * 2)
      longer.set(bytes)
      bytes = longer
    }
    bytes[size++] = value
  }
  const number = (value: number): void => {
    let rest = value
    for (; rest > 0x7f; rest >>>= 7) byte((rest & 0x7f) | 0x80)
    byte(rest)
  }
  return {
    get size() {
      return size
    },
    byte,
    number,
    finish: () => bytes.slice(0, size),
  }
}
