import type { RootContent } from 'mdast'
import { countOf, showValue } from '../../catalog/text.ts'
import { skillEntry } from '../entries.ts'
import { sectionOf } from '../markdown.ts'
import { MOST_BUNDLED, PATHS, bundlePath, skillPath } from '../paths.ts'
import { codeBlock, linkTo, paragraph } from '../tree.ts'
import type { AnsweredDocument } from './page.ts'

const start = (
  path: string,
  lead = 'Skills of the catalog that one line installs together.',
): Omit<AnsweredDocument, 'sections'> => ({
  kind: 'bundle',
  path,
  heading: 'Skills to install together',
  lead: [lead],
  description: 'Skills of the catalog that one line installs together.',
  updated: '',
  isIndexable: false,
  facts: [],
})

/** Writes the page of a bundle: skills that one command installs together. */
export const writeBundle = (
  skills: readonly Parameters<typeof skillEntry>[0][],
  origin: string,
): AnsweredDocument => {
  const path = bundlePath(skills.map(({ slug }) => slug))
  return {
    ...start(path),
    sections: [
      sectionOf('install-together', 'Install', [
        codeBlock(`npx skills add ${origin}${path}`, 'sh'),
      ]),
      {
        ...sectionOf('skills', 'Skills', [paragraph(`${countOf(skills.length, 'skill')}.`)]),
        entries: skills.map(skillEntry),
      },
    ],
  }
}

const installOthers = (slugs: readonly string[]): RootContent[] => {
  const [only] = slugs
  if (only === undefined) return []
  return slugs.length === 1
    ? [paragraph(linkTo(`Install ${only} alone`, skillPath(only)), '.')]
    : [paragraph(linkTo(`Install ${slugs.join(', ')}`, bundlePath(slugs)), '.')]
}

/** A skill that a bundle cannot have; `hasPage` tells one that is not installed from here from an unknown one. */
interface MissingSkill {
  slug: string
  hasPage: boolean
}

const explainMissing = ({ slug, hasPage }: MissingSkill): RootContent =>
  hasPage
    ? paragraph(linkTo(slug, skillPath(slug)), ' cannot be installed from here; its page says why.')
    : paragraph(`No skill has the slug ${showValue(slug)}.`)

/** Writes the page of a bundle in which some skills cannot be installed. */
export const writeUnbundled = (
  slugs: readonly string[],
  missing: readonly MissingSkill[],
): AnsweredDocument => ({
  ...start(bundlePath(slugs), 'Not all of these skills can be installed from here.'),
  sections: [
    sectionOf('missing', 'Not installed from here', [
      ...missing.map(explainMissing),
      ...installOthers(slugs.filter((slug) => missing.every((one) => one.slug !== slug))),
    ]),
  ],
})

/** Writes the page of an invalid bundle address; `slugs` are the ones that could be read. */
export const writeNoBundle = (
  slugs: readonly string[],
  { message, hint }: Readonly<Record<'message' | 'hint', string>>,
): AnsweredDocument => ({
  // A list with too many slugs is not repeated.
  ...start(slugs.length > MOST_BUNDLED || slugs.length === 0 ? PATHS.bundles : bundlePath(slugs)),
  sections: [
    sectionOf('how', slugs.length === 1 ? 'One more is needed' : 'Nothing to install', [
      paragraph(`${message} ${hint}`),
      ...installOthers(slugs),
    ]),
  ],
})
