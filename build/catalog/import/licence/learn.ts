import { writeFileSync } from 'node:fs'
import full from 'spdx-license-list/full.js'
import { digestBelowTitle } from './known.ts'
import { familyOf } from './statements.ts'
import { reduceToWords } from './words.ts'

// `npm run licences` writes `known.txt`. Run it after updating `spdx-license-list` or changing `words.ts`.

/** Ends the terms of some licences. The paragraphs below say how to apply them; copies lack all, or the first of them. */
const END = /end of terms and conditions/i

/** A text that ends with another of at least this length is also known without it: LGPL-3.0 ends with GPL-3.0. */
const APPENDED = 1_000

const foldText = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()

/** The identifier for a text of several: of `GPL-2.0-only` and `GPL-2.0-or-later`, the one that grants less. */
const chooseId = (ids: readonly string[]): string => {
  const [shortest = ''] = ids.toSorted((a, b) => a.length - b.length)
  const strict = `${familyOf(shortest)}-only`
  return Object.hasOwn(full, strict) ? strict : shortest
}

/** Whether identifiers stand for one text: it is the same, or they differ in what the licensor says beside it. */
const isOneText = (ids: readonly string[]): boolean => {
  const families = new Set(ids.map(familyOf))
  return families.size === 1 || new Set(ids.map((id) => foldText(full[id]!.licenseText))).size === 1
}

/** The words by which an author applies the licence, in the paragraphs below its terms; copies have them alone or before. */
const NOTICE = /Licensed under the [^]*limitations under the License\./

/** What precedes the terms of CC0, and many copies lack. */
const PREAMBLE = /^[^]*?IS NOT A LAW FIRM[^]*?(?=Statement of Purpose)/

/** Lists a text with the beginnings and endings that copies have. */
const listForms = (text: string): string[] => {
  const end = END.exec(text)
  if (!end) return [text, text.replace(PREAMBLE, '')]
  const terms = text.slice(0, end.index)
  const below = text.slice(end.index + end[0].length).split(/\n\s*\n/)
  const forms = [
    terms,
    ...[...below, ''].map((_, at) => [terms, end[0], ...below.slice(at)].join('\n\n')),
  ]
  const notice = NOTICE.exec(below.join('\n\n'))?.[0]
  return notice === undefined
    ? forms
    : [...forms, notice, ...forms.map((form) => `${notice}\n\n${form}`)]
}

/** Renders `known.txt`. Different texts with the same words are left out. */
export const renderKnown = (): string => {
  const licences = Object.entries(full).map(([id, { name, licenseText }]) => ({
    id,
    title: reduceToWords(`${id.replace(/[-.]/g, ' ')} ${name}`).split(' '),
    text: reduceToWords(licenseText),
  }))
  const idsOf = new Map<string, string[]>()
  for (const { id, title, text } of licences) {
    const appended = licences.filter(
      (other) =>
        other.text.length > APPENDED &&
        text.length > other.text.length &&
        text.endsWith(other.text),
    )
    const forms = [
      ...[...new Set(listForms(full[id]!.licenseText))].map(reduceToWords),
      ...appended.map((other) => text.slice(0, -other.text.length)),
    ]
    for (const form of forms) {
      const digest = digestBelowTitle(form.trim().split(' '), title)
      idsOf.set(digest, [...new Set([...(idsOf.get(digest) ?? []), id])])
    }
  }
  const known = new Map<string, { title: string[]; digests: string[] }>()
  for (const [digest, ids] of idsOf) {
    if (!isOneText(ids)) continue
    const id = chooseId(ids)
    const row = known.get(id) ?? { title: [], digests: [] }
    row.digests.push(digest)
    const titles = licences.filter((licence) => ids.includes(licence.id))
    const words = titles.flatMap(({ title }) => title)
    if (words.some((word) => !row.title.includes(word))) row.title.push(...words)
    known.set(id, row)
  }
  const rows = [...known].map(([id, { title, digests }]) =>
    [id, title.join(' '), digests.sort().join(' ')].join('\t'),
  )
  return `${rows.sort().join('\n')}\n`
}

if (import.meta.main) writeFileSync(new URL('./known.txt', import.meta.url), renderKnown())
