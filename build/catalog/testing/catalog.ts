import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { OWN_RECORD, SITE } from '../../../src/catalog/testing/content.ts'
import { makeSampleFolder, recordIn, sampleSkillMd } from '../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../testing/sample-folders.ts'
import { runCommand } from './run-command.ts'

/** A content folder, with ways to run commands in it and to look at it. */
export const openCatalog = (content: string) => ({
  content,
  call: (...args: readonly string[]) => runCommand(...args, '--content', content),
  /** Reads a file. */
  read: (path: string): string => readFileSync(join(content, path), 'utf8'),
  recordOf: recordIn.bind(undefined, content),
  slugs: (): string[] => loadCatalog(content).skills.map(({ slug }) => slug),
})

/** Makes a content folder with a `site.json` and these files. */
export const makeCatalog = (files: SampleFiles = {}, site: object = {}) =>
  openCatalog(makeSampleFolder({ 'site.json': { ...SITE, ...site }, ...files }))

/** A skill of the registry itself, in its content folder; `more` are fields of its record. */
export const ownSkill = (
  slug: string,
  more: object = {},
  text = sampleSkillMd(slug),
): SampleFiles => ({
  [`skills/${slug}/skill.json`]: { ...OWN_RECORD, ...more },
  [`skills/${slug}/SKILL.md`]: text,
})
