/**
 * The parts of a skill page, written by its author or derived from the SKILL.md, in the order of the
 * page. A new part is a row: the record's schema, the finder and the page read this table.
 */
export const PARTS = [
  {
    name: 'activation',
    heading: 'Activation',
    /** Anchor of the heading. */
    id: 'activation',
    /** Hint for authors of skill.json. */
    kind: 'paragraph',
    /** How subheadings are shown: by name, as steps, or with their text. */
    below: 'text',
    /**
     * Headings of a SKILL.md that introduce it, in lower case without numbers, punctuation and emoji, separated by `|`; the
     * most specific come first. Words that only decorate a heading are not repeated here.
     */
    headings: `activation | activation triggers | activation criteria | activation conditions |
    triggers | trigger | trigger phrases | trigger conditions | trigger words | trigger keywords |
    triggering | when this skill activates | when this skill triggers |
    when to trigger | when to activate | when to invoke | how to invoke | how to trigger |
    invocation | auto activation | auto trigger | auto triggers | trigger examples | slash command |
    slash commands | 触发条件 | 触发词 | 触发方式 | 触发场景 | 触发 | トリガー | 起動条件 | 트리거 | 활성화 조건 |
    auslöser | aktivierung | déclencheurs | déclenchement | activación | disparadores | ativação | gatilhos`,
  },
  {
    name: 'capabilities',
    heading: 'Key capabilities',
    id: 'key-capabilities',
    kind: 'list',
    below: 'names',
    headings: `capabilities | features | functionality | skill capabilities | what it does |
    what this does | what this skill does | what this skill provides | what this skill covers |
    what this skill can do | what it covers | what you can do | what i can do | what it can do |
    what the skill does | what this skill enables | what this skill offers |
    feature overview | capabilities overview | capability overview | feature list | highlights | what s included |
    what s covered | topics covered | areas of expertise | expertise | competencies |
    supported operations | supported tasks | supported features | common workflows | workflows | typical workflows | common workflow patterns |
    workflow patterns | common use case workflows | common tasks | common operations | operations | commands |
    available commands | cli commands | sub commands | subcommands | available workflows |
    modes | available modes | tasks supported | 功能 | 核心功能 | 能力 | 核心能力 | 主要功能 | 功能特性 |
    功能概述 | 功能说明 | 特性 | 机能 | 機能 | 主な機能 | できること | 特徴 | 기능 | 주요 기능 | 핵심 기능 |
    funktionen | fähigkeiten | fonctionnalités | capacités |
    capacidades | funcionalidades | características`,
  },
  {
    name: 'howItWorks',
    heading: 'How it works',
    id: 'how-it-works',
    kind: 'list',
    below: 'steps',
    headings: `how it works | how this works | how this skill works | workflow |
    workflow overview | workflow steps | process | process overview | process flow | procedure |
    steps | method | methodology | approach | pipeline | instructions | step by step |
    step by step guide | step by step process | step by step workflow |
    step by step instructions | how to use | how to use this skill | how to use it |
    usage instructions | execution | execution steps | execution flow | execution workflow |
    execution process | output process | analysis steps | analysis process | analysis workflow |
    implementation steps | implementation process | implementation workflow |
    generation instructions | action steps | flow | phases | stages | protocol | playbook |
    the loop | the process | the workflow | what to do | workflow summary | workflow at a glance |
    working process | work process | operating procedure | operating loop | agent workflow |
    detailed workflow | detailed steps | end to end workflow | workflow checklist | workflow phases |
    when invoked | task | tasks | your task | your tasks | task workflow |
    工作流程 | 工作流 | 流程 | 处理流程 | 执行流程 | 执行步骤 | 步骤 | 使用方法 | 操作步骤 | 操作流程 | 核心流程 | 使用流程 |
    使用步骤 | 工作方式 | 工作原理 | ワークフロー | 手順 | 実行手順 | 処理の流れ | 流れ | 使い方 | 작업 흐름 | 워크플로우 |
    워크플로 | 절차 | 단계 | 진행 순서 | 사용법 | 사용 방법 | ablauf | arbeitsablauf | vorgehen | vorgehensweise | schritte |
    anleitung | déroulement | étapes | flux de travail | méthode | mode d emploi | flujo de trabajo | pasos |
    procedimiento | proceso | cómo funciona | fluxo de trabalho | passos | etapas | procedimento | processo |
    como funciona`,
  },
  {
    name: 'inputs',
    heading: 'You give it',
    id: 'you-give-it',
    kind: 'list',
    below: 'text',
    headings: `inputs | input | given | input format | input formats | input parameters | input requirements |
    input arguments | inputs required | inputs needed | user input | user inputs | input data | input files |
    input types | supported inputs | supported input formats | accepted inputs | arguments |
    argument | parameters | what to provide | what you provide | what to give | you give it |
    what i need | what i need from you | what you need to provide | information needed | information required |
    information to gather | information to collect | context to gather | gather context | gather information |
    gather inputs | gather requirements | gather input | collect inputs | collect information | collect context |
    collect requirements | ask the user | what to ask | what to ask the user | intake | intake questions |
    discovery questions | required information | data requirements | inputs to collect | inputs to gather | questions to ask the user |
    questions to ask before proceeding | mandatory questions | required questions | clarifying questions | input contract | input schema |
    command arguments | command parameters | 输入 | 输入参数 | 参数 | 输入要求 | 输入格式 | 参数说明 | 输入内容 | 入力 |
    入力形式 | 引数 | パラメータ | 입력 | 입력 형식 | 입력값 | 매개변수 | eingabe | eingaben | parameter | entrée | entrées |
    paramètres | entrada | entradas | parámetros | parâmetros`,
  },
  {
    name: 'outputs',
    heading: 'You get back',
    id: 'you-get-back',
    kind: 'list',
    below: 'names',
    headings: `outputs | output | produces | produce | output format | output formats | output structure | output template |
    output templates | output files | output contract | output requirements | output deliverables |
    output schema | output format example | output format examples | example output format | required sections | output style | output specification | output example | output examples | output location |
    output rules | output guidelines | output naming | output report | output directory | output package |
    output artifacts | output summary | output standards | output quality |
    result | results | expected result | expected results |
    deliverables | deliverable | response format | response template | response structure |
    report format | report structure | report template | final report | report output | summary format |
    understanding the output | interpreting the output | issue content | answer format | review output | review output format | review format | return value | return values |
    return format | returns | artifacts | generated files | files created | files generated |
    what you get back | you get back | what this skill produces | what this run produces | what it generates |
    output expectations | output file specifications | output formatting | output location and naming | what it produces | what you receive | what it returns | final output |
    final deliverable | final deliverables | format of the output | 输出 | 输出格式 | 输出要求 | 返回值 | 输出模板 | 输出结果 |
    输出规范 | 输出内容 | 输出示例 | 输出文件 | 输出结构 | 返回结果 | 交付物 | 報告格式 | 出力 | 出力形式 | 出力フォーマット |
    出力例 | 成果物 | 戻り値 | 출력 | 출력 형식 | 출력 포맷 | 결과물 | 산출물 | ausgabe | ausgabeformat | ergebnis | ergebnisse |
    sortie | format de sortie | livrables | résultat | salida | formato de salida | resultado | resultados |
    entregables | saída | formato de saída | entregáveis`,
  },
  {
    name: 'whenToUse',
    heading: 'When to use',
    id: 'when-to-use',
    kind: 'list',
    below: 'text',
    headings: `when to use | when to use this | when to use it | when to use this skill |
    when to use this agent | when to use this workflow | when to use this guide | when to apply |
    when to apply this skill | when to load | when to load this skill | when to reach for this |
    when to reach for this skill | when to run | when to run this skill | when to call this skill |
    when to use these skills | when to use the pattern | when to use this pattern | when to use this approach |
    when to use the skill | when to use what | 
    when this skill applies | when should i use this | when should i use this skill |
    when should this skill be used | when and how to use | when and how to use this skill |
    use when | use this when | use it when | use this skill when | use this skill for |
    use this skill to | use this skill if | use for | use it for | use cases | use case | typical use cases |
    best for | ideal for | perfect for | good for | good fit | usage scenarios | use scenarios |
    who is this for | who this is for | who should use this | applicable scenarios | when you need this |
    when to use and when not to use | when to use and when not to |
    适用场景 | 使用场景 | 何时使用 | 应用场景 | 什么时候使用 | 什么时候用 | 使用时机 | 适用范围 | 适用于 | 適用場景 | 使う場面 |
    いつ使うか | 使用場面 | 利用シーン | 使用タイミング | 使うタイミング | 適用場面 | 언제 사용하나요 | 사용 시점 | 사용 시기 |
    사용 사례 | 언제 사용하는가 | 사용할 때 | wann verwenden | wann einsetzen | wann benutzen | einsatzgebiete |
    anwendungsfälle | verwendung wann | quand utiliser | quand l utiliser | quand utiliser cette compétence |
    quand utiliser ce skill | cas d usage | cas d utilisation | cuándo usar | cuándo usarlo | cuándo utilizar |
    cuándo usar esta skill | cuándo usar esta habilidad | casos de uso | quando usar | quando utilizar |
    quando usar esta skill`,
  },
  {
    name: 'whenNotToUse',
    heading: 'When not to use',
    id: 'when-not-to-use',
    kind: 'list',
    below: 'text',
    headings: `when not to use | when not to use this | when not to use it |
    when not to use this skill | when not to use this agent | when not to use the skill | when not to apply |
    when not to apply this skill | when not to load | when not to trigger | when not to activate |
    when not to invoke | when not to run | when not to | when this skill does not apply |
    when it does not apply | when this does not apply | when to not use | when to not use this skill |
    do not use | do not use when | do not use it when |
    do not use this | do not use this when | do not use this skill | do not use this skill when |
    do not use if | do not use this skill if | do not use for | do not trigger | do not trigger when |
    do not trigger for | do not invoke when | do not activate when | do not activate for |
    do not use this skill for | do not use this skill to | don t use | don t use when | don t use for |
    don t use this | don t use if | don t use this when | don t use it when | don t trigger when | don t trigger on |
    don t use this skill when | don t use this skill for | don t use this skill if | don t use it for |
    do not use it for | not for | not suitable for | not intended for | not meant for | not ideal for |
    not recommended for | never use for | never use when | bad fit | poor fit | not a good fit | bad for |
    not a fit | wrong tool for | out of scope | not in scope | explicitly out of scope | what s out of scope |
    non goals | explicit non goals | when to skip | when to skip it | when to skip this skill | when to use something else |
    when to use other skills | when to use another skill | when to use a different skill | when to look elsewhere |
    when to avoid | when to avoid this skill | skip when | skip if | skip this skill when | avoid when | avoid using when |
    use something else when | what this skill is not for | negative triggers | anti triggers | exclusions | 不适用场景 | 何时不用 | 何时不使用 |
    不适用 | 不适用于 | 不使用场景 | 什么时候不用 | 不要使用 | 不要用于 | 不適用 | 使わない場面 | 使用しない場面 | 使用しない場合 |
    使わない場合 | 対象外 | 사용하지 말아야 할 때 | 사용하지 않을 때 | 사용하지 않는 경우 | wann nicht verwenden |
    wann nicht | nicht verwenden | nicht geeignet für | nicht verwenden für | quand ne pas utiliser |
    quand ne pas l utiliser | ne pas utiliser | ne pas utiliser pour | cuándo no usar | cuándo no usarlo |
    cuándo no utilizar | no usar | no usar para | no usar cuando | quando não usar | quando não utilizar |
    não usar | não usar para`,
  },
  {
    name: 'prerequisites',
    heading: 'Prerequisites',
    id: 'prerequisites',
    kind: 'list',
    below: 'text',
    headings: `prerequisites | prerequisite | pre requisites | prereqs | requirements |
    system requirements | environment requirements | technical requirements | setup | set up | environment setup |
    initial setup | first time setup | one time setup | setup instructions | setup steps | setup requirements |
    required setup | quick setup | setup and installation | setup and configuration | setup and authentication |
    installation and setup | installation | installation options | installation notes | install sdk | install the sdk | install the package | installation and requirements |
    installation and authentication | installation and environment setup | installation instructions | install | installing | dependencies |
    install dependencies | python dependencies | runtime dependencies | required dependencies | external dependencies |
    software requirements | required software | required packages | required libraries |
    before you start | before you begin | before starting | before use | before first use | what you need |
    tools required | tools needed | required mcp servers | required permissions | required access |
    requires | prerequisites and setup | prerequisite check | prerequisites check | check prerequisites |
    verify prerequisites | prerequisites checklist | preflight | preflight check |
    preflight checks | pre flight checklist | getting access | tool requirements | pre flight check | pre flight checks | preflight checklist | environment variables |
    environment configuration | environment check | required tools | required environment variables |
    configure environment | authentication | authentication setup | authenticate | auth | auth setup | credentials |
    api key | api keys | api key setup | api setup | api credentials | getting an api key | get an api key |
    get your api key | login | sign in | permissions | required credentials | account setup | mcp setup |
    mcp server setup | mcp configuration | cli setup | cli installation | install cli | install the cli |
    前置条件 | 前提条件 | 环境要求 | 安装 | 依赖 | 准备工作 | 前置要求 | 环境准备 | 环境配置 | 环境变量 | 依赖安装 | 安装依赖 |
    安装与配置 | 系统要求 | 使用前提 | 认证 | 鉴权 | 必要条件 | 必要環境 | 準備 | セットアップ | インストール | 事前準備 | 環境変数 |
    필수 조건 | 사전 요구사항 | 사전 준비 | 전제 조건 | 요구 사항 | 요구사항 | 설치 | 설정 | voraussetzungen | voraussetzung |
    anforderungen | einrichtung | installieren | prérequis | pré requis | conditions préalables | configuration requise |
    requisitos | requisitos previos | prerrequisitos | instalación | dependencias | configuración inicial |
    pré requisitos | instalação | dependências`,
  },
  {
    name: 'limitations',
    heading: 'Limitations',
    id: 'limitations',
    kind: 'list',
    below: 'text',
    headings: `limitations | limitation | limits | known issues | known limits | caveats | caveat | constraints |
    current limitations | important limitations | technical limitations | restrictions | scope and limitations |
    limitations disclosure | limitations and scope | limits to state plainly | limitations and caveats | limitations and considerations | limitations and constraints | limitations and notes |
    caveats and limitations | constraints and limitations | notes and limitations | boundaries |
    scope limitations | skill boundaries | rate limits | api limits | api limitations | usage limits |
    size limits | limits and errors | limits and quotas | platform limitations | what this skill does not do | what this skill cannot do | what it does not do |
    what it cannot do | what it can t do | what this skill can t do | what it does not cover |
    what this skill does not cover | what this skill doesn t cover | what this does not do | what this doesn t do |
    what this skill doesn t do | what it doesn t do | not supported | unsupported | unsupported features |
    not covered | disclaimer | 限制 | 已知限制 | 局限性 | 局限 | 使用限制 | 限制说明 | 限制条件 | 不支持 | 已知问题 | 制限 |
    制限事項 | 制約 | 制約事項 | 既知の制限 | 제한 사항 | 제한사항 | 제약 사항 | 제약사항 | 한계 | einschränkungen | grenzen |
    bekannte einschränkungen | beschränkungen | limites | limites connues | limitaciones | limitaciones conocidas |
    restricciones | limitações | limitações conhecidas | restrições`,
  },
  {
    name: 'examples',
    heading: 'Example prompts',
    id: 'example-prompts',
    kind: 'list',
    below: 'text',
    headings: `example prompts | example prompt | sample prompts | prompts to try | example requests |
    example request | example user requests | example user request | example user prompts | example user queries |
    example questions | example queries | example query | example invocations |
    example triggers | example trigger phrases | example commands | example tasks | prompt examples | query examples |
    sample queries | sample questions | sample requests | sample usage |
    example invocation | example interactions | example interaction | example conversation | example conversations |
    example usage | usage examples | usage example | examples | example | examples of use | example session |
    example scenarios | example scenario | what users say | user prompts | things to ask | common requests |
    quick examples | try it | try these | try asking | 示例 | 使用示例 | 示例对话 | 示例提示词 | 使用例子 | 用法示例 | 例子 | 提示词示例 |
    使用例 | プロンプト例 | 例 | 예시 | 사용 예시 | 예시 프롬프트 | 사용 예 | 예제 | beispiele | beispiel | beispielanfragen |
    beispiel prompts | exemples | exemple | exemples de requêtes | exemples d utilisation | exemples de prompts |
    ejemplos | ejemplo | ejemplos de uso | ejemplos de prompts | exemplos | exemplo | exemplos de uso |
    exemplos de prompts`,
  },
] as const satisfies readonly {
  name: string
  heading: string
  id: string
  kind: 'paragraph' | 'list'
  below: 'names' | 'steps' | 'text'
  headings: string
}[]

type Part = (typeof PARTS)[number]
export type PartName = Part['name']

/** Fields that an author may write for the page: a one-line summary, and the parts as Markdown. */
export type EditorialParts = { summary?: string | undefined } & {
  [P in Part as P['name']]?: (P['kind'] extends 'list' ? string[] : string) | undefined
}
