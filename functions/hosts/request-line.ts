/** What can be made out of the first line of a request that Node's parser refused. */
export interface RequestLine {
  method: string
  /** The target with every byte that may not stand in one percent-encoded. */
  target: string
  /** Whether the line was seen to its end. */
  isWhole: boolean
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

const encodeByte = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** Parses the head of a request leniently; undefined where it does not begin with method and target. */
export const parseRequestLine = (head: Uint8Array): RequestLine | undefined => {
  const text = Buffer.from(head)
    .toString('latin1')
    .replace(/^[\r\n]+/, '')
  const end = text.indexOf('\n')
  const line = (end < 0 ? text : text.slice(0, end)).replace(/\r$/, '')
  const blank = line.indexOf(' ')
  const method = line.slice(0, Math.max(blank, 0))
  const raw = line.slice(blank + 1).replace(/ HTTP\/[^ ]*$/, '')
  if (!TOKEN.test(method) || raw === '') return undefined
  return { method, target: raw.replace(/[^!-~]/g, encodeByte), isWhole: end >= 0 }
}
