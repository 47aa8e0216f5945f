import { showValue } from '../../../src/catalog/text.ts'
import { isSlug } from '../../../src/catalog/schema.ts'
import { slugify } from '../import/slug.ts'
import type { Mark, RuleTable } from './rule.ts'

/** Longest name of the specification of skills, in characters. */
const NAME_LENGTH = 64

/** What can be wrong with a name. */
export const NAME_RULES = {
  'name-missing': {
    severity: 'error',
    message: 'the front matter gives no name',
    remedy: 'add a line "name: …" with the name of the folder',
  },
  'name-format': {
    severity: 'error',
    message: 'the name is not of a-z and 0-9 in words joined by single hyphens',
    remedy: 'write lower-case words joined by hyphens',
  },
  'name-length': {
    severity: 'error',
    message: `the name is longer than ${NAME_LENGTH} characters`,
    remedy: 'shorten it',
  },
  'name-folder': {
    severity: 'error',
    message: 'the name is not that of the folder',
    remedy: 'rename the folder, or the skill',
  },
  'name-reserved': {
    severity: 'warning',
    message: 'the name is a device of Windows or a page of the registry, which no folder can be',
    remedy: 'add a word to it',
  },
} as const satisfies RuleTable

type NameMark = Mark<keyof typeof NAME_RULES>

/** What a name does wrong, each in a few words. */
const OFFENCES: readonly { shows: (name: string) => boolean; words: string }[] = [
  { shows: (name) => name !== name.toLowerCase(), words: 'capitals' },
  { shows: (name) => /\s/.test(name), words: 'blanks' },
  { shows: (name) => name.includes('_'), words: 'underscores' },
  { shows: (name) => /^-|-$/.test(name), words: 'a hyphen at an end' },
  { shows: (name) => name.includes('--'), words: 'two hyphens in a row' },
  { shows: (name) => /[^\p{ASCII}]/u.test(name), words: 'letters other than a to z' },
  { shows: (name) => /[^\w\s\P{ASCII}-]/u.test(name), words: 'signs' },
]

const NAME_FORMAT = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

const describeFormat = (name: string): { message: string; remedy: string } => {
  const found = OFFENCES.filter(({ shows }) => shows(name)).map(({ words }) => words)
  const better = slugify(name)
  return {
    message: `the name ${showValue(name)} has ${found.join(', ')}`,
    remedy:
      better === ''
        ? NAME_RULES['name-format'].remedy
        : `write it as "${better}" and name the folder so`,
  }
}

const isFolderName = (name: string, folder: string): boolean =>
  name.normalize('NFKC') === folder.normalize('NFKC')

/** Marks what is wrong with a name, its folder's name beside it where the folder is the skill's. */
export const checkName = (
  name: string,
  range: { at: number; end: number },
  folder: string | undefined,
): NameMark[] => {
  const length = [...name].length
  const isWellFormed = NAME_FORMAT.test(name)
  return [
    ...(isWellFormed ? [] : [{ rule: 'name-format' as const, ...range, ...describeFormat(name) }]),
    ...(length > NAME_LENGTH
      ? [
          {
            rule: 'name-length' as const,
            ...range,
            message: `the name has ${length} characters; at most ${NAME_LENGTH} are allowed`,
          },
        ]
      : []),
    // A name that is to be written as the folder's is wrong once, not twice.
    ...(folder === undefined || isFolderName(name, folder) || slugify(name) === folder
      ? []
      : [
          {
            rule: 'name-folder' as const,
            ...range,
            message: `the name ${showValue(name)} is not that of the folder, ${showValue(folder)}`,
          },
        ]),
    ...(isWellFormed && length <= NAME_LENGTH && !isSlug(name)
      ? [{ rule: 'name-reserved' as const, ...range }]
      : []),
  ]
}
