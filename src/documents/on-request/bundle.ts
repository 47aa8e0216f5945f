import { countOf, showValue } from '../../catalog/text.ts'
import { SENDS_NO_LOGIN, installLine } from '../install-line.ts'
import { skillEntry } from '../lists/entries.ts'
import { MOST_BUNDLED, PATHS, bundlePath, skillPath } from '../paths.ts'
import type { OnRequestDocument } from './page.ts'
import { asLead, commandLine, inCode, linked, paragraphs, phrase } from './phrases.ts'
import type { Phrase } from './phrases.ts'

const start = (
  path: string,
  lead = phrase`Skills from the catalog that one command installs together.`,
): Omit<OnRequestDocument, 'sections'> => ({
  kind: 'bundle',
  path,
  heading: 'Skills to install together',
  ...asLead(lead),
  description: 'Skills from the catalog that one command installs together.',
  updated: '',
  isIndexable: false,
  facts: [],
})

/** Writes the page of a bundle: skills that one command installs together. */
export const writeBundle = (
  skills: readonly Parameters<typeof skillEntry>[0][],
  { origin, isPrivate }: { origin: string; isPrivate: boolean },
): OnRequestDocument => {
  const login = isPrivate ? ` ${SENDS_NO_LOGIN}` : ''
  const path = bundlePath(skills.map(({ slug }) => slug))
  const command = installLine(origin + path)
  return {
    ...start(path),
    sections: [
      { id: 'install-together', heading: 'Install', ...commandLine(command) },
      {
        id: 'skills',
        heading: 'Skills',
        ...paragraphs(phrase`${countOf(skills.length, 'skill')}.${login}`),
        entries: skills.map(skillEntry),
      },
    ],
  }
}

const installOthers = (slugs: readonly string[]): Phrase[] => {
  const [only] = slugs
  if (only === undefined) return []
  return slugs.length === 1
    ? [phrase`${linked(`Install ${only} alone`, skillPath(only))}.`]
    : [phrase`${linked(`Install ${slugs.join(', ')}`, bundlePath(slugs))}.`]
}

/** A slug that cannot be in a bundle. If it has a page, the skill exists but cannot be installed from this registry. */
interface MissingSkill {
  slug: string
  hasPage: boolean
}

const explainMissing = ({ slug, hasPage }: MissingSkill): Phrase =>
  hasPage
    ? phrase`${linked(slug, skillPath(slug))} cannot be installed from here; its page says why.`
    : phrase`No skill has the slug ${showValue(slug)}.`

/** Writes the page of a bundle if some of its skills cannot be installed. */
export const writeUnbundled = (
  slugs: readonly string[],
  missing: readonly MissingSkill[],
): OnRequestDocument => {
  const others = slugs.filter((slug) => missing.every((skill) => skill.slug !== slug))
  const lines = [...missing.map(explainMissing), ...installOthers(others)]
  return {
    ...start(bundlePath(slugs), phrase`Not all of these skills can be installed from here.`),
    sections: [{ id: 'missing', heading: 'Not installed from here', ...paragraphs(...lines) }],
  }
}

/** Why an address or a form does not name a bundle. */
type Refusal = Readonly<Record<'message' | 'hint', string>>

/** Writes the page of an invalid bundle address. `slugs` are the valid ones in it. */
export const writeNoBundle = (
  slugs: readonly string[],
  { message, hint }: Refusal,
): OnRequestDocument => ({
  ...start(slugs.length === 0 ? PATHS.bundles : bundlePath(slugs)),
  sections: [
    {
      id: 'how',
      heading: slugs.length === 1 ? 'Add another skill' : 'Nothing to install',
      ...paragraphs(phrase`${message} ${hint}`, ...installOthers(slugs)),
    },
  ],
})

/** Writes the page for a form that has too few skills or was `refused`. Only its `known` skills can be installed. */
export const writeChoice = (
  known: readonly string[],
  missing: readonly MissingSkill[],
  refused: Refusal | undefined,
): OnRequestDocument => {
  const [first = '{slug}'] = known
  const example = inCode(`${PATHS.bundles}/${first}+{slug}`)
  return {
    ...start(PATHS.bundles),
    sections: [
      {
        id: 'how',
        heading: known.length === 1 ? 'Add another skill' : 'Choose skills',
        ...paragraphs(
          ...(refused ? [phrase`${refused.message}`] : []),
          ...missing.map(explainMissing),
          phrase`Select 2 to ${MOST_BUNDLED} skills in one of the ${linked('lists of skills', PATHS.skills)}, and press “Install together” below the list.`,
          phrase`Or put their slugs into the address: ${example}.`,
          ...installOthers(known),
        ),
      },
    ],
  }
}
