import { join } from 'node:path'
import {
  CONTENT_OPTION,
  CommandError,
  JSON_OPTION,
  readContentOption,
  renderJson,
  withTemporaryFolder,
} from '../cli/command.ts'
import type { Command } from '../cli/command.ts'
import { pendingIn, readRecords, refuseUnknown } from '../store/records.ts'
import { compareFolders } from './difference.ts'
import { compareWaiting, findLive } from './intake.ts'
import { printComparison } from './report.ts'
import { nameWaiting, readWaiting } from './sources.ts'

export const diffCommand: Command = {
  name: 'diff',
  positionals: { usage: '<slug>', least: 1, most: 1 },
  summary: 'Shows how a version that waits differs from the one of the catalog',
  options: { ...CONTENT_OPTION, ...JSON_OPTION },
  help: [
    'Findings, code, hosts and commands come first, then the lines of all files as git shows them, programs first, at most 5,000.',
  ],
  run: async (args, { print }) => {
    const content = readContentOption(args)
    const [slug = ''] = args.positionals
    const stored = readRecords(content)
    const version = readWaiting(content).find((one) => one.slug === slug)
    if (!version) {
      const isKnown = stored.records.some((one) => one.slug === slug)
      if (!isKnown) refuseUnknown(slug, stored)
      throw new CommandError(`No version of ${slug} waits in pending/.`)
    }
    const live = findLive(version, stored)
    const comparison = compareWaiting(content, version, stored)
    const now = live && join(content, 'skills', live.slug)
    const next = join(pendingIn(content), 'skills', slug)
    const difference = await withTemporaryFolder(async (place) => compareFolders(place, now, next))
    const name = nameWaiting(version)
    if (args.switches.has('json')) print(renderJson({ version: name, ...comparison, difference }))
    else print(printComparison(name, { slug, ...comparison }, difference))
  },
}
