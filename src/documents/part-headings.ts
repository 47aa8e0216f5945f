import { isAscii } from '../catalog/text.ts'
import type { EditorialParts } from '../catalog/schema.ts'
import { remember } from './remember.ts'

/** The parts of a skill page that an author may write or that are derived from the SKILL.md. */
export type PartName = Exclude<keyof EditorialParts, 'summary'>

/**
 * Headings that carry a part, in lower case without numbers, signs and emoji, split by `|`; the
 * plainest stand first. Words that only decorate a heading (QUALIFIERS) are not repeated here.
 */
export const PART_HEADINGS: Readonly<Record<PartName, string>> = {
  activation: `activation | activation triggers | activation criteria | activation conditions |
    triggers | trigger | trigger phrases | trigger conditions | trigger words | trigger keywords |
    triggering | when this skill activates | when it activates | when this skill triggers |
    when to trigger | when to activate | when to invoke | how to invoke | how to trigger |
    invocation | auto activation | 触发条件 | 触发词 | 触发方式`,
  capabilities: `capabilities | features | functionality | skill capabilities | what it does |
    what this does | what this skill does | what this skill provides | what this skill covers |
    what this skill can do | what it covers | what you can do | what i can do | what it can do |
    supported operations | supported tasks | supported features | purpose | objective |
    objectives | goal | goals | mission | your mission | 功能 | 核心功能 | 能力`,
  howItWorks: `how it works | how this works | how this skill works | workflow |
    workflow overview | workflow steps | process | process overview | process flow | procedure |
    steps | method | methodology | approach | pipeline | instructions | step by step |
    step by step guide | step by step process | step by step workflow |
    step by step instructions | how to use | how to use this skill | how to use it |
    usage instructions | execution | execution steps | execution flow | execution workflow |
    execution process | analysis steps | analysis process | analysis workflow | review process |
    implementation steps | generation instructions | action steps | flow | phases | protocol |
    the loop | what to do | 工作流程 | 工作流 | 流程 | 处理流程 | 执行流程 | 执行步骤 | 步骤 | 使用方法`,
  inputs: `inputs | input | input format | input formats | input parameters | input requirements |
    input arguments | inputs required | inputs needed | user input | user inputs | arguments |
    argument | parameters | what to provide | what you provide | what to give | you give it |
    what i need | what i need from you | information needed | information required |
    information to gather | information to collect | context to gather | gather context |
    task specific questions | questions to ask | clarifying questions | 输入 | 输入参数 | 参数`,
  outputs: `outputs | output | output format | output formats | output structure | output template |
    output files | output contract | output requirements | output deliverables | output schema |
    result | expected result | expected results | deliverables | deliverable | response format |
    report format | report structure | return value | return values | returns |
    what you get back | you get back | what it produces | what you receive | final output |
    输出 | 输出格式 | 输出要求 | 返回值`,
  whenToUse: `when to use | when to use this | when to use it | when to use this skill |
    when to use this agent | when to apply | when to load | when to load this skill |
    when should i use this | when should i use this skill | when should this skill be used |
    use when | use this when | use it when | use this skill when | use this skill for |
    use this skill to | use for | use it for | use cases | use case | best for | ideal for |
    who is this for | who this is for | applicable scenarios | when you need this |
    适用场景 | 使用场景 | 何时使用`,
  whenNotToUse: `when not to use | when not to use this | when not to use it |
    when not to use this skill | when not to apply | when not to | do not use | do not use when |
    do not use this | do not use this skill | do not use this skill when | do not use for |
    do not use this skill for | don t use | don t use when | don t use for | don t use this |
    don t use this skill when | don t use it for | do not use it for | not for | not suitable for |
    not a fit | out of scope | not in scope | non goals | when to skip | when to skip it |
    when to avoid | skip when | what this skill is not | what this is not | 不适用场景 | 何时不用`,
  prerequisites: `prerequisites | prerequisite | pre requisites | prereqs | requirements |
    system requirements | environment requirements | setup | environment setup | initial setup |
    setup and installation | installation and setup | installation | install | dependencies |
    before you start | before you begin | before starting | what you need | tools required |
    requires | prerequisites and setup | prerequisite check | preflight | preflight check |
    preflight checks | pre flight check | pre flight checks | environment variables |
    required tools | required environment variables | configure environment | 前置条件 | 前提条件 |
    环境要求 | 安装 | 依赖 | 准备工作`,
  limitations: `limitations | limitation | limits | known issues | caveats | constraints |
    restrictions | gotchas | scope and limitations | limitations and caveats | boundaries |
    scope boundaries | scope limitations | what this skill does not do | what it does not do |
    what this skill doesn t do | what it doesn t do | not supported | unsupported | 限制 | 已知限制`,
  examples: `example prompts | example prompt | sample prompts | prompts to try | example requests |
    example user requests | example questions | example queries | example invocations |
    example invocation | example interactions | example interaction | example conversation |
    example usage | usage examples | usage example | examples | example | examples of use |
    try it | try these | try asking | 示例 | 使用示例 | 示例对话`,
}

/** Every part, in the order of the fields an author may write. */
export const PART_NAMES = Object.keys(PART_HEADINGS) as readonly PartName[]

/** Words before a heading that only decorate it. */
const QUALIFIERS =
  /^(?:the|key|core|main|common|known|general|important|standard|recommended|default|basic|overall|primary|typical|detailed|required|expected|suggested|optional|global|critical|high level|quick|my|your|skill) (?=\S)/

/** Words after one. */
const AFTERWORDS = / (?:for|of|with|in) (?:this|the) (?:skill|agent)$/

/**
 * What stands between the words of a heading in ASCII: all but letters, and whatever is in brackets. Those
 * that are far apart are none: to look for the end of each that has none would take the square of the length.
 */
const BETWEEN_ASCII = /(?:\([^)]{0,200}\)|[^a-z(]|\()+/g
const BRACKETS = /\([^)]{0,200}\)|（[^）]{0,200}）/g

/** Gives a heading as the table has it. */
export const normalizeHeading = remember((text): string => {
  const lower = text.toLowerCase()
  // What a letter is of all Unicode is a long question, of ASCII a short one.
  const words = isAscii(lower)
    ? lower.replace(BETWEEN_ASCII, ' ')
    : lower
        .replace(BRACKETS, ' ')
        .replace(/[^\p{L}\s]/gu, ' ')
        .replace(/\s+/g, ' ')
  return words.trim()
})

const PARTS: ReadonlyMap<string, PartName> = new Map(
  Object.entries(PART_HEADINGS).flatMap(([name, headings]) =>
    headings.split('|').map((heading) => [heading.replace(/\s+/g, ' ').trim(), name as PartName]),
  ),
)

/** Says which part a heading carries, if any. */
export const partOfHeading = (text: string): PartName | undefined => {
  const heading = normalizeHeading(text)
  const plain = heading.replace(AFTERWORDS, '')
  return PARTS.get(heading) ?? PARTS.get(plain) ?? PARTS.get(plain.replace(QUALIFIERS, ''))
}

/** Headings that speak of the whole skill wherever they stand. */
const SURE =
  /^(?:prerequisites?|(?:known )?limitations?|(?:example|sample) (?:prompts?|requests|questions|queries|conversation)|.*\bthis skill\b.*|triggers?|trigger (?:phrases|words|conditions)|out of scope|non goals|(?:key |core )?capabilities|analysis steps|execution steps)$/

/** Says whether a heading speaks of the whole skill even inside another section. */
export const isSureHeading = (text: string): boolean => SURE.test(normalizeHeading(text))
