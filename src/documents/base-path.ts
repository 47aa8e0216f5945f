/** A path from the root of the host. */
const FROM_ROOT = '(?=/(?!/))'

const LEADS_ON = '"refresh" content="0; url='

/** In Markdown, code and escaped characters, which hold no link. */
const NO_LINK = '\\\\[^]|(?<!`)(`+)(?!`)[^]*?(?<!`)\\2(?!`)'

const extension = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

/** Patterns before an address in files of the site, by the ending of their names. The words in them are escaped. */
const BEFORE_ADDRESS: Readonly<Record<string, RegExp>> = {
  html: new RegExp(`(\\s(?:href|src|action|data-then)="|${LEADS_ON})${FROM_ROOT}`, 'g'),
  md: new RegExp(`(\\]\\(<?|^ {0,3}\\[[^\\]\\n]+\\]: *<?)${FROM_ROOT}|${NO_LINK}`, 'gm'),
  json: new RegExp(`("url": ?")${FROM_ROOT}`, 'g'),
  css: new RegExp(`(url\\(["']?)${FROM_ROOT}`, 'g'),
  js: /(["'`])(?=\/_astro\/)/g,
}

/** Whether a file of the site may have addresses from the root of the host. */
export const canHaveAddresses = (name: string): boolean =>
  Object.hasOwn(BEFORE_ADDRESS, extension(name))

/** Puts a path before each address that begins at the root of the host, in a file that was written for the root. */
export const addBasePath = (base: string, name: string, text: string): string => {
  const rule = base === '' ? undefined : BEFORE_ADDRESS[extension(name)]
  return rule === undefined
    ? text
    : text.replace(rule, (found, before?: string) => (before === undefined ? found : before + base))
}
