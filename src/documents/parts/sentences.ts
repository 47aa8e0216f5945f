import type { Block } from '../guest/read.ts'
import type { PartName } from '../../catalog/parts.ts'
import { listJoined, partOfHeading } from './headings.ts'
import { listStatements, plainStart } from './passages.ts'
import type { FoundPart } from './passages.ts'
import type { TextSection } from './sections.ts'
import { areRelated, DEEPEST_LEVEL_READ } from './sections.ts'

/** `**Requires:** Node 20`: a label and what it introduces on one line. */
const INLINE_LABEL =
  /^(?:>\s*)?(?:\*\*|__)([^*_\n]{3,60}?)(?:[.:：](?:\*\*|__)|(?:\*\*|__)\s*[:：—–-])\s*(?=\S)/

/** Where a sentence may stand to speak of the skill: in the whole, or anywhere near the top. */
type Place = 'whole' | 'anywhere'

const NAME = String.raw`(?:\[|\x60|\*\*)*[a-z0-9]+(?:[-:][a-z0-9]+)+(?:\]\([^)\s]{0,200}\))?(?:\]|\x60|\*\*)*`
/** What is said not to be done, but is no limit. */
const NO_LIMIT = String.raw`(?!just|only|depend|rely|execute|require|need|store|send|collect|modify|change|activate|trigger|apply)`
/** How a sentence or an item begins that states a part, by where it may stand; the plainest parts first. */
const STATES: Readonly<Record<Place, Partial<Record<PartName, string>>>> = {
  anywhere: {
    whenNotToUse: String.raw`(?:please )?(?:do not|don['’]t|never) use this skill\b|this skill is \*{0,2}not\*{0,2} (?:for|intended|meant|suitable|a replacement|a substitute)\b`,
    limitations: String.raw`(?:important: |note: )?this (?:skill|tool|plugin) (?:currently )?\*{0,2}(?:only (?:works|supports|handles|covers|generates|reads|applies|describes)|(?:does not|doesn['’]t) ${NO_LIMIT}|cannot|can['’]t|is (?:limited|restricted) to|is (?:strictly )?read-only|never\*{0,2} (?:runs|writes|modifies|creates|deletes|sends|changes|edits|touches)|will not|won['’]t)\b`,
    prerequisites: String.raw`this (?:skill|plugin) (?:also )?(?:requires|needs|depends on) (?!no\b|\w+ing\b)`,
  },
  whole: {
    whenNotToUse: String.raw`(?:only )?use (?:this skill |this |it )?only (?:for|when|if|with)\b|for [^.;,]{3,100},? use (?:the )?${NAME} (?:skill|instead)\b|(?:\*\*)?(?:for|if) [^.;]{3,160}?,(?:\*\*)? (?:see|use|load|prefer|invoke|switch to|go to) (?:the )?${NAME}(?: skill\b| instead\b|\.?$)|(?:\*\*)?if [^.;]{3,160}?,(?:\*\*)? use [^.]{2,80} instead of this skill\b|this (?:skill )?is \*{0,2}not\*{0,2} (?:for|intended|meant|suitable|a replacement|a substitute)\b|(?:please )?(?:do not|don['’]t|never) (?:use|invoke|trigger|activate|apply|load) (?:this skill|this|it|for|when)\b|(?:this skill|it) is not (?:for|intended|meant|suitable|a replacement)\b`,
    limitations: String.raw`(?:it|the (?:script|scripts|tool|cli|api|server|extension|parser|converter)) (?:currently )?(?:only (?:works|supports)|(?:does not|doesn['’]t) (?:support|replace|cover|handle)|is limited to)\b|[^.]{3,80} (?:is|are) not (?:yet |currently )?supported\b|(?:this skill|it|the skill|the (?:script|tool)) (?:currently )?(?:(?:does not|doesn['’]t) ${NO_LIMIT}|cannot|can['’]t|only (?:works|supports)|is limited to)\b`,
    prerequisites: String.raw`(?:this (?:skill|plugin|workflow|tool)|the (?:skill|scripts?|tool|cli)|it) (?:also )?(?:requires|needs|depends on) (?!no\b)|you(?:['’]ll| will| must| should)? (?:need|have) (?:an? |the |access |to have |to install |to be )|requires (?!no\b|\w+(?:ing|ful)\b)|(?:this skill |it |the skill )?(?:requires|depends on) (?!no\b|\w+ing\b)|this skill needs\b|(?:make sure|ensure) (?:that )?[^.]{2,80}\b(?:is|are) (?:installed|configured|authenticated|logged in|running|available)\b|you(?:['’]ll| will)? need\b|if (?:it is |it['’]s )?not (?:yet |already )?installed\b|install:\*{0,2} \x60`,
  },
}

const COMPILED = Object.entries(STATES).flatMap(([place, parts]) =>
  Object.entries(parts).map(
    ([name, begins]) =>
      [name as PartName, place as Place, new RegExp(`^(?:${begins})`, 'i')] as const,
  ),
)

/** What a block holds, anywhere but where the whole is told, that may state a part. */
const mayState = ({ raw }: Block): boolean => /\b[Tt]his (?:skill|tool|plugin)\b/.test(raw)

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
