import { parseLicenceName } from './names.ts'

const HEADING = /^#{1,6}[ \t]+(?:[^\w\s]+[ \t]*)?licen[sc](?:e|ing)[ \t#]*$/im

/** Words before a name that state it: "This project is licensed under the". */
const LEAD_IN =
  /^(?:this \w+ is )?(?:released|licensed|distributed|available) under (?:the )?(?:terms of the )?/i

/** The name itself: a link's text, or what stands before the line's end, a dash or a bracket. */
const STATED = [
  /^\[([^\]\n]{2,40})\]\([^)\s]*\)/,
  /^([\w.,+\- ]{2,40}?)(?:$|[.;]? (?:-|–|—|see|©|\(c\)|\(see)|\s*[([])/im,
]

const lineOf = (section: string): string =>
  section
    .split('\n')
    .map((line) => line.replace(/[*_`]/g, '').trim())
    .find((line) => line !== '' && !line.startsWith('[![')) ?? ''

/** Gives the licence that a README states under a heading of that name; undefined where it states none. */
export const findStatedLicence = (readme: string): string | undefined => {
  const heading = HEADING.exec(readme)
  if (!heading) return undefined
  const section = readme.slice(heading.index + heading[0].length).split(/^#{1,6}[ \t]/m)[0] ?? ''
  const line = lineOf(section).replace(LEAD_IN, '')
  for (const pattern of STATED) {
    const name = parseLicenceName(pattern.exec(line)?.[1] ?? '')
    if (name !== undefined) return name
  }
  return undefined
}
