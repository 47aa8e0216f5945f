import type { Block } from '../guest/read.ts'
import type { PartName } from '../../catalog/parts.ts'
import { listJoined, partOfHeading } from './headings.ts'
import { listStatements, plainStart } from './passages.ts'
import type { FoundPart } from './passages.ts'
import type { TextSection } from './sections.ts'
import { areRelated, DEEPEST_LEVEL_READ } from './sections.ts'
import { isEnd, describesWork } from './steps.ts'
import { STARTS_WITH_ACTION, IS_ORDER, IS_RULE, DEFINED_BY_ACTION, VERBS } from './words.ts'

/** `**Requires:** Node 20`: a label and what it introduces on one line. */
const INLINE_LABEL =
  /^(?:>\s*)?(?:\*\*|__)([^*_\n]{3,60}?)(?:[.:：](?:\*\*|__)|(?:\*\*|__)\s*[:：—–-])\s*(?=\S)/

/** Where a sentence may stand to speak of the skill: in the whole, in its work, at its end, anywhere near the top. */
type Place = 'whole' | 'work' | 'end' | 'anywhere'

const NAME = String.raw`(?:\[|\x60|\*\*)*[a-z0-9]+(?:[-:][a-z0-9]+)+(?:\]\([^)\s]{0,200}\))?(?:\]|\x60|\*\*)*`
const RESULT = String.raw`(?:outputs?|results?|report|summary|findings|plan|spec(?:ification)?|review|analysis|document|brief|recommendations?|verdict|deliverables?|artifacts?)\b`
/** What is said not to be done, but is no limit. */
const NO_LIMIT = String.raw`(?!just|only|depend|rely|execute|require|need|store|send|collect|modify|change|activate|trigger|apply)`
/** What is written down for the work itself and nothing that a user gets. */
const KEPT = String.raw`[^.:]{0,60}\b(?:credentials?|tokens?|secrets?|keys?|config\w*|settings|env|state|cache|temp\w*|logs?|progress|notes|tests?)\b`
const FEW = String.raw`(?:[\w*-]+ ){0,3}`

