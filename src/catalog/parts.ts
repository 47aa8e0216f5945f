/**
 * The parts of a skill page that an author may write or that are derived from the SKILL.md, in the order of the
 * page. A new part is a row: the record's schema, the finder and the page read this table.
 */
export const PARTS = [
  {
    name: 'activation',
    heading: 'Activation',
    /** Anchor of the heading. */
    id: 'activation',
    /** What an author writes of it in skill.json. */
    kind: 'paragraph',
    /** What is said where nothing is known of it. */
    missing: 'The author does not state what activates it.',
    /**
     * Headings of a SKILL.md that carry it, in lower case without numbers, signs and emoji, split by `|`; the
     * plainest stand first. Words that only decorate a heading are not repeated here.
     */
    headings: `activation | activation triggers | activation criteria | activation conditions |
    triggers | trigger | trigger phrases | trigger conditions | trigger words | trigger keywords |
    triggering | when this skill activates | when it activates | when this skill triggers |
    when to trigger | when to activate | when to invoke | how to invoke | how to trigger |
    invocation | auto activation | 触发条件 | 触发词 | 触发方式`,
  },
  {
    name: 'capabilities',
    heading: 'Key capabilities',
    id: 'key-capabilities',
    kind: 'list',
    missing: 'The author does not list capabilities.',
    headings: `capabilities | features | functionality | skill capabilities | what it does |
    what this does | what this skill does | what this skill provides | what this skill covers |
    what this skill can do | what it covers | what you can do | what i can do | what it can do |
    supported operations | supported tasks | supported features | purpose | objective |
    objectives | goal | goals | mission | your mission | 功能 | 核心功能 | 能力`,
  },
  {
    name: 'howItWorks',
    heading: 'How it works',
    id: 'how-it-works',
    kind: 'list',
    missing: 'The author does not describe the steps.',
    headings: `how it works | how this works | how this skill works | workflow |
    workflow overview | workflow steps | process | process overview | process flow | procedure |
    steps | method | methodology | approach | pipeline | instructions | step by step |
    step by step guide | step by step process | step by step workflow |
    step by step instructions | how to use | how to use this skill | how to use it |
    usage instructions | execution | execution steps | execution flow | execution workflow |
    execution process | analysis steps | analysis process | analysis workflow | review process |
    implementation steps | generation instructions | action steps | flow | phases | protocol |
    the loop | what to do | 工作流程 | 工作流 | 流程 | 处理流程 | 执行流程 | 执行步骤 | 步骤 | 使用方法`,
  },
  {
    name: 'inputs',
    heading: 'You give it',
    id: 'you-give-it',
    kind: 'list',
    missing: 'The author does not state what to give it.',
    headings: `inputs | input | input format | input formats | input parameters | input requirements |
    input arguments | inputs required | inputs needed | user input | user inputs | arguments |
    argument | parameters | what to provide | what you provide | what to give | you give it |
    what i need | what i need from you | information needed | information required |
    information to gather | information to collect | context to gather | gather context |
    task specific questions | questions to ask | clarifying questions | 输入 | 输入参数 | 参数`,
  },
  {
    name: 'outputs',
    heading: 'You get back',
    id: 'you-get-back',
    kind: 'list',
    missing: 'The author does not state what comes back.',
    headings: `outputs | output | output format | output formats | output structure | output template |
    output files | output contract | output requirements | output deliverables | output schema |
    result | expected result | expected results | deliverables | deliverable | response format |
    report format | report structure | return value | return values | returns |
    what you get back | you get back | what it produces | what you receive | final output |
    输出 | 输出格式 | 输出要求 | 返回值`,
  },
  {
    name: 'whenToUse',
    heading: 'When to use',
    id: 'when-to-use',
    kind: 'list',
    missing: 'The author does not state when to use it.',
    headings: `when to use | when to use this | when to use it | when to use this skill |
    when to use this agent | when to apply | when to load | when to load this skill |
    when should i use this | when should i use this skill | when should this skill be used |
    use when | use this when | use it when | use this skill when | use this skill for |
    use this skill to | use for | use it for | use cases | use case | best for | ideal for |
    who is this for | who this is for | applicable scenarios | when you need this |
    适用场景 | 使用场景 | 何时使用`,
  },
  {
    name: 'whenNotToUse',
    heading: 'When not to use',
    id: 'when-not-to-use',
    kind: 'list',
    missing: 'The author does not state when not to use it.',
    headings: `when not to use | when not to use this | when not to use it |
    when not to use this skill | when not to apply | when not to | do not use | do not use when |
    do not use this | do not use this skill | do not use this skill when | do not use for |
    do not use this skill for | don t use | don t use when | don t use for | don t use this |
    don t use this skill when | don t use it for | do not use it for | not for | not suitable for |
    not a fit | out of scope | not in scope | non goals | when to skip | when to skip it |
    when to avoid | skip when | what this skill is not | what this is not | 不适用场景 | 何时不用`,
  },
  {
    name: 'prerequisites',
    heading: 'Prerequisites',
    id: 'prerequisites',
    kind: 'list',
    missing: 'The author states no prerequisites.',
    headings: `prerequisites | prerequisite | pre requisites | prereqs | requirements |
    system requirements | environment requirements | setup | environment setup | initial setup |
    setup and installation | installation and setup | installation | install | dependencies |
    before you start | before you begin | before starting | what you need | tools required |
    requires | prerequisites and setup | prerequisite check | preflight | preflight check |
    preflight checks | pre flight check | pre flight checks | environment variables |
    required tools | required environment variables | configure environment | 前置条件 | 前提条件 |
    环境要求 | 安装 | 依赖 | 准备工作`,
  },
  {
    name: 'limitations',
    heading: 'Limitations',
    id: 'limitations',
    kind: 'list',
    missing: 'The author states no limitations.',
    headings: `limitations | limitation | limits | known issues | caveats | constraints |
    restrictions | gotchas | scope and limitations | limitations and caveats | boundaries |
    scope boundaries | scope limitations | what this skill does not do | what it does not do |
    what this skill doesn t do | what it doesn t do | not supported | unsupported | 限制 | 已知限制`,
  },
  {
    name: 'examples',
    heading: 'Example prompts',
    id: 'example-prompts',
    kind: 'list',
    missing: 'The author gives no example prompts.',
    headings: `example prompts | example prompt | sample prompts | prompts to try | example requests |
    example user requests | example questions | example queries | example invocations |
    example invocation | example interactions | example interaction | example conversation |
    example usage | usage examples | usage example | examples | example | examples of use |
    try it | try these | try asking | 示例 | 使用示例 | 示例对话`,
  },
] as const satisfies readonly {
  name: string
  heading: string
  id: string
  kind: 'paragraph' | 'list'
  missing: string
  headings: string
}[]

type Part = (typeof PARTS)[number]
export type PartName = Part['name']

/** What an author may write of a skill's page: one line for its head, and the parts, each of them Markdown. */
export type EditorialParts = { summary?: string | undefined } & {
  [P in Part as P['name']]?: (P['kind'] extends 'list' ? string[] : string) | undefined
}
