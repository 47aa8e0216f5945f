import { isAscii, splitSentences, stripMarks } from '../../catalog/text.ts'
import type { PartName } from '../../catalog/parts.ts'
import { NOUN_VERBS, STARTS_WITH_ACTION, VERBS } from './passages.ts'

/** Parts that a sentence of a description may state, the plainest first: a sentence states one. */
const STATED = [
  'whenNotToUse',
  'limitations',
  'prerequisites',
  'whenToUse',
  'outputs',
  'inputs',
  'capabilities',
] as const satisfies readonly PartName[]

type StatedPart = (typeof STATED)[number]

interface Language {
  /** What a description in it holds; none where every description is read for it. */
  looks?: string
  /** How a sentence begins (`^`), or what it holds, that states a part. `\b` knows letters beyond ASCII. */
  states: Readonly<Record<StatedPart, string>>
}

export const LANGUAGES: Readonly<Record<string, Language>> = {
  English: {
    states: {
      whenNotToUse: String.raw`^(?:please |important: |note: )?(?:do not|don['’]t|never) (?:use|invoke|trigger|activate|apply|load|call)\b|^not (?:for|intended|to be used|suitable|meant|applicable|recommended)\b|^skip (?:this|it|when|if|for)\b|^avoid (?:using )?(?:this|it|for|when)\b|\b(?:do not|don['’]t) (?:use|trigger|invoke|activate) (?:this|it|for|when|if|on)\b|\bnot (?:intended|suitable|meant) for\b|^(?:for|if) [^.;]{3,160}?,? (?:see|use|prefer|try|invoke|call|go to|reach for) (?!(?:the|these|this|its?|our|an?|references?|docs?|documentation|files?|when|if|to)\b)["'*\w/:-]+(?: (?:skill|instead|agent|for that))*["']*(?:[.!;]|$)|\buse [\w/-]+(?: skill)? (?:for that )?instead\b|^out of scope\b`,
      limitations: String.raw`^(?:it is |this skill is )?(?:strictly )?read-only\b|^(?:it |this skill |the skill )?(?:is limited to|limited to|only works|works only|supports only|only supports|does not|doesn['’]t|cannot|can['’]t|will not|limitations?:|not supported:)(?:\s|$)|\b(?:is|are) not supported\b`,
      prerequisites: String.raw`^(?:it |this skill |the skill |also )?(?!(?:requires?|needs) an? [\w-]+ (?:name|path|url|id)\b)(?:requires?|needs|depends on|prerequisites?:|requirements?:)(?:\s|$)|^needs? (?:an?|the)\b(?! [\w-]+ (?:name|path|url|id)\b)|\bmust be (?:installed|configured)\b`,
      whenToUse: String.raw`^(?:also |always |must |only |proactively |please |primarily |should be |best )*(?:use[ds]?|invoke[ds]?|trigger(?:s|ed)?|activates?|apply|applies|load|reach for|useful|helpful|ideal|perfect|great|suitable|recommended|intended|designed) (?:(?:this|it|the|skill|tool|only|proactively|also|whenever|when|where|for|if|on|before|after|to|by|as|in|during|via|with|any time|anytime)\b|[:—-])|\b(?:use|invoke|trigger|activate|apply|load) (?:this|it|when|whenever|if)\b|\bshould be (?:used|invoked|triggered|loaded)\b|\bwhen(?:ever)? (?:the |a |an )?(?:users?|you|someone|asked|working|developers?|customers?|claude|agents?)\b|^(?!(?:it |this skill |also )?(?:supports|covers|includes|provides|offers|contains|features)\b).*?\bwhen(?:ever)? \w+ing\b|^when(?:ever)?\b|\btriggers? (?:on|when|for|include|phrases|words|keywords)\b|^(?:triggers?|keywords|trigger phrases)\b[^.]{0,20}:|^(?:use cases|best for|ideal for|good for)\b|^(?:always )?read this (?:skill |guide )?(?:before|when)\b`,
      outputs: String.raw`^(?:it |this skill |the skill |also |and )?(?:returns|outputs|produces|delivers|emits|generates|writes|saves|exports|outputs?:|the (?:output|result) is)(?:\s|$)`,
      inputs: String.raw`^(?:it |this skill |the skill |also |and )?(?:takes|accepts|expects|reads|inputs?:)(?:\s|$)|^requires? an? [\w-]+ (?:name|path|url|id)\b`,
      capabilities: String.raw`^(?:it |this skill |the skill |also |and )?(?:supports|covers|includes|provides|handles|offers|enables|features|can|helps|contains|capabilities include|key features|features)\b`,
    },
  },
  Chinese: {
    looks: String.raw`\p{Script=Han}`,
    states: {
      whenNotToUse: String.raw`(?:不要|请勿|不应|不可|不宜|不得|切勿|勿|不)(?:用于|用在|在.{1,20}(?:使用|触发)|触发|使用(?:本|此|该))|不适[用合]于?|请改用|请使用.{1,30}(?:代替|替代)`,
      limitations: String.raw`^(?:本技能|该技能|此技能|目前|暂)?(?:仅支持|只支持|仅限|只能|不支持|暂不支持|无法|不能)|不支持`,
      prerequisites: String.raw`^(?:本技能|该技能|此技能|使用前)?(?:需要|需|须|要求|依赖|前提)(?!.{0,12}(?:时|的时候)(?:使用|调用|触发|。|$))`,
      whenToUse: String.raw`当.{1,60}(?:时|的时候)|适用于|适合|用于.{1,40}(?:场景|时)|使用场景|适用场景|(?:时|时候)(?:使用|调用|触发|激活)|触发|用户(?:说|提到|要求|需要|询问|想|请求)`,
      outputs: String.raw`^(?:并|最终|会|将|自动)?(?:输出|返回|产出|生成)`,
      inputs: String.raw`^(?:输入|接受|接收|传入|读取)`,
      capabilities: String.raw`^(?:本技能|该技能|此技能|同时|还|也|并)?(?:支持|提供|包括|包含|涵盖|覆盖|可以|能够|可|功能)`,
    },
  },
  Japanese: {
    looks: String.raw`[\p{Script=Hiragana}\p{Script=Katakana}]`,
    states: {
      whenNotToUse: String.raw`(?:使わ|使用し|利用し|適用し|起動し)ないで?(?:ください|こと|$|。)|には(?:使用|適用|利用)し(?:ない|ません)|には使(?:わない|いません)|対象外|(?:向いて|適して)い(?:ない|ません)`,
      limitations: String.raw`(?:対応|サポート)して(?:い(?:ない|ません)|おりません)|のみ(?:に)?(?:対応|サポート)|未対応|非対応`,
      prerequisites: String.raw`が必要(?!な(?:場合|とき|時|際))|(?:前提|必須)(?:条件|です|とし)|(?:インストール|設定)(?:して|されて)い(?:る必要|ること)`,
      whenToUse: String.raw`(?:場合|とき|時|際|場面)(?:に|は|、)?.{0,14}(?:使用|使う|使って|使い|利用|活用|適用|起動|呼び出)|(?:たい|求められた|頼まれた|依頼された|聞かれた|言われた)(?:場合|とき|時|際)|ユーザーが.{1,60}(?:場合|とき|時|際|たら|と言)|トリガー|に(?:最適|適しています|役立)`,
      outputs: String.raw`を(?:出力|返|納品)(?:し|す|しま)`,
      inputs: String.raw`を(?:受け取|入力と)`,
      capabilities: String.raw`(?:に対応|をサポート|を提供|をカバー)(?:し(?:ます|て)|する|。|$)|(?:でき|可能)(?:ます|です)`,
    },
  },
  Korean: {
    looks: String.raw`\p{Script=Hangul}`,
    states: {
      whenNotToUse: String.raw`(?:사용|호출|적용|트리거)하지 (?:마|않|말)|쓰지 (?:마|않|말)|(?:적합|해당)하지 않|에는 부적합`,
      limitations: String.raw`지원하지 않|지원되지 않|만 (?:지원|가능)|할 수 없`,
      prerequisites: String.raw`[이가] (?:필요합니다|필요하다|필요함|필수|설치되어)|(?:을|를) 필요로|필수입니다|^사전 (?:요구|준비)`,
      whenToUse: String.raw`(?:때|경우)(?:에|에는|는)?(?: 이 (?:스킬|기술)을)? ?(?:사용|호출|활용|쓰|적용|트리거|적합|유용)|사용자가 .{1,60}(?:때|경우|면)|트리거`,
      outputs: String.raw`(?:을|를) (?:출력|반환)(?:합|하|한)`,
      inputs: String.raw`(?:을|를) (?:입력으로|입력받|받아)`,
      capabilities: String.raw`(?:을|를|도) (?:지원|제공|포함)(?:합|하|한)|할 수 있습니다`,
    },
  },
  German: {
    looks: String.raw`\b(?:und|der|die|das|für|wenn|nicht|mit|einen?|aus)\b`,
    states: {
      whenNotToUse: String.raw`^nicht (?:für|bei|verwenden|nutzen|geeignet|gedacht|anwenden|einsetzen|wenn)\b|\bnicht (?:verwenden|nutzen|benutzen|einsetzen|anwenden|geeignet|gedacht)\b|^(?:verwende|nutze|benutze) (?:diesen skill |ihn |dies )?nicht\b`,
      limitations: String.raw`^(?:der skill |er |dieser skill )?(?:unterstützt (?:nur|kein|keine|keinen)|funktioniert nur|kann (?:nicht|kein|keine|keinen|nur)|beschränkt auf)\b`,
      prerequisites: String.raw`^(?:der skill |er |dieser skill )?(?:benötigt|erfordert|braucht|setzt .{2,60} voraus|voraussetzung(?:en)?:|voraussetzung ist)`,
      whenToUse: String.raw`^(?:verwende|verwenden|nutze|nutzen|benutze|benutzen|einsetzen|anwenden|geeignet|ideal|zu verwenden)\b.{0,30}\b(?:wenn|für|bei|um|sobald|falls)\b|\b(?:wenn|falls|sobald) (?:der|die|ein|eine) (?:nutzer|nutzerin|benutzer|anwender|user|kunde)\b|\b(?:zu )?(?:verwenden|nutzen|einsetzen), (?:wenn|sobald|falls)\b`,
      outputs: String.raw`^(?:der skill |er )?(?:liefert|gibt .{2,80} (?:aus|zurück))\b`,
      inputs: String.raw`^(?:der skill |er )?(?:nimmt|erwartet|akzeptiert)\b`,
      capabilities: String.raw`^(?:der skill |er |dieser skill )?(?:unterstützt|bietet|umfasst|enthält|deckt|ermöglicht|hilft)\b`,
    },
  },
  French: {
    looks: String.raw`\b(?:les|des|une|pour|quand|lorsque|pas|dans|avec|et)\b`,
    states: {
      whenNotToUse: String.raw`\bne (?:pas|jamais) (?:l['’])?(?:utiliser|employer|invoquer)\b|\bn['’](?:utilisez|utilise|employez) (?:pas|jamais)\b|\bne l['’](?:utilisez|utilise) pas\b|^pas (?:pour|adapté|destiné|conçu)\b|\bà ne pas utiliser\b`,
      limitations: String.raw`^(?:elle |il |cette compétence |ce skill )?(?:ne (?:prend|gère|fonctionne|supporte|peut)\b.{0,20}\b(?:pas|que)|limité)\b`,
      prerequisites: String.raw`^(?:elle |il |cette compétence |ce skill )?(?:nécessite|requiert|exige|a besoin d|prérequis)\b`,
      whenToUse: String.raw`^(?:à utiliser|utiliser|utilise|utilisez|utilisez-le|employer|idéale?|utile) (?:cette compétence |ce skill |aussi )?(?:quand|lorsque|lorsqu['’]|pour|si|dès)|\b(?:lorsque|quand|si) (?:l['’]utilisateur|l['’]utilisatrice|vous|un utilisateur)\b`,
      outputs: String.raw`^(?:elle |il )?(?:renvoie|produit|retourne|fournit en sortie)\b`,
      inputs: String.raw`^(?:elle |il )?(?:prend en entrée|accepte|attend|reçoit)\b`,
      capabilities: String.raw`^(?:elle |il |cette compétence |ce skill )?(?:prend en charge|couvre|inclut|propose|offre|permet|comprend|fournit)\b`,
    },
  },
  Spanish: {
    looks: String.raw`\b(?:los|las|una|para|cuando|del|con|desde|el)\b`,
    states: {
      whenNotToUse: String.raw`\bno (?:lo |la |debe )?(?:usar|uses|use|usarse|utilizar|utilice|utilices|emplear|invocar)\b|^no (?:es|está|apto|apta|sirve|recomendado|indicado) ?(?:para|pensad[oa]|diseñad[oa]|adecuad[oa])\b`,
      limitations: String.raw`^(?:esta skill |este skill |esta habilidad |el skill )?(?:solo|sólo|únicamente) (?:funciona|admite|soporta)\b|^(?:esta skill |este skill |esta habilidad )?no (?:admite|soporta|puede|funciona)\b|^limitad[oa] a\b`,
      prerequisites: String.raw`^(?:esta skill |este skill |esta habilidad )?(?:requiere|necesita|depende de|requisitos)\b`,
      whenToUse: String.raw`^(?:usar|usa|use|úsalo|úsala|úselo|úsese|utilizar|utiliza|utilízalo|útil|ideal|emplear) (?:esta skill |este skill |esta habilidad |también )?(?:cuando|para|si|al)\b|\b(?:cuando|si) (?:el|la|un|una) (?:usuario|usuaria)\b`,
      outputs: String.raw`^(?:devuelve|produce|entrega|genera como salida)\b`,
      inputs: String.raw`^(?:recibe|acepta|toma|espera)\b`,
      capabilities: String.raw`^(?:esta skill |este skill |esta habilidad |también )?(?:soporta|admite|cubre|incluye|ofrece|permite|proporciona|ayuda)\b`,
    },
  },
  Portuguese: {
    looks: String.raw`\b(?:os|uma|para|quando|não|(?<!\.)com|dos|das|em)\b`,
    states: {
      whenNotToUse: String.raw`\bnão (?:o |a |deve ser )?(?:use|usar|usado|usada|utilize|utilizar|invoque)\b|^não (?:é|está|serve|indicado|recomendado) ?(?:para|indicad[oa]|adequad[oa]|destinad[oa]|projetad[oa])\b`,
      limitations: String.raw`^(?:esta skill |esta habilidade |a skill )?(?:só|somente|apenas) (?:funciona|suporta|aceita)\b|^(?:esta skill |esta habilidade |a skill )?não (?:suporta|pode|funciona)\b|^limitad[oa] a\b`,
      prerequisites: String.raw`^(?:esta skill |esta habilidade |a skill )?(?:requer|exige|precisa de|necessita|depende de|pré-requisitos)\b`,
      whenToUse: String.raw`^(?:use|usar|utilize|utilizar|útil|ideal|empregue) (?:esta skill |esta habilidade |também )?(?:quando|para|se|ao)\b|\b(?:quando|se) (?:o|a|um|uma) (?:usuário|usuária|utilizador|utilizadora)\b`,
      outputs: String.raw`^(?:retorna|devolve|produz|entrega)\b`,
      inputs: String.raw`^(?:recebe|aceita|espera)\b`,
      capabilities: String.raw`^(?:esta skill |esta habilidade |também )?(?:suporta|cobre|inclui|oferece|permite|fornece|ajuda)\b`,
    },
  },
}

