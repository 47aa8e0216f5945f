import { parse as parseToml } from 'smol-toml'
import { isMap, isScalar, isSeq, parseDocument } from 'yaml'
import { z } from 'zod'
import { YAML_OPTIONS, splitLoosely } from '../../../../src/catalog/front-matter.ts'
import { parseLicenceName } from '../../../../src/catalog/licence.ts'
import { dropFences, foldLine } from '../../../../src/catalog/text.ts'
import type { NamedText } from './folder.ts'
import { identifyText } from './known.ts'
import { EASTERN_TERMS, isCopyright } from './words.ts'

/** What a place says about the licence, in the author's words; undefined if it is not a text. */
export interface Statement {
  place: string
  says: string | undefined
}

/** Remembers what was read in a text, which many skills may share: the GPL takes 8 ms. */
const rememberText = <Result>(read: (text: NamedText) => Result): ((text: NamedText) => Result) => {
  const known = new WeakMap<NamedText, { result: Result }>()
  return (text) => {
    const found = known.get(text) ?? { result: read(text) }
    known.set(text, found)
    return found.result
  }
}

const SPDX_TAG = /^[ \t#/*<!-]*SPDX-License-Identifier:([^\n]*)/im

/** "This project is licensed under the", "Dual-licensed under either of". */
const LEAD_IN =
  /^(?:(?:this|the) [\w-]+(?: [\w-]+)? (?:is|are) )?(?:(?:dual[- ]?)?(?:released|licen[sc]ed|distributed|available) (?:under )?)?(?:the terms of )?(?:either(?: of)? )?(?:(?:the|an?) )?/i

const IS_OFFER = /\beither\b|\bat your (?:option|choice)\b/i

/** Longest text that is read as a sentence about a licence, and as the name of one, in characters. */
const [SENTENCE_LIMIT, NAME_LIMIT] = [1_000, 200]

/** Brackets with the place of a text: "(LICENSE-MIT or https://opensource.org/licenses/MIT)". */
const REFERENCE =
  /\((?:(?:see|the|or|and|in|at|file|https?:\/\/[^\s()]+|(?:\.\/)?(?:licen[sc]e|copying)[\w./-]*)(?:[ ,]+|(?=\))))+\)/gi

/** The expression for "either of A or B, at your option", also as a list; undefined for any other text. */
const readOffer = (text: string): string | undefined => {
  if (text.length > SENTENCE_LIMIT || !IS_OFFER.test(text)) return undefined
  const sentence = foldLine(
    text
      .replace(/\[([^\]\n]*)\]\([^)\s]*\)/g, '$1')
      .replace(REFERENCE, ' ')
      .replace(/^[ \t]*[*+-][ \t]+/gm, ' or '),
  )
  const names = sentence
    .replace(/,? at your (?:option|choice)\.?$/i, '')
    .replace(LEAD_IN, '')
    .split(/(?:^|,? )or (?:the )?/i)
    .filter((name) => name.trim() !== '')
    .map(parseLicenceName)
  return names.length > 1 && names.every((name) => name !== undefined)
    ? [...new Set(names)].sort().join(' OR ')
    : undefined
}

/** Addresses of texts that a name may have beside it. */
const TEXT_ADDRESS =
  /<?https?:\/\/(?:www\.)?(?:opensource\.org|spdx\.org|apache\.org|gnu\.org|choosealicense\.com|mit-license\.org|creativecommons\.org\/(?:licenses\/by(?:-sa)?|publicdomain\/zero))\/\S*/gi

/** What Creative Commons adds to the name of a licence. */
const CC_LETTER =
  /To view a copy of this licen[sc]e, visit\s+(?:or send a letter to Creative Commons, PO Box 1866, Mountain View, CA 94042, USA)?\.?/i

