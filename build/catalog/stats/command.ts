import { showValue } from '../../../src/catalog/text.ts'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { createProgress } from '../../site/progress.ts'
import type { Command, Given, Surroundings } from '../cli/command.ts'
import { CONTENT_OPTION, readContentOption } from '../cli/command.ts'
import { UsageError } from '../cli/errors.ts'
import { renderJson } from '../cli/report.ts'
import { renderStats } from './report.ts'
import { countStats } from './stats.ts'

const USAGE = 'npm run catalog -- stats [--content <content folder>] [--json]'

const run = async (given: Given, { print, stderr }: Surroundings): Promise<void> => {
  const [stranger] = given.positionals
  if (stranger !== undefined) {
    throw new UsageError(`stats takes no ${showValue(stranger)}.\nUsage: ${USAGE}`)
  }
  const progress = createProgress(stderr)
  progress.stage('Reading the catalog')
  const { skills } = loadCatalog(readContentOption(given))
  progress.stage('Deriving parts', skills.length)
  const stats = countStats(skills, progress.step)
  progress.end()
  print(given.switches.has('json') ? renderJson(stats) : renderStats(stats))
}

/** `stats`: how often each part of a skill page was found. */
export const statsCommand: Command = {
  name: 'stats',
  usage: USAGE,
  summary: 'Counts how often each part of a skill page was found, and where',
  options: {
    ...CONTENT_OPTION,
    json: { help: 'Prints one JSON object; call npm with -s to get it alone' },
  },
  help: [
    'A part is taken from the skill.json first (author), then from headings and lists of the SKILL.md (text), its front matter, its description; the scripts beside it are named where nothing says how it works. What is nowhere is shown as not stated.',
  ],
  run,
}
