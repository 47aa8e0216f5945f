import { escapeMarkdown } from '../escape.ts'
import type { PartName } from '../../catalog/parts.ts'

/** Abbreviations whose point ends no sentence. */
const ABBREVIATIONS = /(?:^|[\s(])(?:e\.g|i\.e|vs|cf|approx|incl|no|dr|mr|ms|st)\.$/i

const SENTENCE_END = /[.!?]+["'”’)\]]*(?=\s+[^\p{Ll}\s])|[。！？]+["”」）]*|$/gu

/** Splits a text into whole sentences, on one line each. */
export const splitSentences = (text: string): string[] => {
  const line = text.replace(/\s+/g, ' ').trim()
  const sentences: string[] = []
  let start = 0
  for (const match of line.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    if (ABBREVIATIONS.test(line.slice(start, end))) continue
    const sentence = line.slice(start, end).trim()
    if (sentence !== '') sentences.push(sentence)
    start = end
  }
  return sentences
}

const SUBJECT = '^(?:it |this skill |the skill |also |and )?'

/** How a sentence of a description begins, or what it holds, that states a part. */
const STATEMENTS: Readonly<Partial<Record<PartName, RegExp>>> = {
  activation:
    /^(?:auto-?|also |must |proactively )?(?:trigger|activat)\w*\b|\btriggers? (?:on|when|for|include|phrases|words)\b|触发/i,
  capabilities: new RegExp(
    `${SUBJECT}(?:supports|covers|includes|provides|handles|offers|enables|features|capabilities include)\\b`,
    'i',
  ),
  inputs: new RegExp(`${SUBJECT}(?:takes|accepts|expects|inputs?:)(?:\\s|$)`, 'i'),
  outputs: new RegExp(
    `${SUBJECT}(?:returns|outputs|produces|delivers|emits|outputs?:)(?:\\s|$)`,
    'i',
  ),
  whenToUse:
    /^(?:also |always |must |only |proactively |please )*(?:use|invoke|trigger|triggers|activate|activates|apply|load|reach for)\b|\b(?:use|invoke|trigger|activate|apply) (?:this|it|when|whenever|if)\b|\bshould be used\b|\bwhen(?:ever)? (?:the |a )?users?\b|当用户|适用于/i,
  whenNotToUse:
    /^(?:please )?(?:do not|don['’]t|never) (?:use|invoke|trigger|activate|apply|load)\b|^not (?:for|intended|to be used|suitable|meant|applicable)\b|^skip (?:this|it|when|if|for)\b|^avoid (?:using )?(?:this|it|for|when)\b|\b(?:do not|don['’]t) (?:use|trigger|invoke|activate) (?:this|it|for|when|if)\b|不要用于|不适用/i,
  prerequisites: new RegExp(
    `${SUBJECT}(?:requires?|needs?|depends on|prerequisites?:)(?:\\s|$)`,
    'i',
  ),
  limitations: new RegExp(
    `${SUBJECT}(?:is limited to|limited to|only works|works only|supports only|only supports|does not|doesn['’]t|cannot|limitations?:)(?:\\s|$)`,
    'i',
  ),
}

/** Sentences that name what a user says. */
const QUOTES_USERS =
  /\b(?:say(?:s|ing)?|ask(?:s|ed|ing)?|mentions?|mentioning|phrases?|requests?|types|trigger(?:s|ed)?(?: on| by| with| when)?|prompts? like|things like)\b|触发|用户说/i

/** Something said, between quotation marks. */
const QUOTED = /["“「]([^"”“」]{6,120})["”」]|(?<=[\s(,/])'([^']{6,120})'(?=[\s),.;/]|$)/g

/** Words that make others a request; without one they are keywords. */
const ASKS =
  /\b(?:my|me|our|us|we|i|i'm|you|this|that|these|it|is|are|isn't|why|how|what|which|when|should|can)\b|^(?:help (?:me|my|us|with)|add|analy[sz]e|attach|audit|build|check|compare|convert|create|debug|deploy|design|download|draft|explain|export|extract|find|fix|generate|get|import|improve|install|list|make|migrate|open|optimi[sz]e|plan|publish|read|refactor|review|run|scan|search|set|show|summari[sz]e|test|translate|turn|update|upload|validate|write)\s/i

/** Words that begin something more, so that what ends in one is cut off. */
const OPEN_END = /\b(?:a|an|the|my|to|for|from|in|into|on|of|with|as|about|at|by|and|or)$/i

const isPhrase = (text: string): boolean =>
  (text.split(/\s+/).length >= 3 && ASKS.test(text) && !OPEN_END.test(text)) ||
  /\p{Script=Han}{4}/u.test(text)

const trimQuote = (text: string): string => text.replace(/[\s,.;:，。]+$/u, '').trim()

const listQuotes = (sentences: readonly string[]): string[] =>
  sentences
    .filter((sentence) => QUOTES_USERS.test(sentence))
    .flatMap((sentence) =>
      Array.from(sentence.matchAll(QUOTED), ([, a, b]) => trimQuote(a ?? b ?? '')),
    )
    .filter(isPhrase)

const listStated = (sentences: readonly string[], name: PartName): string[] => {
  const forbids = (sentence: string): boolean =>
    name === 'whenToUse' && STATEMENTS.whenNotToUse?.test(sentence) === true
  return sentences.filter(
    (sentence) => STATEMENTS[name]?.test(sentence) === true && !forbids(sentence),
  )
}

/** Finds the parts that a description states, each in whole sentences of its author, as Markdown. */
export const readDescription = (description: string): Partial<Record<PartName, string>> => {
  const sentences = splitSentences(description)
  const stated: Partial<Record<PartName, string>> = {}
  for (const name of Object.keys(STATEMENTS) as PartName[]) {
    const found = listStated(sentences, name)
    if (found.length > 0) stated[name] = escapeMarkdown(found.join(' '))
  }
  const quotes = [
    ...new Set(listQuotes(sentences.filter((one) => !STATEMENTS.whenNotToUse?.test(one)))),
  ]
  if (quotes.length > 0) {
    stated.examples = quotes.map((quote) => `- "${escapeMarkdown(quote)}"`).join('\n')
  }
  return stated
}
