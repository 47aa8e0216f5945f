/** Matches before a path from the root of the host. Two slashes would start the name of another host. */
const FROM_ROOT = '(?=/(?!/))'

const REDIRECT = '"refresh" content="0; url='

/** Matches Markdown code and escaped characters, in which there are no links. */
const NO_LINK = '\\\\[^]|(?<!`)(`+)(?!`)[^]*?(?<!`)\\2(?!`)'

const extension = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** By extension, the text before an address in a file. Untrusted text in the file is escaped, so it never matches. */
const BEFORE_ADDRESS: Readonly<Record<string, RegExp>> = {
  html: new RegExp(`(\\s(?:href|src|action|data-then)="|${REDIRECT})${FROM_ROOT}`, 'g'),
  md: new RegExp(`(\\]\\(<?|^ {0,3}\\[[^\\]\\n]+\\]: *<?)${FROM_ROOT}|${NO_LINK}`, 'gm'),
  json: new RegExp(`("url": ?")${FROM_ROOT}`, 'g'),
  css: new RegExp(`(url\\(["']?)${FROM_ROOT}`, 'g'),
  js: /(["'`])(?=\/_astro\/)/g,
}

/** Whether a file of the site can have addresses that start at the root of the host. */
export const canHaveAddresses = (name: string): boolean =>
  Object.hasOwn(BEFORE_ADDRESS, extension(name))

/** Puts the base path before each address in `text` that starts at the root of the host. */
export const addBasePath = (base: string, name: string, text: string): string => {
  const rule = base === '' ? undefined : BEFORE_ADDRESS[extension(name)]
  return rule === undefined
    ? text
    : text.replace(rule, (found, before?: string) => (before === undefined ? found : before + base))
}
