import { lstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { z } from 'zod'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { INSTALLED_NAME, RECORD_FILE, SKILL_MD } from '../../../src/catalog/skill.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { DRAFT_DESCRIPTION } from '../rules.ts'
import { showPath } from '../check/targets.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import {
  CONTENT_OPTION,
  CommandError,
  checkOption,
  readContentOption,
  refuse,
  withTemporaryFolder,
} from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import { checkFreeSlug, readCategoryNames, readRecords } from '../store/records.ts'
import { withLock, writeSkillFolder } from '../store/write.ts'

const renderDraft = (slug: string): string => `---
${stringify({ name: slug, description: DRAFT_DESCRIPTION }, { lineWidth: 0 })}---

# ${slug}

What the assistant should do, and why.

## When to use

- A task that this skill is for.

## Steps

1. The first step.

## Limitations

- What this skill does not do.
`

/** Writes a draft of a skill that is the registry's own, and returns its id. Throws CommandError. */
const createSkill = async (
  content: string,
  slug: string,
  fields: Pick<SkillRecord, 'author' | 'category' | 'updated' | 'added'>,
): Promise<number> =>
  withTemporaryFolder(async (folder) => {
    const from = join(folder, SKILL_MD)
    const text = renderDraft(slug)
    writeFileSync(from, text)
    const file = { path: SKILL_MD, from, size: Buffer.byteLength(text) }
    const write = async (): Promise<number> => {
      const stored = readRecords(content)
      checkFreeSlug(stored, slug)
      if (lstatSync(join(content, 'skills', slug), { throwIfNoEntry: false })) {
        throw new CommandError(`skills/${slug} exists already; choose another slug.`)
      }
      const id = stored.lastId + 1
      const record: SkillRecord = { id, ...fields, source: { kind: 'own' } }
      const change = { written: [SKILL_MD], removed: [] }
      writeSkillFolder(content, slug, [file], change, record, readSkillBits(content))
      return id
    }
    return withLock(content, write, { create: true })
  })

const run = async (args: Arguments, { print, now, today }: CommandContext): Promise<void> => {
  const { positionals, values } = args
  const [slug = ''] = positionals
  if (slug.length > INSTALLED_NAME) {
    refuse(`${showValue(slug)} is longer than the ${INSTALLED_NAME} characters that clients allow.`)
  }
  const { shape } = skillRecord
  const content = readContentOption(args)
  const id = await createSkill(content, slug, {
    author: checkOption('author', shape.author, values['author'] ?? 'registry'),
    category: checkOption('category', z.enum(readCategoryNames(content)), values['category']),
    updated: today,
    added: now,
  })
  const folder = showPath(join(content, 'skills', slug), process.cwd())
  print(`wrote ${folder}/${SKILL_MD} and ${folder}/${RECORD_FILE} (id ${id})`)
  print(`write the text, then: npm run catalog -- check ${folder}`)
}

export const newCommand: Command = {
  name: 'new',
  positionals: { usage: '<slug>', least: 1, most: 1 },
  summary: "Starts one of the registry's own skills: its SKILL.md and its record",
  options: {
    category: { value: '<category>', help: 'Its category, such as "Writing"; required' },
    author: { value: '<handle>', help: 'The author (default: registry)' },
    ...CONTENT_OPTION,
  },
  help: [
    'The skill gets the next free id. Its SKILL.md is a draft that already builds: replace its description and text. Existing files are never overwritten.',
  ],
  run,
}
