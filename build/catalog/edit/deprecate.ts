import { skillRecord } from '../../../src/catalog/schema.ts'
import {
  CONTENT_OPTION,
  CommandError,
  UsageError,
  checkOption,
  readContentOption,
} from '../cli/command.ts'
import type { Command } from '../cli/command.ts'
import { readRecords, recordName, refuseUnknown } from '../store/records.ts'
import { renderSkillRecord, withLock, writeWhole } from '../store/write.ts'

const { reason: reasonSchema, use: useSchema } = skillRecord.shape.deprecated.unwrap().shape

export const deprecateCommand: Command = {
  name: 'deprecate',
  positionals: { usage: '<slug>', least: 1, most: 1 },
  summary: 'Marks a skill as deprecated; it stays installable',
  options: {
    use: { value: '<slug>', help: 'The skill to use instead' },
    reason: { value: '<text>', help: 'Why, in one line; readers see it' },
    undo: { help: 'Removes the mark' },
    ...CONTENT_OPTION,
  },
  help: [
    'It needs --use, --reason or both; or --undo alone.',
    'The page of the skill starts with a notice, lists and searches mark it as deprecated and rank it behind equal results, and the feed announces it once. Repeating the command keeps the original day.',
  ],
  run: async (args, { print, today }) => {
    const { positionals, values, switches } = args
    const content = readContentOption(args)
    const [slug = ''] = positionals
    const reason = checkOption('reason', reasonSchema, values['reason'])
    const use = checkOption('use', useSchema, values['use'])
    const isUndone = switches.has('undo')
    if (isUndone ? (reason ?? use) !== undefined : (reason ?? use) === undefined)
      throw new UsageError('Pass --use <slug> or --reason <text>, or --undo alone.')
    await withLock(content, async () => {
      const stored = readRecords(content)
      const find = (wanted: string) =>
        stored.records.find((row) => row.slug === wanted)?.record ?? refuseUnknown(wanted, stored)
      const { deprecated: earlier, ...record } = find(slug)
      if (use === slug) throw new CommandError(`${slug} cannot replace itself.`)
      if (use !== undefined && find(use).deprecated)
        throw new CommandError(`${use} is deprecated itself; name another.`)
      const follower = stored.records.find((skill) => skill.record.deprecated?.use === slug)
      if (follower && !isUndone)
        throw new CommandError(
          `${follower.slug} is deprecated in favour of ${slug}; first deprecate it again with another --use.`,
        )
      const deprecated = { since: earlier?.since ?? today, reason, use }
      const changed = { ...record, ...(!isUndone && { deprecated }) }
      writeWhole(content, recordName(slug), renderSkillRecord(changed))
    })
    print(`${slug}: ${isUndone ? 'no longer deprecated' : 'deprecated'}`)
  },
}
