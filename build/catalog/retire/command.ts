import { showValue } from '../../../src/catalog/text.ts'
import { retirementReason } from '../../../src/catalog/schema.ts'
import type { Command, Given, Option, Surroundings } from '../cli/command.ts'
import { CONTENT_OPTION, readContentOption } from '../cli/command.ts'
import { UsageError } from '../cli/errors.ts'
import { renderJson } from '../cli/report.ts'
import type { Wish } from './choose.ts'
import { describeDeparture, renderDeparture } from './report.ts'
import { depart } from './run.ts'

const OPTIONS: Readonly<Record<string, Option>> = {
  ...CONTENT_OPTION,
  reason: { value: '<text>', help: 'Why; one line, kept in retired.json' },
  'dry-run': { help: 'Says what would change, and changes nothing' },
  json: { help: 'Prints one JSON object; call npm with -s to get it alone' },
}

const RETIRE_USAGE =
  'npm run catalog -- retire <slug> [--reason <text>] [--content <content folder>] [--dry-run] [--json]'

const MOVE_USAGE =
  'npm run catalog -- move <slug> <new slug> [--merge] [--reason <text>] [--content <content folder>] [--dry-run] [--json]'

const readReason = ({ values: { reason } }: Given, usage: string): string | undefined => {
  const checked = retirementReason.optional().safeParse(reason)
  if (checked.success) return checked.data
  throw new UsageError(
    `--reason ${showValue(reason)} ${checked.error.issues[0]?.message}.\nUsage: ${usage}`,
  )
}

const readWish = (given: Given, names: readonly string[], usage: string): Wish => {
  const { positionals, switches } = given
  if (positionals.length !== names.length || positionals.includes('')) {
    throw new UsageError(`Name ${names.join(' and ')}, and nothing else.\nUsage: ${usage}`)
  }
  const [slug = '', to] = positionals
  return { slug, to, isMerge: switches.has('merge'), reason: readReason(given, usage) }
}

const createRun =
  (names: readonly string[], usage: string) =>
  async (given: Given, { print }: Surroundings): Promise<void> => {
    const wish = readWish(given, names, usage)
    const content = readContentOption(given)
    const report = await depart(content, wish, given.switches.has('dry-run'))
    print(
      given.switches.has('json') ? renderJson(describeDeparture(report)) : renderDeparture(report),
    )
  }

/** `retire`: takes a skill out of the catalog. */
export const retireCommand: Command = {
  name: 'retire',
  usage: RETIRE_USAGE,
  summary: 'Takes a skill out of the catalog; its id and slug are never given again',
  options: OPTIONS,
  help: [
    'The folder of the skill is removed, and a row in retired.json keeps its id and slug. Its page, zip and files are 404 after the next build.',
    'Killed at any moment, it leaves a catalog that loads; run again, or any command that writes, finishes it.',
  ],
  run: createRun(['the slug to retire'], RETIRE_USAGE),
}

/** `move`: gives a skill another slug, or another skill its readers. */
export const moveCommand: Command = {
  name: 'move',
  usage: MOVE_USAGE,
  summary: 'Gives a skill another slug; the old addresses answer 308',
  options: { ...OPTIONS, merge: { help: 'The new slug is another skill, which takes its place' } },
  help: [
    'The skill keeps its id. After the next build its old page, twin, SKILL.md and files answer 308 with the new address, the query kept, and logs of the old slug count for it.',
    'With --merge the new slug is that of another skill: the first is retired, its zip answers 308 too, and its counters are added to the other.',
    'A slug that the skill had before can be taken back; no other skill ever gets it.',
  ],
  run: createRun(['the slug', 'the new slug'], MOVE_USAGE),
}
