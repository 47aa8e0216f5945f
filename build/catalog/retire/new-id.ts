import { resolveMoves } from '../../../src/catalog/references.ts'
import type { Identified } from '../../../src/catalog/references.ts'
import type { Retired } from '../../../src/catalog/schema.ts'
import { askGit } from '../../machine/checkout.ts'
import { CommandError } from '../cli/command.ts'
import { readRecords, recordName, refuseUnknown, slugsOf } from '../store/records.ts'
import { renderSkillRecord, writeWhole } from '../store/write.ts'

/**
 * Finds which of several skills the main line had first, by its current or a former slug. Undefined if it has none of
 * them, or without git.
 */
export const findFirst = (
  content: string,
  skills: readonly Identified[],
  retired: readonly Retired[],
): string | undefined => {
  const former = resolveMoves(retired, skills).filter(({ id, to }) => id === to.id)
  const names = new Map(
    [...former, ...skills.map((to) => ({ ...to, to }))].map(({ slug, to }) => [slug, to.slug]),
  )
  const paths = [...names.keys()].map(recordName)
  const log = [
    'log',
    '--first-parent',
    '--no-renames',
    '--diff-filter=A',
    '--format=',
    '--name-only',
  ]
  const added = ['origin/HEAD', 'HEAD']
    .map((line) => askGit(content, [...log, '--relative', line, '--', ...paths])?.trim())
    .find(Boolean)
  return names.get(added?.split('\n').at(-1)?.split('/')[1] ?? '')
}

/** Gives a skill the next free id, if another skill had its id first. Throws CommandError. */
export const giveNewId = (content: string, slug: string): string => {
  const stored = readRecords(content)
  const skill = stored.records.find((record) => record.slug === slug)
  if (!skill) return refuseUnknown(slug, stored)
  const { id } = skill.record
  const twins = stored.records.filter(({ record }) => record.id === id)
  const others = twins.filter((twin) => twin !== skill)
  const own = slugsOf(skill, stored.retired)
  const isRetired = stored.retired.some((row) => row.id === id && !own.has(row.slug))
  if (others.length === 0 && !isRetired)
    throw new CommandError(`No other skill has or had the id ${id} of ${slug}, so it stays.`)
  const first = findFirst(
    content,
    twins.map((twin) => ({ slug: twin.slug, id })),
    stored.retired,
  )
  if (others.length > 0 && first === slug) {
    const command = `npm run catalog -- move --new-id ${others[0]!.slug}`
    throw new CommandError(`${slug} had the id ${id} first, so it stays; run "${command}".`)
  }
  const next = stored.lastId + 1
  writeWhole(content, recordName(slug), renderSkillRecord({ ...skill.record, id: next }))
  return `${slug}: id ${id} -> ${next}`
}