/** How a sentence or an item begins that states a part, by where it may stand; the plainest parts first. */
const STATES: Readonly<Record<Place, Partial<Record<PartName, string>>>> = {
  anywhere: {
    whenNotToUse: String.raw`(?:please )?(?:do not|don['’]t|never) use this skill\b|this skill is \*{0,2}not\*{0,2} (?:for|intended|meant|suitable|a replacement|a substitute)\b`,
    limitations: String.raw`(?:important: |note: )?this (?:skill|tool|plugin) (?:currently )?\*{0,2}(?:only (?:works|supports|handles|covers|generates|reads|applies|describes)|(?:does not|doesn['’]t) ${NO_LIMIT}|cannot|can['’]t|is (?:limited|restricted) to|is (?:strictly )?read-only|never\*{0,2} (?:runs|writes|modifies|creates|deletes|sends|changes|edits|touches)|will not|won['’]t)\b`,
    prerequisites: String.raw`this (?:skill|plugin) (?:also )?(?:requires|needs|depends on) (?!no\b|\w+ing\b)`,
    outputs: String.raw`the (?!user)(?:[\w-]+ ){1,4}(?:should|must|will|shall|is to) be (?:saved|written|stored|placed) (?:in|to|as|under|at|into)\b|(?:this|the) skill (?:also )?(?:produces|outputs|returns|delivers|emits|writes|generates|creates)\b`,
    inputs: String.raw`\x60?\$ARGUMENTS\x60? (?:is|are|contains?|holds|specifies|may|can|should|will)\b`,
  },
  work: {
    prerequisites: String.raw`(?:please )?(?:make sure|ensure|verify|confirm|check)(?: that| whether| if)? [^.]{2,80}\b(?:installed|authenticated|logged in|on (?:your |the )?PATH)\b|if [^.,]{2,60} (?:is not|isn['’]t|not) (?:installed|authenticated|logged in)[^.,]{0,20}, (?:then )?(?:install|tell|ask|stop|prompt|guide|run)\b|[^.]{0,60}\x60 (?:cli )?must be (?:installed|authenticated|logged in|running|set)\b|(?:set|export|provide) (?:the |your |an? )?\x60?[A-Z][A-Z\d]*_(?:[A-Z\d]+_)*(?:KEY|TOKEN|SECRET)\b`,
    outputs: String.raw`(?:save|write|export|store) (?:the |your |all |this )?${FEW}${RESULT}[^.]{0,60} (?:to|as|in|under|into|at) |(?:present|return|output|report|deliver|format|summari[sz]e) (?:the |your |all |a |an )?${FEW}${RESULT} ?(?:to|as|in|with|using|that|of|for|by)\b|(?:return|output|produce|deliver) (?:only )?(?:an?|one|the (?:complete|final)) ${FEW}(?:${RESULT}|(?:json|markdown|table|html|csv|pdf|checklist|scorecard|memo|matrix|roadmap|draft|diagram|list|file)\b)|save (?:(?:it|them|the [\w -]{3,40}) )?as (?:an? )?(?:markdown|json|html|csv|pdf|docx|word)\b`,
    inputs: String.raw`(?:ask|prompt) (?:the )?(?:user|customer) (?:for (?!confirm|approv|permission|clarif|feedback|input\b|guidance|help|consent|review)|which |what |to (?:provide|specify|paste|share|upload|describe|supply)\b)|(?:gather|collect|obtain) [^.]{3,80} from (?:the )?user\b|if [^.,]{0,60}\b(?:not|no|isn['’]t|missing|without)\b[^.,]{0,40}, (?:then )?ask (?:the user )?(?:for|which|what|to)\b|(?:the )?user (?:will |must |should |may |can )?(?:provides?|supplies|pastes|uploads|specifies)\b|(?:an?|the|at least one) [^.:]{2,60} must be (?:provided|supplied) (?:by|as|in)\b|required inputs?\b`,
  },
  end: {
    outputs: String.raw`(?:save|write|export) (?!${KEPT})[^.:]{0,60}(?:as|to|in|under) \x60(?!<skill|/tmp)`,
  },
  whole: {
    whenNotToUse: String.raw`(?:only )?use (?:this skill |this |it )?only (?:for|when|if|with)\b|for [^.;,]{3,100},? use (?:the )?${NAME} (?:skill|instead)\b|(?:\*\*)?(?:for|if) [^.;]{3,160}?,(?:\*\*)? (?:see|use|load|prefer|invoke|switch to|go to) (?:the )?${NAME}(?: skill\b| instead\b|\.?$)|(?:\*\*)?if [^.;]{3,160}?,(?:\*\*)? use [^.]{2,80} instead of this skill\b|this (?:skill )?is \*{0,2}not\*{0,2} (?:for|intended|meant|suitable|a replacement|a substitute)\b|(?:please )?(?:do not|don['’]t|never) (?:use|invoke|trigger|activate|apply|load) (?:this skill|this|it|for|when)\b|(?:this skill|it) is not (?:for|intended|meant|suitable|a replacement)\b`,
    limitations: String.raw`(?:it|the (?:script|scripts|tool|cli|api|server|extension|parser|converter)) (?:currently )?(?:only (?:works|supports)|(?:does not|doesn['’]t) (?:support|replace|cover|handle)|is limited to)\b|[^.]{3,80} (?:is|are) not (?:yet |currently )?supported\b|(?:this skill|it|the skill|the (?:script|tool)) (?:currently )?(?:(?:does not|doesn['’]t) ${NO_LIMIT}|cannot|can['’]t|only (?:works|supports)|is limited to)\b`,
    prerequisites: String.raw`(?:this (?:skill|plugin|workflow|tool)|the (?:skill|scripts?|tool|cli)|it) (?:also )?(?:requires|needs|depends on) (?!no\b)|you(?:['’]ll| will| must| should)? (?:need|have) (?:an? |the |access |to have |to install |to be )|requires (?!no\b|\w+(?:ing|ful)\b)|(?:this skill |it |the skill )?(?:requires|depends on) (?!no\b|\w+ing\b)|this skill needs\b|(?:make sure|ensure) (?:that )?[^.]{2,80}\b(?:is|are) (?:installed|configured|authenticated|logged in|running|available)\b|you(?:['’]ll| will)? need\b|if (?:it is |it['’]s )?not (?:yet |already )?installed\b|install:\*{0,2} \x60`,
    whenToUse: String.raw`(?:use|invoke|apply|activate|load|trigger) (?:(?:this skill|this|it)? ?(?:when|whenever|if|for)|this skill to)\b|this skill (?:should be used|is (?:used|intended|designed|meant|ideal|useful)|applies|activates|triggers)\b`,
    outputs: String.raw`save [\w ]{2,30} (?:to|as|in|under):\*{0,2} \x60|always return (?:an?|one|the) \S|create an? (?!${KEPT})[^.:\x60]{0,60}[\x60'][\w./-]+\.md[\x60']|(?:this skill |it |the skill )(?:produces|outputs|returns|delivers)\b|(?:the )?(?:final )?(?:output|result|deliverable)s? (?:is|are|will be)\b`,
    inputs: String.raw`(?:this skill |the skill )(?:takes|accepts|expects)\b|(?:if )?the user (?:will )?(?:provides?|gives?|supplies|uploads|attaches|shares|pastes)\b`,
  },
}

