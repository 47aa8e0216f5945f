import { INSTALLED_NAME } from './skill.ts'
import { countCharacters, showValue } from './text.ts'

/** Longest values that the Agent Skills specification permits, in characters. */
export const SPECIFIED_LIMITS = {
  name: INSTALLED_NAME,
  description: 1_024,
  compatibility: 500,
} as const

type Field = keyof typeof SPECIFIED_LIMITS

interface Subject {
  /** The author's value without spaces at either end; empty if the field is missing. */
  text: string
  /** The folder's name, which the skill's name must equal; undefined if the author did not choose it. */
  folder: string | undefined
}

interface SpecificationRule {
  field: Field
  message: string
  remedy: string
  /** Describes the violation; empty if `message` says everything, undefined if the rule is followed. */
  check: (subject: Subject) => string | undefined
}

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

export const isSpecifiedName = (name: string): boolean =>
  name.length <= SPECIFIED_LIMITS.name && NAME.test(name)

const mustExist = (field: Field, value: string): SpecificationRule => ({
  field,
  message: `the front matter has no ${field}`,
  remedy: `add a line "${field}: ${value}"`,
  check: ({ text }) => (text === '' ? '' : undefined),
})

const mustFit = (field: Field, remedy: string): SpecificationRule => ({
  field,
  message: `the ${field} is longer than ${SPECIFIED_LIMITS[field]} characters`,
  remedy,
  check: ({ text }) => {
    const length = countCharacters(text)
    return length > SPECIFIED_LIMITS[field] ? `it has ${length}` : undefined
  },
})

const hyphenate = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Rules for front matter values that clients or the reference validator enforce. */
export const SPECIFICATION = {
  'name-missing': mustExist('name', 'the name of the folder'),
  'name-format': {
    field: 'name',
    message: 'the name may contain only a-z, 0-9 and single hyphens between words',
    remedy: 'write lower-case words joined by hyphens, and give the folder the same name',
    check: ({ text }) => {
      if (text === '' || NAME.test(text)) return undefined
      const better = hyphenate(text)
      return better === '' ? showValue(text) : `${showValue(text)}, better ${showValue(better)}`
    },
  },
  'name-length': mustFit('name', 'shorten it'),
  'name-folder': {
    field: 'name',
    message: 'the name differs from the name of the folder',
    remedy: 'rename the folder, or the skill',
    // A badly formed name is reported only by `name-format`.
    check: ({ text, folder = text }) =>
      NAME.test(text) && text !== folder ? `${showValue(text)} in ${showValue(folder)}` : undefined,
  },
  'description-missing': mustExist('description', 'what the skill does and when to use it'),
  'description-length': mustFit('description', 'shorten it; details belong in the text below'),
  'compatibility-length': mustFit('compatibility', 'shorten it'),
} as const satisfies Record<string, SpecificationRule>

interface Breach {
  rule: keyof typeof SPECIFICATION
  field: Field
  detail: string
}

/** Lists the specification rules that a SKILL.md's fields break. */
export const checkSpecification = (
  fields: Readonly<Partial<Record<Field, string>>>,
  folder?: string,
): Breach[] =>
  (Object.keys(SPECIFICATION) as Breach['rule'][]).flatMap((rule) => {
    const { field, check } = SPECIFICATION[rule]
    const detail = check({ text: (fields[field] ?? '').trim(), folder })
    return detail === undefined ? [] : [{ rule, field, detail }]
  })
