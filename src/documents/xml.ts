import { foldLine } from '../catalog/text.ts'
import { escapeText } from './escape.ts'

/** What XML 1.0 allows nowhere, not even escaped, besides the controls and lone surrogates that `foldLine` drops. */
const NOT_IN_XML = /[\uFFFE\uFFFF]/g

/** Makes a text of strangers one line without hidden or control characters, which any format of feeds can hold. */
export const cleanLine = (text: string): string => foldLine(text).replace(NOT_IN_XML, '')

/** Cleans a text, and escapes it for XML, between tags and in attributes. */
export const escapeXml = (text: string): string => escapeText(cleanLine(text))

/** The first line of every XML file. */
export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>'
