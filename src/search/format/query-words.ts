import { InvalidIndexError } from './layout.ts'
import type { OtherName, QueryWords } from '../query.ts'

/** Encodes synonyms and stop words as JSON. */
export const writeQueryWords = ({
  stopWords,
  otherNames,
  longestName,
}: QueryWords): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(
    JSON.stringify({ stopWords: [...stopWords], otherNames: [...otherNames], longestName }),
  )

/** Decodes what `writeQueryWords` wrote. Throws InvalidIndexError if it is not JSON. */
export const readQueryWords = (bytes: Uint8Array): QueryWords => {
  try {
    const { stopWords, otherNames, longestName } = JSON.parse(new TextDecoder().decode(bytes)) as {
      stopWords: string[]
      otherNames: [string, OtherName[]][]
      longestName: number
    }
    return { stopWords: new Set(stopWords), otherNames: new Map(otherNames), longestName }
  } catch (cause) {
    throw new InvalidIndexError('its words of queries cannot be read', { cause })
  }
}
