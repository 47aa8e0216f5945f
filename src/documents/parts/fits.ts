import type { Block } from '../guest/read.ts'
import { PARTS } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'
import { normalizeHeading, partOfHeading } from './sections.ts'
import { IS_ORDER, IS_RULE, isMostly, isQuoted, listWords, textOfPassage } from './passages.ts'
import type { FoundPart, Passage } from './passages.ts'
import { describesSteps } from './steps.ts'

/** What prerequisites name; elsewhere setup and requirements are often those of what the skill makes. */
const NEEDED =
  /\b(?:pnpm|yarn|bun|deno|uv|dotnet) add\b|\binstall(?:ed|ing|ation)?\b|must be (?:available|running|present|provided|set)|\b(?:api|access) (?:keys?|tokens?)\b|\baccounts?\b|subscription|credential|\blog(?:ged)? in\b|\blogin\b|\brequire[sd]?\b|\bmcp\b|\bcli\b|\b(?:setup|bootstrap)[\w-]*\.(?:sh|py|js|ps1)\b|version \d|\d\.\d+\s*(?:\+|or (?:later|newer|higher))|\d\+|[>≥]=?\s*v?\d|[A-Z]{2}_(?:KEY|TOKEN)|安装|需要|インストール|必要|설치|필요|installier|benötigt|requiere|instala|requer|nécessite/i

/** Headings that name nothing but what a skill needs. */
const SURELY_NEEDED =
  /prereq|pre requisit|^before first|what you need$|^requires|voraussetzung|前置|前提|前置|전제|prérequis/

const ROLE =
  /^\W*(?:you are|you're|act as|your (?:role|job|goal|mission|task) is|master (?!branch)\w|你是|あなたは|당신은|du bist|eres|você é|tu es)\b/i

/** Words in brackets that are to be filled in: no link, no box of a task. */
const GAP = /\[(?![ xX]\]|[^\]]*\]\()[^\]]{2,}\]|\{\{?[\w\s-]+\}?\}|<[a-z][\w\s-]*>/gi

const PLACEHOLDERS = 3

/** Whether a text is a form to be filled in rather than words. */
const isForm = (text: string): boolean => {
  const gaps = text.match(GAP) ?? []
  const filled = gaps.reduce((sum, { length }) => sum + length, 0)
  return filled * 2 > text.length || (gaps.length >= PLACEHOLDERS && filled * 4 > text.length)
}

const isRules = (passage: Passage): boolean =>
  isMostly(
    [passage, ...passage.below].flatMap(({ blocks }) => listWords(blocks)),
    IS_RULE,
  )

/** What is looked for before the work begins, and need not be there. */
const IS_LOOKED_UP = /^\W*(?:check|look) (?:for|whether|if) [^.:]{0,80}\bfirst\b/i

const IS_PROGRAM = /^(?:ts|tsx|js|jsx|typescript|javascript)$/
const SETS_NOTHING = /^(?=[^]*\bprocess\.env\b)(?=[^]*\b(?:return|export)\b)/

const NEEDS_GRANT =
  /\b(?:this skill|the (?:user|account|token|app)|you(?:r \w+)?) (?:\w+ )?(?:needs?|must|requires?)\b/i

const isNeeded = (passage: Passage): boolean => {
  const [first] = passage.blocks
  if (IS_LOOKED_UP.test(first?.raw ?? '')) return false
  // A program that is shown reads the variables of an application.
  if (
    passage.blocks.some(
      ({ node }) =>
        node?.type === 'code' && IS_PROGRAM.test(node.lang ?? '') && SETS_NOTHING.test(node.value),
    )
  )
    return false
  // A setup that asks one question after the other is where the work begins.
  if ((textOfPassage(passage).match(/\bask the user:/gi)?.length ?? 0) > 1) return false
  const heading = normalizeHeading(passage.heading?.text ?? '')
  // What may be granted in an interface, not what the skill needs.
  if (/\bpermissions?$|\bscopes?$/.test(heading) && !NEEDS_GRANT.test(textOfPassage(passage)))
    return false
  if (SURELY_NEEDED.test(heading)) return true
  if (!/requirement|anforderung|requisito|要求/.test(heading))
    return NEEDED.test(textOfPassage(passage))
  const words = [passage, ...passage.below].flatMap(({ blocks }) => listWords(blocks))
  return isMostly(words, NEEDED)
}