const COMPILED = Object.entries(STATES).flatMap(([place, parts]) =>
  Object.entries(parts).map(
    ([name, begins]) =>
      [name as PartName, place as Place, new RegExp(`^(?:${begins})`, 'i')] as const,
  ),
)

/** Words that a search finds ten times faster than an expression, one of which every such block holds. */
const MAY_HOLD = [
  'be saved',
  'be written',
  'be stored',
  'be placed',
  '$',
  'his skill',
  'he skill',
  'his tool',
  'he tool',
  'his plugin',
  'he plugin',
]

/** What a block holds, anywhere but where the whole or the work is told, that may state a part. */
const MAY_STATE =
  /\$ARG|\bbe (?:saved|written|stored|placed)\b|\b[Tt](?:his|he) (?:skill|tool|plugin)\b/

const mayState = ({ raw }: Block): boolean =>
  MAY_HOLD.some((words) => raw.includes(words)) && MAY_STATE.test(raw)

/** Blocks of a section that state one part at most; more are no aside. */
const STATED_AT_MOST = 8

const LONGEST_STATEMENT = 600

/** Says which part a sentence or an item states. */
const readStatement = (
  text: string,
  places: ReadonlySet<Place>,
  skillName: string,
): PartName | undefined => {
  if (text.length > LONGEST_STATEMENT || /[:：]\W*$/.test(text)) return undefined
  const label = places.has('whole') ? INLINE_LABEL.exec(text)?.[1] : undefined
  // `Results:` among other labels is a field of what something returns.
  const labelled =
    label === undefined || /^results?$/i.test(label) ? undefined : partOfHeading(label, skillName)
  if (labelled !== undefined) return labelled
  const start = plainStart(text)
  return COMPILED.find(([, place, begins]) => places.has(place) && begins.test(start))?.[0]
}

/** Finds single sentences and items that state a part, those of one section together. */
export const listStated = (sections: readonly TextSection[], skillName: string): FoundPart[] =>
  sections.flatMap((section): FoundPart[] => {
    const { heading, level, isSample, isWhole, part, blocks } = section
    if (isSample || level > DEEPEST_LEVEL_READ) return []
    const isAboutUse = areRelated(part, 'whenNotToUse')
    if (part && part !== 'howItWorks' && part !== 'capabilities' && !isAboutUse) return []
    const places = new Set<Place>(['anywhere'])
    if (isWhole || isAboutUse) places.add('whole')
    if (isWhole || describesWork(section)) places.add('work')
    if (isEnd(section)) places.add('end')
    const read = (text: string): PartName | undefined => readStatement(text, places, skillName)
    const joined = listJoined(heading?.text ?? '')
    const stated = new Map<PartName, { blocks: Block[]; of: Block[] }>()
    for (const block of blocks) {
      if (places.size === 1 && !mayState(block)) continue
      for (const [name, one] of listStatements(block, read)) {
        const { blocks: found, of } = stated.get(name) ?? { blocks: [], of: [] }
        if (joined.length > 0 && !joined.includes(name)) continue
        if (name === part || name === 'examples' || of.length > STATED_AT_MOST) continue
        stated.set(name, { blocks: [...found, one], of: [...of, block] })
      }
    }
    return [...stated].map(([name, { blocks: found, of }]) => ({
      name,
      passage: { heading, blocks: found, below: [], of },
    }))
  })

const INSTALL = String.raw`(?:\$ )?(?:sudo )?(?:(?:python3? -m |uv )?pip3?|pipx|npm|pnpm|yarn|bun|brew|apt(?:-get)?|cargo|go|gem|conda|mamba|uv tool|uv|deno|dotnet) (?:install|i|add|get)\s\S.*|(?:(?:bash|sh|source|python3?|node) |\./)\S*(?:setup|install|bootstrap)\S*`
const INSTALLS = new RegExp(String.raw`^(?:(?:${INSTALL}|#.*|\s*)(?:\n|$))+$`)

/** Commands that install what the skill works with, where it begins to be used. */
export const listInstalls = (sections: readonly TextSection[]): FoundPart[] =>
  sections.flatMap((section) => {
    const { heading, blocks, isSample, isWhole } = section
    const installs = isSample
      ? []
      : blocks.filter(({ node }) => node?.type === 'code' && INSTALLS.test(node.value))
    return installs.length > 0 && (isWhole || describesWork(section))
      ? installs.map((block) => ({
          name: 'prerequisites' as const,
          passage: { heading, blocks: [block], below: [] },
        }))
      : []
  })

