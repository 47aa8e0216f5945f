import { CONTENT_OPTION, JSON_OPTION, readContentOption } from '../cli/command.ts'
import type { Command } from '../cli/command.ts'
import { SOURCES_FILE } from '../store/records.ts'
import { printReport } from './report.ts'
import { chooseRows, readSources } from './sources.ts'
import { openStage } from './stage.ts'
import { followSources } from './update.ts'

export const updateCommand: Command = {
  name: 'update',
  positionals: { usage: '<address>…', least: 0, most: Infinity },
  summary: 'Takes new versions from the sources in sources.json: all, or the given ones',
  options: {
    safe: { help: 'Leaves out every version that needs a look; for a job that nobody reads' },
    ...CONTENT_OPTION,
    ...JSON_OPTION,
  },
  help: [
    'An unchanged source costs one request.',
    'Every new or changed version is written into skills/ and staged in git, whatever a .gitignore says. "git diff --cached" shows it, "git commit" accepts it, and "reject" drops a version for good.',
    'A folder with changes that are not committed is left as it is.',
    'The report is Markdown. It starts with what needs a look, the worst first, and ends with the command that takes all of it back.',
    'A version needs a look if it has a new or graver finding of high or medium severity. It also needs one if its files changed and it has such a finding, open or accepted.',
    'Other reasons: it is new or comes from another repository, most skills of its source disappeared, its licence no longer allows a copy, or the build would refuse it.',
    'With "review": "files" in the row of a source or in site.json, a version also needs a look if a file that is not Markdown is new or changed; with "all", every version does.',
    'With --safe, a later run reads only what changed since, and a run without it takes what was left out.',
    'A skill is marked as gone if it is missing in its source on two days. If a repository is not found or asks for a login, its skills are missing, but only if another repository of the same host was read in the same run.',
    'Skills below folders named deprecated, in-progress or personal, or below folders of tests, templates and examples, are left out unless "include" names the folder.',
    'The exit code is 3 if something new needs a look, and 1 if a source cannot be read.',
  ],
  run: async (args, context) => {
    const content = readContentOption(args)
    const chosen = chooseRows(readSources(content), args.positionals)
    // Scheduled runs of a new registry without sources should not fail.
    if (chosen.length === 0)
      context.stderr.write(`${SOURCES_FILE} lists no source; "add <address>" adds one.\n`)
    const { switches } = args
    const stage = openStage(content)
    const isSafe = switches.has('safe')
    const reports = await followSources(chosen, { content, stage, isSafe, ...context })
    printReport(reports, content, stage, { ...context, asJson: switches.has('json') })
  },
}
