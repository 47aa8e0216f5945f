import { parseLicenceName } from './names.ts'

/** What each licence's text says and no other's does; the first row whose signs all show is told. */
const TEXTS: readonly { id: string; signs: readonly string[]; not?: string }[] = [
  { id: 'AGPL-3.0-only', signs: ['gnu affero general public license', 'version 3'] },
  { id: 'LGPL-3.0-only', signs: ['gnu lesser general public license', 'version 3'] },
  { id: 'LGPL-2.1-only', signs: ['gnu lesser general public license', 'version 2.1'] },
  { id: 'GPL-3.0-only', signs: ['gnu general public license', 'version 3, 29 june 2007'] },
  { id: 'GPL-2.0-only', signs: ['gnu general public license', 'version 2, june 1991'] },
  { id: 'Apache-2.0', signs: ['apache license', 'version 2.0', 'apache.org/licenses'] },
  { id: 'MPL-2.0', signs: ['mozilla public license', '2.0'] },
  { id: 'EPL-2.0', signs: ['eclipse public license - v 2.0'] },
  {
    id: 'MIT-0',
    signs: ['permission is hereby granted, free of charge, to any person obtaining a copy'],
    not: 'the above copyright notice',
  },
  {
    id: 'MIT',
    signs: [
      'permission is hereby granted, free of charge, to any person obtaining a copy',
      'the above copyright notice',
      'provided "as is"',
    ],
  },
  {
    id: 'BSD-3-Clause',
    signs: [
      'redistributions of source code must retain',
      'redistributions in binary form',
      'neither the name',
    ],
  },
  {
    id: 'BSD-2-Clause',
    signs: ['redistributions of source code must retain', 'redistributions in binary form'],
  },
  {
    id: 'ISC',
    signs: ['permission to use, copy, modify, and', 'provided that the above copyright notice'],
  },
  {
    id: '0BSD',
    signs: ['permission to use, copy, modify, and', 'with or without fee is hereby granted'],
  },
  {
    id: 'Unlicense',
    signs: ['this is free and unencumbered software released into the public domain'],
  },
  { id: 'CC0-1.0', signs: ['cc0 1.0 universal'] },
  { id: 'CC-BY-NC-ND-4.0', signs: ['attribution-noncommercial-noderivatives 4.0 international'] },
  { id: 'CC-BY-NC-SA-4.0', signs: ['attribution-noncommercial-sharealike 4.0 international'] },
  { id: 'CC-BY-NC-4.0', signs: ['attribution-noncommercial 4.0 international'] },
  { id: 'CC-BY-ND-4.0', signs: ['attribution-noderivatives 4.0 international'] },
  { id: 'CC-BY-SA-4.0', signs: ['attribution-sharealike 4.0 international'] },
  { id: 'CC-BY-4.0', signs: ['attribution 4.0 international'] },
  { id: 'BSL-1.0', signs: ['boost software license - version 1.0'] },
  {
    id: 'Zlib',
    signs: [
      "this software is provided 'as-is', without any express or implied warranty",
      'altered source versions must be plainly marked',
    ],
  },
]

/** Conditions that people add to a free licence, which is then none. */
const ADDED = [
  'commons clause',
  'additional use restriction',
  'non-commercial use only',
  'noncommercial use only',
]

/** Longest file that may be a licence's bare name or a line that states it. */
const NAME_ONLY = 200

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[#*_>=]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Gives the SPDX identifier of a licence file's text; undefined where it is none we know. */
export const identifyLicenceText = (text: string): string | undefined => {
  const words = plain(text)
  if (words.length <= NAME_ONLY) return parseLicenceName(text.trim())
  if (ADDED.some((condition) => words.includes(condition))) return undefined
  return TEXTS.find(
    ({ signs, not }) =>
      signs.every((sign) => words.includes(sign)) && !(not && words.includes(not)),
  )?.id
}