/** The licence that a short text names, alone or in an SPDX tag; copyright lines and the addresses of texts may follow. */
const readName = (text: string): string | undefined => {
  if (text.length > SENTENCE_LIMIT) return undefined
  const lines = text
    .replace(TEXT_ADDRESS, '')
    .split('\n')
    .map((line) =>
      line
        .replace(/^[#* \t]+/, '')
        .replace(/^SPDX-FileCopyrightText:/, '©')
        .replace(/^SPDX-License-Identifier:/, ''),
    )
  const line = foldLine(lines.filter((each) => !isCopyright(each.trim())).join('\n')).replace(
    CC_LETTER,
    '',
  )
  if (line.length > NAME_LIMIT) return undefined
  return parseLicenceName(line.replace(LEAD_IN, ''))
}

/** An identifier without its ending: GPL-3.0-only and GPL-3.0-or-later have one text. */
export const familyOf = (id: string): string => id.replace(/(?:-only|-or-later|\+)$/, '')

/** SPDX expression for the text of a licence file; undefined if unknown. */
export const identifyFile = rememberText(({ path, text }: NamedText): string | undefined => {
  const id = identifyText(text) ?? readOffer(text) ?? readName(text)
  const name = /(?:^|\/)LICENSES\/(.+)\.txt$/.exec(path)?.[1]
  if (name === undefined || id === undefined) return id
  return familyOf(name) === familyOf(id) ? parseLicenceName(name) : undefined
})

const HEADING = /^#{1,6}[ \t]+(?:[^\w\s]+[ \t]*)?licen[sc](?:e|ing)[ \t#]*$/im

/** The licence name: a link's text, or the text before a line end, dash or bracket. */
const STATED = [
  /^\[([^\]\n]{2,40})\]\([^)\s]*\)/,
  /^([\w.,+\- ]{2,40}?)(?:$|[.;]? (?:-|–|—|see|©|\(c\)|\(see)|\s*[([])/im,
]

const lineOf = (section: string): string =>
  section
    .split('\n')
    .map((line) => line.replace(/[*_`]/g, '').trim())
    .find((line) => line !== '' && !line.startsWith('[![')) ?? ''

/** The part of a README under its licence heading, with its subsections, if any. */
const findSection = (readme: string): string | undefined => {
  const heading = HEADING.exec(readme)
  if (!heading) return undefined
  const level = heading[0].search(/[^#]/)
  const next = new RegExp(String.raw`^#{1,${level}}[ \t]`, 'm')
  return readme.slice(heading.index + heading[0].length).split(next)[0]
}

/** A heading about a licence of something else: "Content License"; not of other people's work. */
const OTHER_HEADING =
  /^#{1,6}[ \t]+(?!.*(?:third|3rd|dependenc|font|contribut))(?=.*\blicen[sc])(?!(?:[^\w\s]+[ \t]*)?licen[sc](?:e|ing)[ \t#]*$).+$/im

/** The licences that a README offers to choose from, under its licence heading. */
export const readReadmeOffer = (readme: string): string | undefined => {
  const section = findSection(readme)?.trim() ?? ''
  const end = /\bat your (?:option|choice)\b\.?/i.exec(section)
  return end ? readOffer(section.slice(0, end.index + end[0].length)) : readOffer(section)
}

/** Words of another licence, of a condition or of an exception, beside the name of a licence in a README. */
const OBJECTIONS = new RegExp(
  String.raw`\b(?:${[
    String.raw`but|except\w*|however|only|(?<!claude )code|all rights reserved|not licen[cs]ed`,
    String.raw`proprietary|propert(?:y|ies)|closed|(?:non-?)?commercial\w*|cc[- ]by[\w-]*|[al]?gpl\w*`,
    String.raw`personal|private|internal\w*|evaluation|trial|purchase\w*|bought|buy|paid|ask`,
    String.raw`prohibited|forbidden|(?:may|must) not`,
  ].join('|')})\b`,
  'i',
)

/** The licence under a README's licence heading; `says` is undefined if other words leave it open. */
export const readReadme = ({ path, text }: NamedText): Statement | undefined => {
  const section = findSection(text)
  if (section === undefined) return undefined
  const line = lineOf(section)
  const words = line.replace(LEAD_IN, '')
  const names = STATED.map((pattern) => pattern.exec(words)?.[1] ?? '')
  const name = names.find((each) => parseLicenceName(each) !== undefined)
  const says = name === undefined ? readReadmeOffer(text) : parseLicenceName(name)
  if (says === undefined) return undefined
  const rest = section.replace(/[*_`]/g, '').replace(name ?? line, '')
  const isOpen = OBJECTIONS.test(rest) || EASTERN_TERMS.test(rest) || OTHER_HEADING.test(text)
  return { place: path, says: isOpen ? undefined : says }
}

const annotations = z.object({
  annotations: z
    .array(
      z.object({
        path: z.union([z.string().transform((path) => [path]), z.array(z.string())]),
        'SPDX-License-Identifier': z
          .union([z.string().transform((id) => [id]), z.array(z.string())])
          .optional(),
      }),
    )
    .default([]),
})

/** Longest path pattern of REUSE, in parts between wildcards. */
const PARTS_LIMIT = 50

/** Splits a path pattern of REUSE into texts and wildcards: `*` matches no slash, `**` matches all, `\` escapes. */
const splitPattern = (pattern: string): string[] => {
  const parts = pattern.match(/\\.|\*+|[^\\*]+/gs) ?? []
  if (parts.length > PARTS_LIMIT) throw new Error(pattern)
  return parts
}

/** Whether a path matches a pattern; in linear time for each part, unlike a regular expression. */
const matchesPath = (parts: readonly string[], path: string): boolean => {
  let ends = new Set([0])
  for (const part of parts) {
    const next = new Set<number>()
    const text = part.startsWith('\\') ? part.slice(1) : part
    for (const at of ends) {
      if (!part.startsWith('*')) {
        if (path.startsWith(text, at)) next.add(at + text.length)
        continue
      }
      const slash = part === '*' ? path.indexOf('/', at) : -1
      const last = slash < 0 ? path.length : slash
      for (let end = at; end <= last && !next.has(end); end += 1) next.add(end)
    }
    ends = next
  }
  return ends.has(path.length)
}

/** The entries of REUSE.toml that name licences. Throws if it is not TOML, or has other tables. */
const readAnnotations = rememberText(({ text }: NamedText) =>
  annotations
    .parse(parseToml(text))
    .annotations.flatMap(({ path, 'SPDX-License-Identifier': ids = [] }) =>
      ids.length > 0 ? [{ patterns: path.map(splitPattern), ids }] : [],
    ),
)

/** What REUSE.toml says about a file; undefined if nothing. The last entry that matches counts. */
export const readReuse = (reuse: NamedText, file: string): Statement | undefined => {
  const place = reuse.path
  try {
    const found = readAnnotations(reuse).findLast(({ patterns }) =>
      patterns.some((parts) => matchesPath(parts, file)),
    )
    if (!found) return undefined
    const [id, ...more] = found.ids
    return {
      place,
      says: more.length === 0 ? id : found.ids.map((each) => `(${each})`).join(' AND '),
    }
  } catch {
    // The statement cannot be read, so the licence is open.
    return { place, says: undefined }
  }
}

const LICENCE_FIELD = /^licen[cs](?:es?|ing)(?:[-_ ]?\w{1,20})?$/i

/** A text, or the text of a list with one. */
const readNode = (node: unknown): string | undefined => {
  if (isScalar(node)) return String(node.value)
  if (!isSeq(node)) return undefined
  const texts = node.items.map((item) => (isScalar(item) ? String(item.value) : undefined))
  return texts.includes(undefined) ? undefined : texts.join(', ')
}

/** How deep fields are read. */
const DEPTH_LIMIT = 8

const listFields = (node: unknown, prefix = '', depth = 0): Statement[] =>
  isMap(node) && depth < DEPTH_LIMIT
    ? node.items.flatMap(({ key, value }): Statement[] => {
        const field = isScalar(key) ? String(key.value) : ''
        const place = prefix + field
        if (!LICENCE_FIELD.test(field)) {
          const isData = prefix !== '' || field === 'metadata'
          return isData ? listFields(value, `${place}.`, depth + 1) : []
        }
        const comment = isScalar(value) ? value.comment : undefined
        const beside = comment ? [{ place: `${place} (its comment)`, says: comment }] : []
        return [{ place, says: readNode(value) }, ...beside]
      })
    : []

/** Reads fields line by line, for front matter that is not valid YAML. */
const listLines = (block: string): Statement[] =>
  [...block.matchAll(/^(?:[ \t]*)(licen[cs]es?)[ \t]*:[ \t]*(.*)$/gim)].map(
    ([, place = '', says = '']) => ({
      place,
      says: says.trim().replace(/^["']|["']$/g, ''),
    }),
  )

/** An SPDX tag counts in the front matter and in a comment right below it: a body may show one as an example. */
const listTags = (block: string, body: string): Statement[] => {
  const comment = /^\s*<!--[^]*?-->/.exec(body)?.[0] ?? ''
  return [block, comment].flatMap((text) => {
    const says = SPDX_TAG.exec(text)?.[1]?.replace(/-->|\*\//, '')
    return says === undefined ? [] : [{ place: 'its SPDX comment', says: says.trim() }]
  })
}

const CLOSED =
  /\b(?:proprietary|confidential|all rights reserved|(?:personal|internal|non-?commercial) use|(?:do not|no|not|without)\b[^.\n]{0,40}\b(?:redistribut\w*|copy|copies)|redistribution is (?:prohibited|forbidden))\b/i

/** What a section about the licence says, outside code: a known licence, or words that leave the licence open. */
const listSection = (body: string): Statement[] => {
  const text = dropFences(body)
  const place = 'its section about the licence'
  const stated = readReadme({ path: place, text })
  if (stated) return [stated]
  return CLOSED.test(findSection(text) ?? '') ? [{ place, says: undefined }] : []
}

/**
 * Reads what a SKILL.md says about its licence: its field `license`, as the author meant it, and `others`: other
 * spellings, further values, and SPDX tags in comments. `stated` is the field if another reader has found it.
 */
export const readFront = (text: string, stated: string | undefined) => {
  const { block = '', body } = splitLoosely(text)
  const document = parseDocument(block, YAML_OPTIONS)
  const fields = document.errors.length > 0 ? listLines(block) : listFields(document.contents)
  const own = fields.findLast(({ place }) => place === 'license')
  const licence = stated ?? own?.says
  const others = fields.filter(
    (field) => field !== own || (field.says === undefined && licence === undefined),
  )
  const named = others.map(({ place, says }) => ({ place: `its field ${place}`, says }))
  return { licence, others: [...named, ...listTags(block, body), ...listSection(body)] }
}

const asText = z.string().optional().catch(undefined)
const asTyped = z.union([z.string(), z.object({ type: z.string() }).transform(({ type }) => type)])

/** The licences that a manifest may name, in JSON or TOML. */
const manifest = z.object({
  license: z
    .union([asTyped, z.object({ text: z.string() }).transform(({ text }) => text)])
    .optional()
    .catch(undefined),
  licenses: z.array(asTyped).optional().catch(undefined),
  metadata: z.object({ license: asText }).optional().catch(undefined),
  plugins: z
    .array(z.object({ license: asText }))
    .optional()
    .catch(undefined),
})

const inToml = z.object({
  project: manifest.optional().catch(undefined),
  tool: z.object({ poetry: manifest.optional() }).optional().catch(undefined),
})

const readManifest = rememberText(({ path, text }: NamedText): (string | undefined)[] => {
  try {
    const tables = path.endsWith('.toml') ? inToml.parse(parseToml(text)) : undefined
    const found = tables
      ? [tables.project, tables.tool?.poetry]
      : [manifest.parse(JSON.parse(text))]
    return found.flatMap((each) =>
      [each?.license, each?.metadata?.license].concat(
        each?.licenses ?? [],
        each?.plugins?.map(({ license }) => license) ?? [],
      ),
    )
  } catch {
    // A manifest that cannot be read gives no hint.
    return []
  }
})

/** Lists what manifests say, nearest first. */
export const listHints = (manifests: readonly NamedText[]): Statement[] =>
  manifests.flatMap((text) => {
    const found = new Set(readManifest(text).filter((says) => says !== undefined && says !== ''))
    return [...found].map((says) => ({ place: text.path, says }))
  })