/** Longest paragraph that says in short what a skill does. */
const LONGEST_INTRODUCTION = 500

const WORDS = /[\p{L}\p{N}]{3,}/gu

/** Share of words of the one that the other has too, above which the two say the same. */
const SAYS_SAME = 0.6

export const saysSame = (one: string, other: string): boolean => {
  const words = [...new Set(one.toLowerCase().match(WORDS))]
  const others = new Set(other.toLowerCase().match(WORDS))
  return words.filter((word) => others.has(word)).length > SAYS_SAME * words.length
}

/** Orders of how to go about it; the others say what is made. */
const GO_ABOUT =
  'access|allow|ask|answer|apply|break|call|check|choose|clarify|complete|confirm|consider|contain|copy|decide|describe|ensure|execute|exercise|feature|fill|focus|follow|get|give|include|install|invoke|let|list|load|locate|log|look|make|mark|offer|open|output|pick|present|print|process|prompt|propose|push|read|recommend|record|replace|reply|report|request|respond|return|run|save|select|send|set(?! up)|show|specify|start|store|submit|suggest|take|understand|update|use|verify|wait|walk|write'

/** What a skill is told to do in its first sentence, which is what it does. */
const MAKES = new RegExp(
  String.raw`^(?!(?:${GO_ABOUT}) )(?:${VERBS}),? (?!(?:it|this|that|these|them|all|each|every|one|only|the (?:user['’]s )?(?:request|question|prompt|input|response))\b)`,
  'i',
)

const IS_RULED =
  /\b(?:must|never|always|do not|don['’]t|make sure|ensure|you should)\b|\$\{?[A-Z]|\$\{|\bstep \d/i

const isDone = (text: string): boolean => MAKES.test(plainStart(text)) && !IS_RULED.test(text)

/** What introduces a list of what a skill is for. */
const GOAL = /\byour (?:goal|task|job|role|mission) is to [^.]{3,160}by:\W*$/i

/** Finds the paragraph at the beginning that says what the skill does, where the description does not say it. */
export const listIntroductions = (
  sections: readonly TextSection[],
  description: string,
): FoundPart[] =>
  sections
    .filter(({ isWhole, isSample, blocks }) => isWhole && !isSample && blocks.length > 0)
    .slice(0, 2)
    .flatMap(({ heading, blocks }): FoundPart[] => {
      const at = blocks.findIndex(({ type }) => type === 'paragraph')
      const block = blocks[at]
      const goals = blocks[at + 1]
      if (block && goals?.type === 'list' && GOAL.test(plainStart(block.raw)))
        return [{ name: 'capabilities', passage: { heading, blocks: [goals], below: [] } }]
      if (!block || block.raw.length > LONGEST_INTRODUCTION || /[:：,]\W*$/.test(block.raw))
        return []
      const start = plainStart(block.raw)
      if (readStatement(block.raw, new Set(['whole']), '')) return []
      const states = (text: string): PartName | undefined =>
        readStatement(text, new Set(['whole', 'anywhere']), '')
      const [first = ''] = start.split(/[.!?]\s/)
      const isSaid =
        STARTS_WITH_ACTION.test(start) || (!IS_ORDER.test(start) && DEFINED_BY_ACTION.test(start))
      if (!isSaid && !isDone(first)) return []
      let isKept = isSaid
      // What neither says it nor follows one that does hangs in the air: `It gives …`.
      const says = (text: string): 'capabilities' | undefined => {
        const words = plainStart(text)
        const tells = STARTS_WITH_ACTION.test(words) || isDone(words) || words === start
        const follows = isKept && !IS_ORDER.test(words)
        isKept =
          (tells || follows) &&
          !states(text) &&
          !IS_RULED.test(text) &&
          !IS_RULE.test(text) &&
          !saysSame(text, description)
        return isKept ? 'capabilities' : undefined
      }
      const said = listStatements(block, says).map(([, one]) => one)
      if (said.length === 0) return []
      // A sentence of another part is left to it.
      const isWhole = said.map(({ raw }) => raw).join(' ').length + said.length >= block.raw.length
      const found = isWhole ? [block] : said
      const of = isWhole ? {} : { of: found.map(() => block) }
      return [{ name: 'capabilities', passage: { heading, blocks: found, below: [], ...of } }]
    })
