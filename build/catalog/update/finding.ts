import { userInfo } from 'node:os'
import { renderProblem } from '../../../src/catalog/problems.ts'
import { HOSTS_LIMIT, OLD_DIGITS, acceptance } from '../../../src/catalog/schema.ts'
import type { Acceptance } from '../../../src/catalog/schema.ts'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import type { Finding } from '../../../src/catalog/skill.ts'
import { makeSkillInTime, openSkill } from '../../../src/catalog/skill-folder.ts'
import { decodeLoosely, escapeLine, showValue } from '../../../src/catalog/text.ts'
import { CONTENT_OPTION, CommandError, checkOption, readContentOption } from '../cli/command.ts'
import type { Command } from '../cli/command.ts'
import { readRecords, recordName, refuseUnknown } from '../store/records.ts'
import { renderSkillRecord, withLock, writeWhole } from '../store/write.ts'
import { stageAll } from './stage.ts'

type AcceptanceRequest = Pick<Acceptance, 'rule' | 'by' | 'when' | 'why'> & {
  file?: string | undefined
}

/** An address and its host. Of https://a.b.$X that is a.b, since a variable can be empty; https://a.$X has none. */
const ADDRESS =
  /\bhttps?:\/\/(?:[^\s/?#@]{1,80}@)?((?:[\p{L}\d_-]{1,63}\.){1,10}[\p{L}\d_-]{1,63}|[\p{L}\d_-]{1,63}(?![\p{L}\d_.@-]))/giu

/** Characters of a host that are recorded. */
const SHOWN_HOST = 80

/** Lists the hosts of all addresses in a skill, also of those that are only words. */
const listHosts = ({ bytes }: Pick<OpenedSkill, 'bytes'>): string[] => {
  const texts = [...bytes].flatMap(([path, content]) =>
    path === RECORD_FILE ? [] : decodeLoosely(content),
  )
  const hosts = texts.flatMap((text) =>
    [...text.matchAll(ADDRESS)].map(([, host = '']) =>
      escapeLine(host.toLowerCase()).slice(0, SHOWN_HOST).toWellFormed(),
    ),
  )
  return [...new Set(hosts)].sort()
}

/** The hosts that an acceptance is for: those in the line of the finding, or else all hosts of the skill. */
const chooseHosts = (all: readonly string[], { quote }: Finding): string[] => {
  const inLine = all.filter((host) => quote.toLowerCase().includes(host))
  return (inLine.length > 0 ? inLine : all).slice(0, HOSTS_LIMIT)
}

/**
 * Accepts the open findings of a rule in a skill, by rows in its record. Call it under the lock. Throws CommandError if
 * there are none.
 */
const acceptFindings = (
  content: string,
  slug: string,
  { rule, file, by, when, why }: AcceptanceRequest,
): Acceptance[] => {
  const opened = openSkill(content, slug)
  const { skill, fault, problems } = makeSkillInTime(opened)
  const { record } = opened
  if (!record) return refuseUnknown(slug, readRecords(content))
  if (fault !== undefined) throw new CommandError(problems.map(renderProblem).join('\n'))
  const findings = skill?.findings ?? []
  const ofRule = findings.filter((finding) => finding.rule === rule)
  const found = ofRule.filter((row) => !row.accepted && row.file === (file ?? row.file))
  if (found.length === 0 && ofRule.every(({ accepted }) => accepted === undefined)) {
    const open = findings.filter(({ accepted }) => accepted === undefined)
    const rules = [...new Set(open.map((finding) => finding.rule))].join(', ') || 'none'
    throw new CommandError(`${slug} has no such finding of ${showValue(rule)}; open: ${rules}.`)
  }
  const unique = new Map(found.map((row) => [`${row.file}\n${row.digest}\n${row.severity}`, row]))
  const all = listHosts(opened)
  const rows = [...unique.values()].map((finding): Acceptance => {
    const { file: path, digest, severity } = finding
    const hosts = chooseHosts(all, finding)
    const row = { rule, file: path, digest, severity, by, when, why }
    return hosts.length > 0 ? Object.assign(row, { hosts }) : row
  })
  const isReplaced = (old: Acceptance): boolean =>
    old.digest.length === OLD_DIGITS &&
    rows.some((row) => row.rule === old.rule && row.file === old.file)
  const accepted = [...(record.accepted ?? []).filter((old) => !isReplaced(old)), ...rows]
  if (rows.length > 0)
    writeWhole(content, recordName(slug), renderSkillRecord({ ...record, accepted }))
  return rows
}

export const acceptFindingCommand: Command = {
  name: 'accept-finding',
  positionals: { usage: '<slug> <rule>', least: 2, most: 2 },
  summary: 'Accepts a finding: records that a curator has read it and why it is harmless',
  options: {
    why: { value: '<text>', help: 'Why it is harmless, in one line; published', isRequired: true },
    by: { value: '<name>', help: 'Who has read it (default: your user name)' },
    file: { value: '<path>', help: 'Only in this file of the skill' },
    ...CONTENT_OPTION,
  },
  help: [
    'Accepts only the current text of the lines: if a line changes, the finding is open again. The record is staged in git.',
  ],
  run: async (args, { print, today }) => {
    const content = readContentOption(args)
    const [slug = '', rule = ''] = args.positionals
    const { why, by } = acceptance.shape
    const request = {
      rule,
      file: args.values['file'],
      by: checkOption('by', by, args.values['by'] ?? userInfo().username),
      when: today,
      why: checkOption('why', why, args.values['why']),
    }
    const rows = await withLock(content, async () => {
      const accepted = acceptFindings(content, slug, request)
      if (accepted.length > 0) stageAll(content, [recordName(slug)])
      return accepted
    })
    const lines = rows.map(({ file, hosts = [] }) => {
      const places = hosts.length > 0 ? ` for ${hosts.join(', ')}` : ''
      return `${slug}/${file}: ${rule} accepted${places}`
    })
    print(lines.join('\n') || 'nothing to do: it was accepted before')
  },
}
