/** What redistribution requires: little, the same licence, or something else. */
export type LicenceKind = 'permissive' | 'copyleft' | 'other'

/** Kinds, from least to most restrictive. */
const ORDER: readonly LicenceKind[] = ['permissive', 'copyleft', 'other']

/** SPDX identifiers of licences that permit redistribution, modified or not, for any use. */
const FREE: Readonly<Record<Exclude<LicenceKind, 'other'>, string>> = {
  permissive: `0BSD AFL-3.0 Apache-2.0 Artistic-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause BSD-3-Clause-Clear BSL-1.0
    CC-BY-3.0 CC-BY-4.0 CC0-1.0 ISC MIT MIT-0 MulanPSL-2.0 NCSA PostgreSQL UPL-1.0 Unlicense WTFPL Zlib`,
  copyleft: `AGPL-3.0 AGPL-3.0-only AGPL-3.0-or-later CC-BY-SA-3.0 CC-BY-SA-4.0 CECILL-2.1 EPL-2.0 EUPL-1.2
    GFDL-1.3-or-later GPL-2.0 GPL-2.0-only GPL-2.0-or-later GPL-3.0 GPL-3.0-only GPL-3.0-or-later LGPL-2.0
    LGPL-2.0-only LGPL-2.0-or-later LGPL-2.1 LGPL-2.1-only LGPL-2.1-or-later LGPL-3.0 LGPL-3.0-only LGPL-3.0-or-later
    MPL-2.0 OFL-1.1`,
}

const listKinds = (): ReadonlyMap<string, LicenceKind> =>
  new Map([
    ...Object.entries(FREE).flatMap(([kind, ids]) =>
      ids.split(/\s+/).map((id) => [id, kind as LicenceKind] as const),
    ),
    ...ORDER.map((kind) => [kind, kind] as const),
  ])

const KINDS = listKinds()

const kindOfId = (id: string): number =>
  ORDER.indexOf(KINDS.get(id.trim().replace(/(?:\+| WITH \S+)$/i, '')) ?? 'other')

/** The kind of an expression without parentheses: the least restrictive for `OR`, the most restrictive for `AND`. */
const kindOfFlat = (expression: string): LicenceKind =>
  ORDER[
    Math.min(
      ...expression
        .split(/\sOR\s/i)
        .map((choice) => Math.max(...choice.split(/\sAND\s/i).map(kindOfId))),
    )
  ]!

/** The kind of an SPDX expression; any other text is `other`. */
export const kindOfLicence = (expression: string): LicenceKind => {
  let flat = expression
  // Replaces each parenthesized expression with its kind, from the inside out.
  for (let before = ''; before !== flat;) {
    before = flat
    flat = flat.replace(/\(([^()]*)\)/g, (_, inner: string) => kindOfFlat(inner))
  }
  return kindOfFlat(flat)
}
