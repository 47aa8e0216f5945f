import type { PartName } from '../../catalog/parts.ts'
import { JUDGED_LENGTH } from './passages.ts'
import type { TextSection } from './sections.ts'

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
const ASKED =
  /\b(?:users?|they|someone|you|people|clients?)\b|\b(?:prompts?|requests?|quer(?:y|ies)|questions?|invo(?:ke|cations?)|triggers?|ask(?:s|ed|ing)?|sa(?:y|ys|ying)|things like|use for|examples?|e\.g\.|such as|phrases?)\b|用户|例如|ユーザー|사용자/i

/** What every quotation holds; to look for it first takes a tenth of the time. */
const HAS_QUOTE = /["“「『„«]|[\s(,/:]['‘]/

const EXAMPLES =
  /\b(?:example|sample|test) (?:prompts?|requests?|queries|questions)\b|\b(?:interactions?|conversations?|invocations?)\b/i

const mayQuotePrompts = (text: string): boolean =>
  (HAS_QUOTE.test(text) && ASKED.test(text)) || EXAMPLES.test(text)

/** The missing parts of which a text may say something, though nothing that could be shown. */
export const listMentioned = (
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
