import { existsSync, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { showValue } from '../../../src/catalog/text.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import { realPath } from '../../machine/checkout.ts'
import { createProgress } from '../../machine/progress.ts'
import { UsageError, checkOption, describeSourceError, refuse } from '../cli/command.ts'
import type { Command, Arguments, CommandContext } from '../cli/command.ts'
import { isPrivateIn } from '../store/records.ts'
import { printReport } from '../update/report.ts'
import { openStage } from '../update/stage.ts'
import { SourceReport, takeVersions } from '../update/update.ts'
import type { OriginOptions } from './origin.ts'
import { isInFolder } from './find.ts'
import { parseSourceAddress } from './sources.ts'

const readInto = ({ values: { into = '' } }: Arguments): string => {
  const path = realPath(resolve(into))
  if (existsSync(path) && !statSync(path).isDirectory()) {
    refuse(`${showValue(into, 200)} is a file; --into needs a folder.`)
  }
  return path
}

const readOptions = ({ values, switches }: Arguments, into: string): OriginOptions => ({
  source: values['source'],
  isOwn: switches.has('own'),
  author: values['author'],
  isPrivate: isPrivateIn(into),
})

const readAddress = (argument: string, into: string, options: OriginOptions) => {
  const address = parseSourceAddress(argument, options)
  const place = address.kind === 'git' ? address.address.remote : address.path
  const path = place.startsWith('file:') ? fileURLToPath(place) : place
  if (isInFolder(path, into, sep) || isInFolder(into, path, sep))
    refuse('The source and the content folder overlap; use separate folders.')
  return address
}

const run = async (args: Arguments, context: CommandContext): Promise<void> => {
  const into = readInto(args)
  const options = readOptions(args, into)
  const [argument = ''] = args.positionals
  const address = readAddress(argument, into, options)
  const { now, today, stderr } = context
  const seen = checkOption('date', skillRecord.shape.updated.optional(), args.values['date'])
  const progress = createProgress(stderr)
  const report = new SourceReport(argument)
  report.isNew = true
  const stage = openStage(into)
  const reading = { into, options, seen: seen ?? today, now, today, progress }
  try {
    await takeVersions(address, reading, { stage, isAsked: true }, report)
  } catch (error) {
    if (error instanceof UsageError) throw error
    report.failed.push(describeSourceError(error))
  }
  if (report.isEmpty && report.failed.length === 0)
    report.failed.push(`No SKILL.md found in ${argument}; nothing was imported.`)
  printReport([report], into, stage, { ...context, isAsked: true })
}

export const importCommand: Command = {
  name: 'import',
  positionals: {
    usage: '<folder or git address>',
    least: 1,
    most: 1,
  },
  summary: 'Adds or updates the skills of a folder or a git repository',
  options: {
    into: {
      value: '<content folder>',
      help: 'Content folder of the catalog; created if missing',
      isRequired: true,
    },
    source: {
      value: '<address>',
      help: 'Web address that the folder was copied from, or the origin of a file:// repository',
    },
    own: { help: "The skills are the registry's own" },
    author: { value: '<handle>', help: 'Author, if not the owner in the address' },
    date: { value: 'YYYY-MM-DD', help: 'Day the source was seen (default: today)' },
  },
  help: [
    'A git address is https://<host>/<owner>/<repository>, optionally with /tree/<ref>/<folder>; or file:///<path> for a repository on this machine, with --source or --own.',
    'No code of a repository is run.',
    'Unless site.json has "private": true, addresses that need ssh or a login are refused, because readers could not open them.',
    'Symlinks are followed to files of the same skill; in a git repository, to any file that git tracks. Other symlinks, such as one to .git/config or .env, are reported and left out.',
    "A skill's licence comes from its front matter and its own licence files, or else from the nearest licence files above it.",
    'If the licence does not let everyone redistribute the text, only the metadata is listed and the text is not copied; a text that was copied before is removed.',
    'If the licence is open, as with an unknown text beside a known one, choose it with "set".',
    'Prints the report of update, and stages what it writes. It also takes skills that were rejected, or changed here, and exits with 0 if something needs a look.',
    'Running it again writes only what changed, and the day on which the source was seen: ids, slugs, categories and editorial fields stay. A skill that the source no longer has is reported and stays.',
    'A file that cannot be read is reported and skipped.',
  ],
  run,
}
