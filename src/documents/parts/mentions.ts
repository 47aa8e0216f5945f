import type { PartName } from '../../catalog/parts.ts'
import type { Block } from '../guest/read.ts'
import { normalizeHeading } from './headings.ts'
import { JUDGED_LENGTH } from './passages.ts'
import type { TextSection } from './sections.ts'
import { describesWork } from './steps.ts'

/** Headings that speak of a part, but too loosely to be it. */
const HEADINGS: Readonly<Partial<Record<PartName, RegExp>>> = {
  capabilities:
    /\b(?:what you get|purpose|objectives?|goals?|mission|responsibilities|benefits|recipes|tools|capabilit\w+)\b/,
  howItWorks:
    /^(?:step|phase|stage|layer|pass)\b|\b(?:workflows?|process|steps|phases|procedure|how to)\b/,
  inputs:
    /\b(?:inputs?|questions|arguments|options|flags|parameters)\b|^(?:gather|collect|clarify|ask)\b/,
  outputs: /\b(?:outputs?|reports?|deliverables?|results?|template)\b/,
  whenToUse: /\b(?:use cases?|scenarios|when to|use (?:this|when))\b/,
  whenNotToUse: /\bnot (?:to )?(?:use|for)\b|\bis not\b|\bout of scope\b|\binstead\b/,
  prerequisites: /\b(?:install\w*|set ?up|prerequisites?|requirements|authentication|before)\b/,
  limitations: /\blimit\w*\b|\bboundaries\b|\bcaveats\b|\bdoes not\b/,
  examples: /\b(?:prompts|requests|queries|invocations?|interactions?)\b/,
}

const RESULT = String.raw`(?:outputs?|results?|report|summary|findings|plan|spec(?:ification)?|review|analysis|document|brief|recommendations?|verdict|deliverables?|artifacts?)\b`
/** What is written down for the work itself and nothing that a user gets. */
const KEPT = String.raw`[^.:]{0,60}\b(?:credentials?|tokens?|secrets?|keys?|config\w*|settings|env|state|cache|temp\w*|logs?|progress|notes|tests?)\b`
const FEW = String.raw`(?:[\w*-]+ ){0,3}`