/** The end of a word in any script; JavaScript's own knows the letters of ASCII alone. */
const WORD_EDGE = String.raw`(?:(?<=[\p{L}\p{N}])(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])(?=[\p{L}\p{N}]))`

const compile = (source: string, isPlain: boolean): RegExp =>
  isPlain ? new RegExp(source, 'i') : new RegExp(source.replaceAll('\\b', WORD_EDGE), 'iu')

const PATTERNS = Object.values(LANGUAGES).map(({ looks, states }) => ({
  looks: looks === undefined ? undefined : compile(looks, false),
  /** The same for a text in ASCII, which takes a fifth of the time and knows no other script. */
  looksAscii:
    looks === undefined ? undefined : compile(looks.includes('Script') ? '(?!)' : looks, true),
  states: STATED.map((name) => [name, compile(states[name], looks === undefined)] as const),
}))

/** Finds the part that a sentence of a description states, in the languages the description may be in. */
const readSentences = (description: string, sentences: readonly string[]) => {
  const looks = isAscii(description) ? 'looksAscii' : 'looks'
  const languages = PATTERNS.filter((language) => language[looks]?.test(description) ?? true)
  return sentences.map((sentence) => {
    for (const name of STATED) {
      for (const { states } of languages) {
        const pattern = states.find(([one]) => one === name)?.[1]
        if (pattern?.test(sentence)) return name
      }
    }
    return undefined
  })
}

