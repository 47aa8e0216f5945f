import { LISTING_DESCRIPTION, hasText, listSkill } from '../../catalog/skill.ts'
import type { Skill, SkillZip } from '../../catalog/skill.ts'
import type { Mention } from '../../catalog/needs/found.ts'
import { OTHER_LICENCE } from '../../catalog/skill.ts'
import { truncateAtWord } from '../../catalog/text.ts'
import { ruleOf } from '../../catalog/safety/rules.ts'
import { describeSafety } from '../lists/entries.ts'
import { bySeverity } from './findings.ts'
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
import type { CurrentVersion } from './version-page.ts'

/** Most findings that the answer has; the page has all. */
const MOST_FINDINGS = 5

/** The input of a skill's JSON. */
interface SkillJsonInput extends InstallSite {
  skill: Skill
  zip: SkillZip | undefined
  /** The other skills that its text names. */
  mentioned: readonly Mention[]
  /** Its current version, where versions are promised. */
  version?: CurrentVersion | undefined
}

/** How to install the current version now and later, and the list of all; absent where no version is promised. */
const describePin = (input: SkillJsonInput) => {
  const { skill, origin, version } = input
  if (!version) return {}
  const versions = origin + versionListPath(skill.slug)
  if (!('name' in version)) return { versions }
  const { name, day } = version
  const install = findPinnedCommands(skill, name, input)
  return { pin: { name, day, page: origin + versionPath(skill.slug, name), install }, versions }
}

/** The facts about a source that is not alive. */
const describeSource = ({ source }: Skill) => {
  if (source.kind === 'own' || source.status === 'alive') return undefined
  const { status, checked, seen } = source
  return { status, checked, seen }
}

const describeLicence = ({ licence, licenceWords = '' }: Skill): string | undefined =>
  licence === OTHER_LICENCE ? truncateAtWord(licenceWords, LISTING_DESCRIPTION) : licence

/**
 * Renders `/skills/{slug}.json`: the facts that an agent needs about one skill, in one short answer. The row of the API
 * comes first, with the same fields; unknown ones are absent.
 */
export const renderSkillJson = (input: SkillJsonInput): string => {
  const { skill, origin, zip } = input
  const { slug, id, findings } = skill
  const row = listSkill(skill, origin + skillFilePath(slug, 'SKILL.md'))
  const answer = {
    ...row,
    description:
      skill.description.length > 2 * LISTING_DESCRIPTION ? row.description : skill.description,
    source: describeSource(skill),
    updated: skill.updated,
    difficulty: skill.difficulty,
    safety: describeSafety(skill),
    licence: describeLicence(skill),
    tokens: skill.tokens,
    startedBy: skill.startedBy,
    files: skill.files.length,
    ...(hasText(skill) ? {} : { text: false }),
    label: labelOf(skill, input.mentioned),
    findings: findings
      .toSorted(bySeverity)
      .slice(0, MOST_FINDINGS)
      .map(({ rule, severity, file, line, accepted }) => ({
        rule,
        severity,
        file,
        line,
        says: ruleOf(rule).says,
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
    ...(skill.withdrawn ? {} : { skillMd: origin + skillFilePath(slug, 'SKILL.md') }),
  }
  return `${JSON.stringify(answer)}\n`
}
