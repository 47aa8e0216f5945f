/** Parsed list of entity tags: `*`, or tags as they were written (RFC 9110 8.8.3, 13.1.2). */
const parseTags = (header: string): string[] =>
  header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []

const opaque = (tag: string): string => tag.replace(/^W\//, '')

/** Makes an entity tag; `isExact` makes it strong (RFC 9110 8.8.1). */
export const makeTag = (text: string, isExact: boolean): string => `${isExact ? '' : 'W/'}"${text}"`

/** Says whether If-None-Match names the tag, compared weakly (RFC 9110 13.1.2). */
export const isUnchanged = (ifNoneMatch: string | undefined, tag: string): boolean => {
  if (ifNoneMatch === undefined) return false
  return (
    ifNoneMatch.trim() === '*' ||
    parseTags(ifNoneMatch).some((given) => opaque(given) === opaque(tag))
  )
}

/** Says whether a Range may be honoured: no If-Range, or exactly this strong tag (RFC 9110 13.1.5). */
export const allowsRange = (ifRange: string | undefined, tag: string): boolean =>
  ifRange === undefined || (!tag.startsWith('W/') && ifRange.trim() === tag)
