import { LISTING_DESCRIPTION, hasText, listSkill } from '../../catalog/skill.ts'
import { OTHER_LICENCE, SKILL_MD } from '../../catalog/skill.ts'
import type { Skill, SkillZip } from '../../catalog/skill.ts'
import type { Mention } from '../../catalog/needs/found.ts'
import { truncateAtWord } from '../../catalog/text.ts'
import { describeSafety } from '../lists/entries.ts'
import { sayRule } from './findings.ts'
import { readOwner } from './facts.ts'
import { findInstallCommands, findPinnedCommands } from './install.ts'
import type { InstallSite } from './install.ts'
import { labelOf } from './label.ts'
import {
  downloadPath,
  skillFilePath,
  skillPath,
  twinPath,
  versionListPath,
  versionPath,
} from '../paths.ts'
import type { CurrentVersion } from '../on-request/version.ts'

/** The JSON has at most this many findings; `moreFindings` counts the others. */
const MOST_FINDINGS = 5

interface SkillJsonInput extends InstallSite {
  skill: Skill
  zip: SkillZip | undefined
  /** Other skills that the text of the skill names. */
  mentioned: readonly Mention[]
  /** The current version, if the registry promises versions. */
  version?: CurrentVersion | undefined
}

/** Describes how to pin the current version, and where all versions are listed. Empty if no versions are promised. */
const describePin = (input: SkillJsonInput) => {
  const { skill, origin, version } = input
  if (!version) return {}
  const versions = origin + versionListPath(skill.slug)
  const { name, day } = version.current
  if (name === undefined) return { versions }
  const install = findPinnedCommands(skill, name, input)
  return { pin: { name, day, page: origin + versionPath(skill.slug, name), install }, versions }
}

/** Describes a source that was not found alive; undefined for other sources. */
const describeSource = ({ source }: Skill) => {
  if (source.kind === 'own' || source.status === 'alive') return undefined
  const { status, checked, seen } = source
  return { status, checked, seen }
}

const describeLicence = ({ licence, licenceWords = '' }: Skill): string | undefined =>
  licence === OTHER_LICENCE ? truncateAtWord(licenceWords, LISTING_DESCRIPTION) : licence

/**
 * Renders `/skills/{slug}.json`: all that an agent needs to know about a skill, in a short form. The fields of the API
 * row come first. Unknown fields are absent.
 */
export const renderSkillJson = (input: SkillJsonInput): string => {
  const { skill, origin, zip } = input
  const { slug, id, findings } = skill
  const row = listSkill(skill, origin + skillFilePath(slug, SKILL_MD))
  const answer = {
    ...row,
    ...(skill.withdrawn && skill.source.kind === 'own' ? { sourceUrl: undefined } : {}),
    description:
      skill.description.length > 2 * LISTING_DESCRIPTION ? row.description : skill.description,
    source: describeSource(skill),
    updated: skill.updated,
    difficulty: skill.difficulty,
    safety: describeSafety(skill),
    licence: describeLicence(skill),
    tokens: skill.tokens,
    files: skill.files.length,
    ...(hasText(skill) ? {} : { text: false }),
    label: labelOf(skill, input.mentioned),
    findings: findings
      .slice(0, MOST_FINDINGS)
      .map(({ rule, severity, contexts, file, line, accepted }) => ({
        rule,
        severity,
        lowered: contexts.length > 0 ? contexts.join('; ') : undefined,
        file,
        line,
        says: sayRule({ rule, contexts }),
        accepted: accepted?.why,
      })),
    ...(findings.length > MOST_FINDINGS ? { moreFindings: findings.length - MOST_FINDINGS } : {}),
    owner: readOwner(skill),
    deprecated: skill.deprecated,
    withdrawn: skill.withdrawn,
    ...(zip
      ? { zip: { url: origin + downloadPath(id), size: zip.size, digest: `sha256:${zip.sha256}` } }
      : {}),
    ...(skill.withdrawn ? {} : { install: findInstallCommands(skill, input) }),
    ...describePin(input),
    page: origin + skillPath(slug),
    markdown: origin + twinPath(skillPath(slug)),
    ...(skill.withdrawn ? {} : { skillMd: origin + skillFilePath(slug, SKILL_MD) }),
  }
  return `${JSON.stringify(answer)}\n`
}
