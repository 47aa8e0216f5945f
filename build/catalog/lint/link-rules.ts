import { showValue } from '../../../src/catalog/text.ts'
import { isAbsoluteHref, isSafeHref, resolveInside } from '../../../src/documents/links.ts'
import type { Mark, RuleTable } from './rule.ts'

/** What can be wrong with where a text links to. */
export const LINK_RULES = {
  'link-dead': {
    severity: 'warning',
    message: 'the link leads to a file that the skill does not have',
    remedy: 'add the file, or correct the path; it counts from the skill’s folder',
  },
  'link-outside': {
    severity: 'warning',
    message: 'the link leads out of the skill’s folder, which an installed skill does not have',
    remedy: 'copy the file into the folder, or link to its web address',
  },
  'link-unsafe': {
    severity: 'warning',
    message: 'a link that no page may follow',
    remedy: 'link to an http or https address, or to a file of the skill',
  },
} as const satisfies RuleTable

/** A mark of a rule about links. */
export type LinkMark = Mark<keyof typeof LINK_RULES>

/** Says whether a skill has a file or folder of that path. */
export type HasFile = (path: string) => boolean

const LINKS = /\]\([ \t]*<?([^()\s<>]{1,2000})/g
const DEFINITIONS = /^ {0,3}\[[^\]\n]{1,300}\]:[ \t]*<?([^\s<>]{1,2000})/gm

/** What stands for a path in an example, and a word alone, which is none. */
const NO_PATH = /[{}$*|]|\.\.\.|…|^[^./]*\.?$/

const decodePath = (href: string): string | undefined => {
  try {
    return decodeURIComponent(href.split(/[?#]/, 1)[0] ?? '')
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

const judge = (href: string, hasFile: HasFile): keyof typeof LINK_RULES | undefined => {
  if (isAbsoluteHref(href) || href.startsWith('//')) {
    return isSafeHref(href) || NO_PATH.test(href) ? undefined : 'link-unsafe'
  }
  if (/^[#/?]/.test(href) || NO_PATH.test(href)) return undefined
  const path = decodePath(href)
  if (path === undefined || path.includes('\0')) return 'link-dead'
  const inside = resolveInside(path)
  if (inside === undefined) return 'link-outside'
  return inside === '' || hasFile(inside) ? undefined : 'link-dead'
}

const markLink = (href: string, at: number, hasFile: HasFile): LinkMark[] => {
  const rule = judge(href, hasFile)
  if (rule === undefined) return []
  return [
    { rule, at, end: at + href.length, message: `${LINK_RULES[rule].message}: ${showValue(href)}` },
  ]
}

/** Marks the links of a text whose code is hidden; `hasFile` is asked for paths inside the skill only. */
export const checkLinks = (plain: string, hasFile: HasFile): LinkMark[] =>
  [...plain.matchAll(LINKS), ...plain.matchAll(DEFINITIONS)].flatMap((found) => {
    const href = found[1] ?? ''
    return markLink(href, found.index + found[0].length - href.length, hasFile)
  })
