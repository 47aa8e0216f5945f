import { PARTS } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'
import type { Block } from '../guest/read.ts'
import {
  listAlike,
  listDeeper,
  listLabelled,
  listNamedInputs,
  listPartsByHeading,
  listStated,
  listTabled,
} from './finders.ts'
import { isSuitable } from './fits.ts'
import { JUDGED_LENGTH, introduces, keepWords, saysSame, textOfPassage } from './passages.ts'
import type { FoundPart, Passage } from './passages.ts'
import { listSections, rankOfHeading } from './sections.ts'
import type { TextSection } from './sections.ts'
import { isBareStep, listDescribedSteps } from './steps.ts'

/**
 * Words by which a text may speak of a part. One of them is enough: what is found here is not shown, and only keeps a
 * page from saying that the part is not stated.
 */
const WORDS: Readonly<Partial<Record<PartName, RegExp>>> = {
  capabilities:
    /\b(?:capabilit|features?\b|what you get|purpose|objectives?\b|goals?\b|mission\b|responsibilit|benefits?\b|able to\b|supports?\b|provides?\b|helps?\b|enables?\b|covers?\b|handles?\b|lets? you\b|you can\b|use for\b|used? to\b|recipes\b|tools?\b)|能力|功能|支持|機能|できます|기능|지원/i,
  howItWorks:
    /\b(?:workflows?|process|steps?|phases?|stages?|layers?|pass|procedures?|approach|how to|how it|first|then|next|finally|before you|after that)\b|步骤|流程|首先|然后|手順|ステップ|단계|절차/i,
  inputs:
    /\b(?:inputs?|arguments?|args?|parameters?|params?|options?|flags?|questions?|provid(?:e|es|ed|ing)|suppl(?:y|ies|ied)|specif(?:y|ies|ied)|given|gives?|ask(?:s|ing|ed)?|clarif(?:y|ies|ying)|gather(?:s|ing)?|collect(?:s|ing)?|pastes?|uploads?|attach(?:es|ed)?|path to|user['’]s|users? (?:wants?|describes?|says?|shares?))\b|\$ARGUMENTS|输入|参数|提供|询问|入力|引数|입력|인자/i,
  outputs:
    /\b(?:outputs?|results?|reports?|return(?:s|ed|ing)?|produc(?:e|es|ed|ing)|generat(?:e|es|ed|ing|ion)|creat(?:e|es|ed|ing)|sav(?:e|es|ed|ing)|writ(?:e|es|ing|ten)|export(?:s|ed)?|deliver\w*|present(?:s|ed)?|summar\w+|templates?|formats?|tell the user|responses?|answers?)\b|输出|返回|生成|结果|出力|出力形式|출력|결과/i,
  whenToUse:
    /\b(?:use (?:this|it|when|for|cases?|only)|used (?:when|for|to)|when (?:to|the|an?|you|users?|working|building|\w+ing)|whenever|if (?:the|an?|you|users?)|best for|ideal for|useful|suit(?:s|ed|able)|appl(?:y|ies) (?:to|when)|scenarios?|triggers?|activat\w+)\b|场景|适用|当用户|使用|とき|場合|경우|사용/i,
  whenNotToUse:
    /\b(?:not (?:to )?(?:use|for|when|if|suitable|a|an)|(?:do|does|should)(?: not|n['’]t) (?:use|apply|cover|trigger|need|handle)|don['’]t (?:use|need)|is(?: not|n['’]t)|never use|avoid|instead|rather than|out of scope|anti-?patterns?|skip|overkill|unless|only (?:when|if|for|use)|hand (?:it )?off|belongs? to|other skills?)\b|不要|不属于|不适用|请勿|而不是|しない|대신/i,
  prerequisites:
    /\b(?:prereq\w*|pre-requisites?|require[sd]?|requir(?:ing|ements?)|install\w*|needs?|needed|depend\w*|must (?:have|be)|set ?up|setup|authenticat\w*|auth|logged in|log in|login|tokens?|credentials?|api keys?|accounts?|access|versions?|available|environment variables?|before (?:you|using|start\w*)|ensure|make sure|pip|npm|npx|brew|sdk|cli|mcp)\b|_(?:KEY|TOKEN|SECRET)\b|前置|前提|需要|安装|认证|必要|インストール|필요|설치/i,
  limitations:
    /\b(?:limit\w*|only|cannot|can['’]?t|can not|not (?:yet )?(?:support\w*|possible|available|included|intended|synced|a substitute)|unsupported|(?:does|do|is|are|will|was)(?: not|n['’]t)|won['’]t|caveats?|known issues?|boundar\w+|at most|max(?:imum)?|up to|no more than|unless|out of scope|constraints?|experimental|beta|deprecated|legacy|override\w*|varies|may (?:not|be|fail))\b|仅|不支持|限制|边界|无法|のみ|できない|制限|제한|없습니다/i,
}

/** Words of, or about, somebody who asks; a quotation beside them may be a prompt. */
const SPEAKER =
  /\b(?:users?|they|someone|you|people|clients?)\b|\b(?:prompts?|requests?|quer(?:y|ies)|questions?|invo(?:ke|cations?)|triggers?|ask(?:s|ed|ing)?|sa(?:y|ys|ying)|things like|use for|examples?|e\.g\.|such as|phrases?)\b|用户|例如|ユーザー|사용자/i

/** What every quotation holds; looking for it first takes a tenth of the time. */
const HAS_QUOTE = /["“「『„«]|[\s(,/:]['‘]/

const EXAMPLES =
  /\b(?:example|sample|test) (?:prompts?|requests?|queries|questions)\b|\b(?:interactions?|conversations?|invocations?)\b/i

const mayQuotePrompts = (text: string): boolean =>
  (HAS_QUOTE.test(text) && SPEAKER.test(text)) || EXAMPLES.test(text)

/** The missing parts of which a text may say something, though nothing that could be shown. */
const listMentioned = (
  sections: readonly TextSection[],
  description: string,
  missing: readonly PartName[],
): Set<PartName> => {
  const blocks = sections.flatMap(({ heading, blocks: own }) => [
    ...(heading ? [heading] : []),
    ...own,
  ])
  const textOf = ({ raw }: (typeof blocks)[number]): string => raw.slice(0, JUDGED_LENGTH)
  const words = [description, ...blocks.filter(({ type }) => type !== 'code').map(textOf)].join(
    '\n',
  )
  return new Set(
    missing.filter(
      (name) =>
        sections.some(({ part }) => part === name) ||
        (name === 'examples'
          ? [description, ...blocks.map(textOf)].some(mayQuotePrompts)
          : WORDS[name]?.test(words)),
    ),
  )
}

const IS_NEGATIVE =
  /^\W*(?:not (?:for|when|if|suitable)\b|(?:do not|don['’]t|never) (?:use|invoke|trigger|activate|apply|load|reach)\b|avoid (?:this|using this)|skip (?:this|if|when)|不(?:适用|要用|用于)|请勿)/i

const isNegative = (text: string): boolean => IS_NEGATIVE.test(text)

/** Items that say when not to use a skill, among those that say when. */
const listNegatives = (found: readonly FoundPart[]): FoundPart[] =>
  found
    .filter(({ name }) => name === 'whenToUse')
    .map(({ passage }) => ({
      name: 'whenNotToUse' as const,
      passage: { ...keepWords(passage, isNegative), below: [] },
    }))
    .filter(({ passage }) => passage.blocks.length > 0)

/** What a text is read for: its blocks, and what is known of the skill without it. */
interface FindInput {
  blocks: readonly Block[]
  /** The skill's name, as headings are normalized. */
  skillName: string
  description: string
}

const listUsed = ({ blocks, below, of }: Passage): (Block | undefined)[] => [
  ...(of ?? blocks),
  ...below.map(({ heading }) => heading),
]

/** The text of steps that have only a number is shown with them. */
const listShown = (passage: Passage): (Block | undefined)[] => [
  ...listUsed(passage),
  ...passage.below.filter(isBareStep).flatMap(({ blocks }) => blocks),
]

type Taken = ReadonlySet<Block | undefined>

/** What of a passage no other part has; undefined where that is not the part any more. */
const leave = ({ name, passage }: FoundPart, taken: Taken, partly: Taken): Passage | undefined => {
  const { blocks, below, of } = passage
  const isFree = (block: Block | undefined): boolean =>
    !taken.has(block) && (of !== undefined || !partly.has(block))
  if (listUsed(passage).every(isFree)) return passage
  // A table, a list or a sample without the words that introduce it, or the reverse, is no part.
  const isSet = name === 'howItWorks' || name === 'inputs' || name === 'outputs'
  if (isSet && !of) return undefined
  const left: Passage = {
    ...passage,
    blocks: blocks.filter((_, at) => isFree((of ?? blocks)[at])),
    ...(of && { of: of.filter(isFree) }),
    below: below.filter(({ heading }) => isFree(heading)),
  }
  const isSaid = left.below.length > 0 || left.blocks.some((block) => !introduces(block))
  return isSaid && isSuitable({ name, passage: left }) ? left : undefined
}

/** Parts that are more than their words: the order of steps, what is needed, what is asked for. */
const IS_MORE: ReadonlySet<PartName> = new Set([
  'howItWorks',
  'inputs',
  'prerequisites',
  'examples',
])

/** Share of a passage's words that the description has too, above which it only repeats that. */
const REPEATS = { paragraph: 0.6, more: 0.75 }

/** Whether a passage says what the description says, which stands whole under Activation. */
const repeats = ({ name, passage }: FoundPart, description: string): boolean => {
  const isParagraph = passage.blocks.length === 1 && passage.blocks[0]?.type === 'paragraph'
  const isOne = isParagraph && passage.below.length === 0
  const shown = {
    ...passage,
    below: passage.below.map((one) => ({ ...one, blocks: [], below: [] })),
  }
  return (
    !IS_MORE.has(name) &&
    saysSame(textOfPassage(shown), description, isOne ? REPEATS.paragraph : REPEATS.more)
  )
}

const headsNeeds = ({ name, passage: { heading } }: FoundPart): boolean =>
  name === 'prerequisites' && rankOfHeading(heading?.text ?? '') === 0

/** What is read of a text: passages that carry parts, and parts that it only speaks of. */
interface TextParts {
  passages: Partial<Record<PartName, Passage>>
  mentioned: ReadonlySet<PartName>
}

/** Finds the passages of a SKILL.md that carry parts, the surest way first; no block carries two parts. */
export const findPassages = (input: FindInput): TextParts => {
  const sections = listSections(input.blocks, input.skillName)
  const about = `${input.skillName} ${input.description}`.toLowerCase()
  // "Prerequisites" further down comes before a table of variables, most of which may be left out.
  const sure = [
    ...listPartsByHeading(sections, input.skillName),
    ...listLabelled(sections, input.skillName),
    ...listDeeper(sections, input.skillName),
  ].sort((one, other) => Number(headsNeeds(other)) - Number(headsNeeds(one)))
  // A finder of one part is asked only where those before it found none that fits.
  const finders: readonly (readonly [PartName | undefined, () => readonly FoundPart[]])[] = [
    [undefined, () => listTabled(sections)],
    [undefined, () => sure],
    ['whenNotToUse', () => listNegatives(sure)],
    [undefined, () => listAlike(sections, input.skillName)],
    [undefined, () => listStated(sections, input.skillName)],
    ['inputs', () => listNamedInputs(sections)],
    ['howItWorks', () => listDescribedSteps(sections, about)],
  ]
  const found: (readonly FoundPart[])[] = []
  const passages: Partial<Record<PartName, Passage>> = {}
  const taken = new Set<Block | undefined>()
  /** Blocks that a part has sentences or items of; another part may have others. */
  const partly = new Set<Block | undefined>()
  for (const { name } of PARTS) {
    let passage: Passage | undefined
    // Below a passage that the description repeats, the next would be a lesser one: recipes for capabilities.
    let isKnown = false
    for (const [at, [only, find]] of finders.entries()) {
      if (passage || isKnown) break
      if (only !== undefined && only !== name) continue
      for (const one of (found[at] ??= find())) {
        if (one.name !== name || !isSuitable(one)) continue
        isKnown = repeats(one, input.description)
        if (!isKnown) passage = leave(one, taken, partly)
        if (passage || isKnown) break
      }
    }
    if (!passage) continue
    for (const block of listShown(passage)) (passage.of ? partly : taken).add(block)
    passages[name] = passage
  }
  const { whenToUse } = passages
  if (whenToUse) {
    const positive = keepWords(whenToUse, (text) => !text.split('\n').some(isNegative))
    if (positive.blocks.length + positive.below.length > 0) passages.whenToUse = positive
    else delete passages.whenToUse
  }
  const missing = PARTS.map(({ name }) => name).filter((name) => passages[name] === undefined)
  return { passages, mentioned: listMentioned(sections, input.description, missing) }
}