/** Sentences that name what a user says. */
const QUOTES_USERS =
  /\b(?:says?|said|saying|ask(?:s|ed|ing)?|mention(?:s|ed|ing)?|phrases?|requests?|types|trigger(?:s|ed)?|prompts? like|things like|queries|questions|examples?|e\.g\.|when|sagt|fragt|demande|dit|dice|pide|diz|pede)\b|触发|用户|说|当|ユーザー|と言|トリガー|사용자|라고|트리거/i

/** Something said, between quotation marks. */
const QUOTED =
  /["“「『„«]\s?([^"”“」』„«»]{4,120})["”“」』»]|(?<=[\s(,/:])['‘]([^'’]{6,120}|[^'’]{1,60}['’](?:s|t|m|re|ve|ll|d)\b[^'’]{1,60})['’](?=[\s),.;:/]|$)/g

/** What asks: a question, or words of someone about what is theirs. */
const ASKS =
  /^(?:why|how|what|which|where|when|who|should|can|could|would|will|do|does|did|is|are|am|isn['’]t|let['’]s|please|nobody|too many|ich|je|eu|yo)\b|\b(?:my|me|our|us|we|i|i['’]m|mir|mein\w*|mon|ma|mes|moi|mi|mis|meu|minha|meus)\b|^(?:\S+ ){1,5}(?:is|are|isn['’]t|aren['’]t) (?:\S+ ){1,8}\S+$|[?？]$/i

/** An order; of what is the name of a thing too, one that says what it is about. */
const COMMANDS = new RegExp(
  String.raw`^(?:(?:now|then|just|ok|hey) )?(?!(?:${NOUN_VERBS})\b)(?:${VERBS})\s|^(?:${NOUN_VERBS})\s.*\b(?:a|an|the|your|this|that|these|those|it|all|every|each|some|for|from|into|on|to|about|how|why|what|which|whether|if|as|at)\s`,
  'i',
)

/** Words that begin something more, so that what ends in one is cut off. */
const OPEN_END =
  /^(?!(?:who|what|which|where|how)\b(?: \S+){3}).*\b(?:for|from|in|into|on|with|as|about|at|by)$|\b(?:a|an|the|my|to|of|and|or|if|is|are)$|\.\.\.$|…$/i

/** A name, each word of it capitalized. */
const IS_NAME = /^(?:\p{Lu}\S*\s+){2,}\p{Lu}\S*$/u

/** What stands for words that a user fills in. */
const HAS_GAP = /[[{<][\w\s-]*[\]}>]|\b[XYZ]\b|\s[+|/]\s|\p{Script=Han}\/\p{Script=Han}/u

/** What a person would say to an assistant, and no keyword. */
const isPhrase = (text: string): boolean =>
  !HAS_GAP.test(text) &&
  !IS_NAME.test(text) &&
  ((text.split(/\s+/).length >= 3 &&
    (ASKS.test(text) || COMMANDS.test(text)) &&
    !OPEN_END.test(text)) ||
    /\p{Script=Han}{6}|^(?=.*[谁我吗帮请怎什]).*\p{Script=Han}{4}|^(?=.*[\p{Script=Hiragana}\p{Script=Katakana}]).*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]{5}/u.test(
      text,
    ) ||
    /\p{Script=Hangul}+ \p{Script=Hangul}+(?:요|줘|까|해|기)$/u.test(text))

const trimQuote = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\s,.;:，。、]+$/u, '')
    .trim()

