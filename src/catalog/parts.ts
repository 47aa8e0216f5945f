/**
 * The parts of a skill page, in page order. The page shows a part's text only if the record or a front matter field
 * states it; otherwise it links to the heading in SKILL.md that is about the part. To add a part, add a row: the
 * record's schema and the page read this table.
 */
export const PARTS = [
  {
    name: 'activation',
    heading: 'Activation',
    /** Anchor of the heading. */
    id: 'activation',
    /** Form of the part in skill.json. */
    kind: 'paragraph',
    /** Headings about this part in SKILL.md files, in lower case, without numbers and punctuation. */
    headings: ['triggers', 'trigger phrases', 'trigger conditions', 'when to activate', '触发条件'],
  },
  {
    name: 'capabilities',
    heading: 'Key capabilities',
    id: 'key-capabilities',
    kind: 'list',
    headings: [
      'capabilities',
      'core capabilities',
      'key capabilities',
      'features',
      'key features',
      'what this does',
      'what it does',
      'what this skill does',
      'what this skill covers',
      'what this skill provides',
      'common workflows',
      'common tasks',
      '核心功能',
      '功能',
    ],
  },
  {
    name: 'howItWorks',
    heading: 'How it works',
    id: 'how-it-works',
    kind: 'list',
    headings: [
      'how it works',
      'how this skill works',
      'how to use',
      'how to use this skill',
      'workflow',
      'core workflow',
      'workflow steps',
      'workflow overview',
      'process',
      'the process',
      'procedure',
      'steps',
      'instructions',
      'step by step instructions',
      'step by step process',
      'quick start workflow',
      'methodology',
      '工作流',
      '工作流程',
      '执行流程',
      '使用方法',
    ],
  },
  {
    name: 'inputs',
    heading: 'You give it',
    id: 'you-give-it',
    kind: 'list',
    headings: [
      'inputs',
      'input',
      'input format',
      'input requirements',
      'required inputs',
      'inputs required',
      'required input',
      'required information',
      'information needed',
      'arguments',
      'parameters',
      'what you provide',
      '输入',
      '参数',
    ],
  },
  {
    name: 'outputs',
    heading: 'You get back',
    id: 'you-get-back',
    kind: 'list',
    headings: [
      'outputs',
      'output',
      'output format',
      'output formats',
      'output structure',
      'output template',
      'output templates',
      'output deliverables',
      'deliverables',
      'response format',
      'report format',
      '输出',
      '输出格式',
      '输出规范',
    ],
  },
  {
    name: 'whenToUse',
    heading: 'When to use',
    id: 'when-to-use',
    kind: 'list',
    headings: [
      'when to use',
      'when to use it',
      'when to use this',
      'when to use this skill',
      'when to apply',
      'when this skill applies',
      'use this skill when',
      'use when',
      'use cases',
      'common use cases',
      '适用场景',
      '使用场景',
      '何时使用',
      '何時使用',
    ],
  },
  {
    name: 'whenNotToUse',
    heading: 'When not to use',
    id: 'when-not-to-use',
    kind: 'list',
    headings: [
      'when not to use',
      'when not to use it',
      'when not to use this skill',
      'do not use',
      'do not use when',
      'do not use this skill when',
      'not for',
      'out of scope',
      '不适用场景',
      '何时不使用',
      '何時不使用',
    ],
  },
  {
    name: 'prerequisites',
    heading: 'Prerequisites',
    id: 'prerequisites',
    kind: 'list',
    headings: [
      'prerequisites',
      'requirements',
      'setup',
      'install',
      'installation',
      'setup and installation',
      'installation and setup',
      'first time setup',
      'initial setup',
      'tool requirements',
      'system requirements',
      'dependencies',
      'before starting',
      'before you start',
      'before you begin',
      'environment variables',
      'environment setup',
      'authentication',
      '前置条件',
      '前提条件',
    ],
  },
  {
    name: 'limitations',
    heading: 'Limitations',
    id: 'limitations',
    kind: 'list',
    headings: [
      'limitations',
      'known limitations',
      'limits',
      'constraints',
      'key constraints',
      'caveats',
      'known issues',
      'what this skill does not do',
      '限制',
    ],
  },
  {
    name: 'examples',
    heading: 'Example prompts',
    id: 'example-prompts',
    kind: 'list',
    headings: [
      'example prompts',
      'example requests',
      'example queries',
      'example usage',
      'usage examples',
      'examples',
      '示例',
      '使用示例',
    ],
  },
] as const satisfies readonly {
  name: string
  heading: string
  id: string
  kind: 'paragraph' | 'list'
  headings: readonly string[]
}[]

type Part = (typeof PARTS)[number]
export type PartName = Part['name']

/** Texts that a record can state for the page: a one-line summary and the parts. Backticks mark code. */
export type EditorialParts = { summary?: string | undefined } & {
  [P in Part as P['name']]?: (P['kind'] extends 'list' ? string[] : string) | undefined
}

/** Names of all editorial parts. */
export const EDITORIAL_NAMES = ['summary', ...PARTS.map(({ name }) => name)] as const

/** Lines of SKILL.md that support the parts in a record, such as `12` or `12-18`. */
export type PartLines = { [Name in keyof EditorialParts]?: string[] | undefined }

const PART_OF_HEADING: ReadonlyMap<string, PartName> = new Map(
  PARTS.flatMap(({ name, headings }) => headings.map((heading) => [heading, name] as const)),
)

/** Words that are enough at the start or end of a heading: `Phase 0: Setup`, `Output templates for teams`. */
const SUFFICIENT = new Set(
  [
    'workflow, core workflow, prerequisites, setup, installation, limitations, known limitations',
    'when to use, when not to use, output format, output structure, output template, output templates',
  ].flatMap((words) => words.split(', ')),
)

/** Maximum length in words of a heading that SUFFICIENT applies to. */
const MOST_WORDS = 5

/** Words that show that a heading is about something else. */
const OFF_TOPIC = /\b(?:error|errors|example|examples|invalid|must|verify)\b/

/** The part that a heading in SKILL.md is about: `3. Prerequisites` is about the prerequisites. */
export const findPartOfHeading = (heading: string): PartName | undefined => {
  const line = heading
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
  const whole = PART_OF_HEADING.get(line)
  const words = line.split(' ')
  if (whole !== undefined || words.length > MOST_WORDS || OFF_TOPIC.test(line)) return whole
  const places = words.slice(1).map((_, at) => at + 1)
  const found = places
    .flatMap((at) => [words.slice(at).join(' '), words.slice(0, -at).join(' ')])
    .find((part) => SUFFICIENT.has(part))
  return found === undefined ? undefined : PART_OF_HEADING.get(found)
}
