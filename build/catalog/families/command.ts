import { createProgress } from '../../site/progress.ts'
import type { Command, Given, Surroundings } from '../cli/command.ts'
import { CONTENT_OPTION, JSON_OPTION, readContentOption } from '../cli/command.ts'
import { withLock } from '../store/lock.ts'
import { renderJson } from '../cli/report.ts'
import { compareCopies, writeCopies } from './copies-file.ts'
import { findCopies } from './families.ts'
import { makeReport, renderFamilies } from './report.ts'
import type { FamiliesReport } from './report.ts'
import { readFamilyText, readMembers } from './texts.ts'

const findFamilies = (
  content: string,
  dryRun: boolean,
  stderr: Surroundings['stderr'],
): FamiliesReport => {
  const progress = createProgress(stderr)
  progress.stage('Reading records')
  const members = readMembers(content)
  const byId = new Map(members.map((member) => [member.id, member]))
  const readText = (id: number): string => {
    const member = byId.get(id)
    return member ? readFamilyText(content, member) : ''
  }
  progress.stage('Comparing texts', members.length)
  const found = findCopies(members, readText, progress.step)
  progress.end()
  const change = compareCopies(content, found)
  if (change.isOther && !dryRun) writeCopies(content, change.after)
  return makeReport(content, members, found, change, dryRun)
}

const run = async (given: Given, { print, stderr }: Surroundings): Promise<void> => {
  const content = readContentOption(given)
  const dryRun = given.switches.has('dry-run')
  const find = async (): Promise<FamiliesReport> => findFamilies(content, dryRun, stderr)
  const report = await (dryRun ? find() : withLock(content, find))
  print(given.switches.has('json') ? renderJson(report) : renderFamilies(report))
}

/** `families`: finds near-duplicates and writes them to copies.json. */
export const familiesCommand: Command = {
  name: 'families',
  summary: 'Finds skills that are near-duplicates, and which of each family is the original',
  options: {
    ...CONTENT_OPTION,
    'dry-run': { help: 'Says what would be written, and writes nothing' },
    ...JSON_OPTION,
  },
  help: [
    'Two skills are of one family where they share seven tenths of all runs of three words in description and SKILL.md, marks and case aside; up to one word in twenty may be another. Texts that are one template filled for two things are not: each tells of a word in its name that the other never mentions.',
    'The original has the most installs, then the oldest day of change, then the lowest id. The others say on their page that they are a copy of it, and no comparison lists them. Run it again after an import; copies.json changes only where its families do.',
  ],
  run,
}