/** All that stands between quotation marks, each once. */
const listQuoted = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(QUOTED), ([, a, b]) => trimQuote(a ?? b ?? ''))),
]

/** An order in two words, among others that say more: `compress image`. */
const SHORT_ORDER = new RegExp(`^(?!(?:${NOUN_VERBS})\\b)(?:${VERBS})\\s\\S+$`, 'i')

/** Quotations of a description that are prompts for all of them to be such; else they are keywords. */
const ARE_PROMPTS = 0.75

const arePrompts = (quoted: readonly string[]): boolean =>
  quoted.some(isPhrase) &&
  quoted.filter((one) => isPhrase(one) || SHORT_ORDER.test(one)).length >=
    ARE_PROMPTS * quoted.length

/** How a sentence begins that orders an assistant, or only warns. */
const ORDERS =
  /^\W*(?:always|never|must|do not|don['’]t|important|note|warning|read|see|run|follow|ensure|make sure|remember|before|after|if|keywords|version|author|license|for .{0,80}\bsee|(?:inspired|based|built|written|made|powered) (?:by|on|in|with|from))\b/i

const WORDS_OF_CAPABILITY = 4

/** How a sentence begins that speaks of something else than the skill: its reader, a number, what others do. */
const IS_OTHER =
  /^\W*(?:you|we|your|master|most|unlike|hours?|\d|all \w+ (?:in|are)|the (?!skill|tool)[\w ]{1,40} (?:only|is|are|has)\b)/i

const isCapability = (sentence: string): boolean =>
  !ORDERS.test(sentence) &&
  !IS_OTHER.test(sentence) &&
  sentence.split(/\s+/).length >= WORDS_OF_CAPABILITY

/** Sentences that name another skill for it, rather than what this one is not for. */
const REDIRECTS = /^(?:for|if)\b|\binstead\b|请改用|请使用/i

/** Most characters of a sentence that is told again. */
const TOLD_AGAIN = 60

/** What a description says its skill is not for, in few words; nothing where one sentence takes more. */
const listUnsuited = (sentences: readonly string[]): string[] => {
  const told = sentences.map((one) => stripMarks(one).replace(/\s+/g, ' ').trim())
  return told.every((one) => one.length <= TOLD_AGAIN && !REDIRECTS.test(one)) ? told : []
}

/** Prompts in one sentence that need no word about a user. */
const QUOTES_ALONE = 3

/** What a description states. */
export interface Description {
  /** The parts that its sentences state; they stand under Activation. */
  stated: ReadonlySet<PartName>
  /** What it says the skill is not for. */
  unsuited: readonly string[]
  /** All that it quotes of users, or nothing. */
  prompts: readonly string[]
}

/** Finds the parts that a description states: a sentence states one of them, and the first is the summary. */
export const readDescription = (description: string, isSummary = true): Description => {
  const sentences = splitSentences(description)
  const partsOf = readSentences(description, sentences)
  const firstUse = partsOf.findIndex((name, at) => name === 'whenToUse' && at > 0)
  const stated = new Set<PartName>()
  const prompts: string[] = []
  for (const [at, sentence] of sentences.entries()) {
    const name = partsOf[at]
    if (name !== 'whenNotToUse') {
      const quoted = listQuoted(sentence)
      if (quoted.length >= QUOTES_ALONE || QUOTES_USERS.test(sentence)) prompts.push(...quoted)
    }
    // What is said of no part before a description turns to its use, says what the skill does.
    const does = at < firstUse || STARTS_WITH_ACTION.test(sentence)
    const part = name ?? (does && isCapability(sentence) ? 'capabilities' : undefined)
    // What the skill does is said by the summary itself.
    if (part !== undefined && !(at === 0 && isSummary && part === 'capabilities')) stated.add(part)
  }
  if (prompts.length > 1) stated.add('examples')
  return {
    stated,
    unsuited: listUnsuited(sentences.filter((_, at) => partsOf[at] === 'whenNotToUse')),
    prompts: arePrompts(prompts) ? [...new Set(prompts)] : [],
  }
}
