import { retiredRecords } from '../../../src/catalog/schema.ts'
import { CONTENT_OPTION, JSON_OPTION, checkOption, readContentOption } from '../cli/command.ts'
import type { Command, CommandContext, Arguments } from '../cli/command.ts'
import { renderJson } from '../cli/report.ts'
import { describeDeparture, renderDeparture, retireOrMove } from './depart.ts'

const OPTIONS: Command['options'] = {
  reason: { value: '<text>', help: 'The reason, in one line; kept in retired.json' },
  ...CONTENT_OPTION,
  'dry-run': { help: 'Shows what would change, and changes nothing' },
  ...JSON_OPTION,
}

const run = async (args: Arguments, { print }: CommandContext): Promise<void> => {
  const { positionals, switches } = args
  const [slug = '', to] = positionals
  const reason = checkOption('reason', retiredRecords.element.shape.reason, args.values['reason'])
  const request = { slug, to, isMerge: switches.has('merge'), reason }
  const report = await retireOrMove(readContentOption(args), request, switches.has('dry-run'))
  print(switches.has('json') ? renderJson(describeDeparture(report)) : renderDeparture(report))
}

export const retireCommand: Command = {
  name: 'retire',
  positionals: { usage: '<slug>', least: 1, most: 1 },
  summary: 'Takes a skill out of the catalog; its id and slug are never reused',
  options: OPTIONS,
  help: [
    'The folder of the skill is removed, and a row in retired.json keeps its id and slug. Its page, zip and files are 404 after the next build.',
    'Killed at any moment, it leaves a catalog that loads; run again, or any command that writes, finishes it.',
  ],
  run,
}

export const moveCommand: Command = {
  name: 'move',
  positionals: { usage: '<slug> <new slug>', least: 2, most: 2 },
  summary: 'Gives a skill another slug; the old addresses answer 308',
  options: { merge: { help: 'The new slug is another skill, which takes its place' }, ...OPTIONS },
  help: [
    'The skill keeps its id. After the next build its old page, twin, SKILL.md and files answer 308 with the new address, the query kept, and logs of the old slug count for it.',
    'With --merge the new slug is that of another skill: the first is retired, its zip answers 308 too, and its counters are added to the other.',
    'A slug that the skill had before can be taken back; no other skill ever gets it.',
  ],
  run,
}
