/** Slugs that would collide with pages of the site: `/skills/page/2` is a listing. */
const RESERVED_SLUGS = new Set(['page', 'index'])

/** Device names, which Windows forbids for folders; an install creates a folder named after the slug. */
const DEVICE_NAMES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** Longest slug; with an extension it is a valid file name on every system. */
export const SLUG_LIMIT = 100

export const isSlug = (text: string): boolean =>
  text.length <= SLUG_LIMIT &&
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(text) &&
  !RESERVED_SLUGS.has(text) &&
  !DEVICE_NAMES.test(text)

/** Description of valid slugs, for messages. */
export const SLUG_RULE = `1 to ${SLUG_LIMIT} of a-z and 0-9 in words joined by single hyphens, not "page", "index" or a device name such as "con"`