/** How a sentence begins that says in passing what a part would say. */
const SENTENCES: Readonly<Partial<Record<PartName, string>>> = {
  inputs: String.raw`(?:ask|prompt) (?:the )?(?:user|customer) (?:for (?!confirm|approv|permission|clarif|feedback|input\b|guidance|help|consent|review)|which |what |to (?:provide|specify|paste|share|upload|describe|supply)\b)|(?:gather|collect|obtain) [^.]{3,80} from (?:the )?user\b|if [^.,]{0,60}\b(?:not|no|isn['’]t|missing|without)\b[^.,]{0,40}, (?:then )?ask (?:the user )?(?:for|which|what|to)\b|(?:the )?user (?:will |must |should |may |can )?(?:provides?|supplies|pastes|uploads|specifies)\b|(?:an?|the|at least one) [^.:]{2,60} must be (?:provided|supplied) (?:by|as|in)\b|required inputs?\b|\x60?\$ARGUMENTS\x60? (?:is|are|contains?|holds|specifies|may|can|should|will)\b|(?:this skill |the skill )(?:takes|accepts|expects)\b|(?:if )?the user (?:will )?(?:provides?|gives?|supplies|uploads|attaches|shares|pastes)\b`,
  outputs: String.raw`(?:save|write|export|store) (?:the |your |all |this )?${FEW}${RESULT}[^.]{0,60} (?:to|as|in|under|into|at) |(?:present|return|output|report|deliver|format|summari[sz]e) (?:the |your |all |a |an )?${FEW}${RESULT} ?(?:to|as|in|with|using|that|of|for|by)\b|(?:return|output|produce|deliver) (?:only )?(?:an?|one|the (?:complete|final)) ${FEW}(?:${RESULT}|(?:json|markdown|table|html|csv|pdf|checklist|scorecard|memo|matrix|roadmap|draft|diagram|list|file)\b)|save (?:(?:it|them|the [\w -]{3,40}) )?as (?:an? )?(?:markdown|json|html|csv|pdf|docx|word)\b|(?:save|write|export) (?!${KEPT})[^.:]{0,60}(?:as|to|in|under) \x60(?!<skill|/tmp)|the (?!user)(?:[\w-]+ ){1,4}(?:should|must|will|shall|is to) be (?:saved|written|stored|placed) (?:in|to|as|under|at|into)\b|(?:this|the) skill (?:also )?(?:produces|outputs|returns|delivers|emits|writes|generates|creates)\b|save [\w ]{2,30} (?:to|as|in|under):\*{0,2} \x60|always return (?:an?|one|the) \S|create an? (?!${KEPT})[^.:\x60]{0,60}[\x60'][\w./-]+\.md[\x60']|(?:this skill |it |the skill )(?:produces|outputs|returns|delivers)\b|(?:the )?(?:final )?(?:output|result|deliverable)s? (?:is|are|will be)\b|you will (?:create|get|receive)\b`,
  whenToUse: String.raw`(?:use|invoke|apply|activate|load|trigger) (?:(?:this skill|this|it)? ?(?:when|whenever|if|for)|this skill to)\b|this skill (?:should be used|is (?:used|intended|designed|meant|ideal|useful)|applies|activates|triggers)\b`,
  prerequisites: String.raw`(?:please )?(?:make sure|ensure|verify|confirm|check)(?: that| whether| if)? [^.]{2,80}\b(?:installed|authenticated|logged in|on (?:your |the )?PATH)\b|if [^.,]{2,60} (?:is not|isn['’]t|not) (?:installed|authenticated|logged in)[^.,]{0,20}, (?:then )?(?:install|tell|ask|stop|prompt|guide|run)\b|(?:set|export|provide) (?:the |your |an? )?\x60?[A-Z][A-Z\d]*_(?:[A-Z\d]+_)*(?:KEY|TOKEN|SECRET)\b`,
  whenNotToUse: String.raw`(?:do not|don['’]t|never) use\b`,
}

const COMPILED = Object.entries(SENTENCES).map(
  ([name, begins]) =>
    [
      name as PartName,
      new RegExp(String.raw`(?:^[\s>*_#\d.-]{0,9}|[.!?] )(?:${begins})`, 'im'),
    ] as const,
)

const ASKED =
  /\b(?:users?|they|someone) (?:says?|asks?|requests?|types|might say|may say)\b|\bthings like\b|\buser (?:says?|asks?|request|query|prompt|input|intent)\b|\byou (?:say|type|might say)\b|\b(?:use for|triggers?):|用户(?:说|请求|输入)|ユーザー(?:が|の)|사용자/i

/** What every quotation holds; most blocks have none, and to look for the words around it takes ten times as long. */
const HAS_QUOTE = /["“「『„«]|[\s(,/:]['‘]/

const quotesUsers = (text: string): boolean => HAS_QUOTE.test(text) && ASKED.test(text)

const wordsOf = ({ type, raw }: Block): string =>
  type === 'code' ? '' : raw.slice(0, JUDGED_LENGTH)

/** The parts of which a text says something, though not what could be lifted out of it: they are not said to be missing. */
export const listMentioned = (
  sections: readonly TextSection[],
  missing: readonly PartName[],
): Set<PartName> => {
  const mentioned = new Set<PartName>()
  for (const section of sections) {
    if (section.isSample) continue
    const { heading, part, blocks } = section
    const words = normalizeHeading(heading?.text ?? '')
    const isTold = section.isWhole || describesWork(section)
    for (const name of missing) {
      if (mentioned.has(name)) continue
      const pattern = isTold ? COMPILED.find(([one]) => one === name)?.[1] : undefined
      if (
        // Examples of most texts are code.
        (part === name && name !== 'examples') ||
        (section.level > 0 && HEADINGS[name]?.test(words)) ||
        (name === 'examples' && blocks.some((block) => quotesUsers(wordsOf(block)))) ||
        (pattern && blocks.some((block) => pattern.test(wordsOf(block))))
      )
        mentioned.add(name)
    }
  }
  return mentioned
}