const isRole = ({ blocks }: Passage): boolean => ROLE.test(blocks[0]?.raw ?? '')

/** A table of what goes wrong, which is not what cannot be done. */
const tellsMistakes = ({ type, raw }: Block): boolean =>
  type === 'table' && /^[^\n]*\b(?:mistake|error|symptom|problem|fix|issue|cause)s?\b/i.test(raw)

/** An item that only says where to look: `Protected routes → [Guide](guide.md)`. */
const POINTS = /→|->|^\W*\[|[:—–]\s\s*(?:see\b|read\b|load\b|\[)/i

const OTHERS =
  'customers?|subscribers?|applicants?|buyers?|patients?|candidates?|shoppers?|tenants?|borrowers?|claimants?|members?|employees?|students?|guests?|visitors?|donors?|voters?|users?'

/** `Customer onboarding process`: steps that somebody else takes. */
const OF_OTHERS = new RegExp(
  `\\b(?!users?\\b)(?:${OTHERS})\\b.*\\b(?:process|journey|flow|lifecycle|onboarding|pipeline|steps)\\b`,
  'i',
)
const DONE_BY_OTHERS = new RegExp(
  `^\\W*(?:the |an? |each )?(?:new )?(?:${OTHERS}) (?!(?:stories|story|research|experience|data|interface|input|request)\\b)[a-z]+s\\b`,
  'i',
)

const isOfOthers = ({ heading, blocks, below }: Passage): boolean =>
  OF_OTHERS.test(heading?.text ?? '') ||
  isMostly(
    [...listWords(blocks), ...below.map((one) => one.heading?.text.replace(/^[\W\d]+/, '') ?? '')],
    DONE_BY_OTHERS,
  )

/** Rules for an assistant under a heading of steps. */
const ORDERS_ABOUT = /^(?:you must|ask the user):?\W*$/i

/** A file, a folder, an import or a branch of a tree, and nothing that anyone can do. */
const IS_FILE =
  /^\W{0,4}(?:[\w.-]+\/[\w./*-]*|[\w-]+\.(?:md|py|js|ts|tsx|jsx|json|ya?ml|sh|txt|html|css|toml|csv))(?![\w-])|^(?:import|from) [\w.{]|^[\s│]*[├└]/

/** Signs of a command or of words in a fence: what it lists may be done. */
const IS_SAID_IN_CODE = /^\s*(?:[-*•]|\d+[.)]|\/[a-z])/m

/** Whether a list of what there is names files; a fence of code names what a program does, not the skill. */
const isOfFiles = ({ blocks }: Passage): boolean =>
  isMostly(listWords(blocks), IS_FILE) ||
  (blocks.length > 0 &&
    blocks.every(
      ({ type, raw }) => type === 'code' && (/[├└]/.test(raw) || !IS_SAID_IN_CODE.test(raw)),
    ))

/** Names of single things: `Stores`, `Plugins`; what can be done with them they do not say. */
const areBareNouns = (names: readonly string[]): boolean =>
  names.length > 0 && names.every((name) => /^\W*\w+\W*$/.test(name) && !IS_ORDER.test(name))

/** What a constraint says that is a limit; the others are rules of the work, or of a database. */
const IS_LIMIT =
  /\b(?:at most|max(?:imum)?|limit\w*|up to|no more than|less than|not (?:yet )?supported|unsupported|cannot|can['’]t|(?:does|do) not|doesn['’]t|don['’]t support)\b|\bonly\W*$/i

const SAYS_HOW = /^\W*how (?!it\b|this works).{2,60} works\W*$/i

/** Whether the only list of a passage names things or cases, and nothing that is done. */
const listsThings = ({ blocks }: Passage): boolean => {
  const [list, ...others] = blocks.filter(({ type }) => type === 'list')
  return (
    others.length === 0 &&
    list?.node?.type === 'list' &&
    !list.node.ordered &&
    !isMostly(listWords([list]), /^\W*(?:\*\*[^*]+\*\*\W*)?[a-z]+s\s/i) &&
    !isMostly(
      listWords([list]).map((text) => text.replace(/^\W+/, '')),
      IS_ORDER,
    )
  )
}

/** Headings below which stands as often what to read, or where. */
const IS_USAGE = /^how to use\b|^usage\b/

const isOrdered = ({ node }: Block): boolean => node?.type === 'list' && node.ordered === true

/** What a passage must be to carry a part, beyond the heading that says so. */
const FITS: Readonly<Partial<Record<PartName, (passage: Passage) => boolean>>> = {
  capabilities: (passage) =>
    !isRole(passage) &&
    !isRules(passage) &&
    !isMostly(listWords(passage.blocks), POINTS) &&
    !passage.below.some(isQuoted) &&
    !(
      passage.blocks.length === 0 &&
      areBareNouns(passage.below.map(({ heading }) => heading?.text ?? ''))
    ) &&
    !(passage.below.length === 0 && isOfFiles(passage)),
  howItWorks: (passage) =>
    !isRole(passage) &&
    !isOfOthers(passage) &&
    !ORDERS_ABOUT.test(passage.blocks[0]?.raw ?? '') &&
    (!IS_USAGE.test(normalizeHeading(passage.heading?.text ?? '')) ||
      passage.below.length > 0 ||
      passage.blocks.some(isOrdered)) &&
    (passage.below.length > 0 ||
      (passage.blocks.some(describesSteps) &&
        !(
          (passage.blocks.length === 1 || SAYS_HOW.test(passage.heading?.text ?? '')) &&
          listsThings(passage)
        ))),
  prerequisites: isNeeded,
  whenToUse: ({ blocks, below }) =>
    !isMostly(listWords(blocks), POINTS) &&
    !below.some((one) => one.blocks.some(({ type }) => type === 'code')),
  limitations: (passage) =>
    !isRules(passage) &&
    !passage.blocks.some(tellsMistakes) &&
    (!/^(?:\w+ )?constraints$/.test(normalizeHeading(passage.heading?.text ?? '')) ||
      isMostly(listWords(passage.blocks), IS_LIMIT)),
}

const holds = ({ blocks, below }: Passage): boolean => blocks.length > 0 || below.length > 0

export const IS_TEXT: ReadonlySet<PartName> = new Set(
  PARTS.flatMap(({ name, below }) => (below === 'text' ? [name] : [])),
)

/** A heading over nothing but headings, one of which carries the part itself, has no names to list. */
const isOnlyAbove = (name: PartName, { blocks, below }: Passage): boolean =>
  !IS_TEXT.has(name) &&
  blocks.length === 0 &&
  below.some((one) => one.heading !== undefined && partOfHeading(one.heading.text) === name)

/** A passage as far as it is shown: of headings whose names are listed, no text. */
const shownOf = (name: PartName, passage: Passage): Passage =>
  IS_TEXT.has(name)
    ? passage
    : { ...passage, below: passage.below.map((one) => ({ ...one, blocks: [], below: [] })) }

export const isSuitable = ({ name, passage }: FoundPart): boolean =>
  holds(passage) &&
  !isOnlyAbove(name, passage) &&
  (FITS[name]?.(passage) ?? true) &&
  (name === 'examples' || name === 'outputs' || !isForm(textOfPassage(shownOf(name, passage))))
