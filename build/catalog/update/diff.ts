import {
  CONTENT_OPTION,
  CommandError,
  readContentOption,
  withTemporaryFolder,
} from '../cli/command.ts'
import type { Command } from '../cli/command.ts'
import { readRecords, refuseUnknown } from '../store/records.ts'
import { compareFiles } from './difference.ts'
import { compareWaiting } from './intake.ts'
import { printComparison } from './report.ts'
import { nameByDigest, readWaiting } from './sources.ts'

export const diffCommand: Command = {
  name: 'diff',
  positionals: { usage: '<slug>', least: 1, most: 1 },
  summary: 'Shows how a pending version differs from the live one',
  options: CONTENT_OPTION,
  help: [
    'Prints findings, code, hosts and commands, then up to 5,000 lines of the diff of all files, starting with programs.',
  ],
  run: async (args, { print }) => {
    const content = readContentOption(args)
    const [slug = ''] = args.positionals
    const stored = readRecords(content)
    const version = readWaiting(content).find((waiting) => waiting.slug === slug)
    if (!version) {
      const isKnown = stored.records.some((skill) => skill.slug === slug)
      if (!isKnown) refuseUnknown(slug, stored)
      throw new CommandError(`No version of ${slug} waits in pending/.`)
    }
    const { before, after, changes } = compareWaiting(content, version, stored)
    const difference = await withTemporaryFolder(async (temporary) =>
      compareFiles(temporary, before?.opened, after.opened),
    )
    print(printComparison(nameByDigest(version), { slug, ...changes }, difference))
  },
}
