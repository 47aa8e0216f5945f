import { stripMarks } from '../../catalog/text.ts'
import { NOUN_VERBS, VERBS } from './words.ts'

/** Most characters that a part repeats of another, or of the description, which stands whole under Activation. */
export const REPEATED = 60

/** What introduces occasions and is none itself: `Use this skill when the user wants to …`. */
const LEAD_IN =
  /^(?:(?:also|always|must|proactively|please|best)\s)*(?:(?:should be |is )?(?:use[ds]?|invoke[ds]?|activate[ds]?|apply|applies|load|trigger(?:s|ed)?|intended|designed|useful|ideal)\s)?(?:(?:this|it|the)\s)?(?:skill\s)?(?:proactively\s)?(?:when(?:ever)?|if|for)\s(?:(?:the\s|a\s)?(?:user|you|someone|developer)\s(?:(?:wants?|needs?|asks?)\s(?:(?:you|claude)\s)?(?:help\s)?to\s|(?:is|are)\s(?=\w+ing\s)))?(?:asked to\s)?/i

/** How the occasions of one enumeration begin: all do something, all are orders, or all say when. */
const KINDS: readonly RegExp[] = [
  /^(?!(?:\w*thing|including|during|regarding|using|following|existing|missing|marketing|onboarding|landing|pricing|engineering|branding|training|styling|staging|streaming)\b)[\w-]{2,}ing\s\S/i,
  new RegExp(`^(?!(?:${NOUN_VERBS}|feature)\\s\\S+$)(?:${VERBS})\\s\\S`, 'i'),
  /^when(?:ever)?\s\S+\s\S/i,
]

const isWhole = (text: string): boolean =>
  text.length <= REPEATED &&
  (text.match(/[([“]/g)?.length ?? 0) === (text.match(/[)\]”]/g)?.length ?? 0) &&
  (text.match(/["`]/g)?.length ?? 0) % 2 === 0

/** Words that start a skill, each no occasion of its own: `Triggers: plan, roadmap`, `says "plan" or "roadmap"`. */
const LISTS_TRIGGERS =
  /^\W*(?:also )?(?:triggers?|keywords?|trigger (?:phrases|words))\b|(?:["“「][^"“”「」]{2,80}["”」]|(?<=[\s(,:])['‘][^'’]{2,56}['’](?=[\s,.;:)])).*["“「'‘]/i

/** What goes on with the user whom the words before it name. */
const GOES_ON = /\bor (?:asks|mentions|needs|says|wants)\b/i

/** All occasions that a sentence names, each in at most 60 characters, or none. */
const listOccasions = (plain: string): string[] => {
  if (plain.length <= REPEATED) return [plain]
  const [leadIn = ''] = LEAD_IN.exec(plain) ?? []
  const rest = plain.slice(leadIn.length).replace(/[.!。]+$/, '')
  if (leadIn === '') return []
  if (isWhole(rest) && !GOES_ON.test(rest)) return [rest]
  const items = rest.split(/[,;]\s+(?:(?:and|or)\s+)?/)
  return items.every(isWhole) && KINDS.some((kind) => items.every((one) => kind.test(one)))
    ? items
    : []
}

/**
 * What sentences of a description say in at most 60 characters a piece; nothing where one of them cannot be told
 * so, since a part of an enumeration says something else than the whole.
 */
export const shortenSentences = (sentences: readonly string[], isUse: boolean): string[] => {
  const told = sentences
    .filter((one) => !isUse || !LISTS_TRIGGERS.test(one))
    .map((one) => stripMarks(one).replace(/\s+/g, ' ').trim())
    .map((one) => (isUse ? listOccasions(one) : [one].filter(isWhole)))
  return told.every((one) => one.length > 0) ? told.flat() : []
}
