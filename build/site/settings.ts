import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEFAULT_ORIGIN, basePath } from '../../src/documents/paths.ts'
import { realPath } from '../machine/checkout.ts'

/** Root folder of the checkout, or of the installed package, which is never written to. */
export const PROJECT_ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface BuildSettings {
  contentFolder: string
  outputFolder: string
  /** Origin of absolute addresses; if undefined, the origin in `site.json`. */
  siteUrl?: string
  /** Port of a localhost origin, if `site.json` has no origin either. */
  port?: number
  /** Maximum number of threads that read and print skills; by default, the number of cores. */
  workers?: number
  /** Time limit for the files of a skill, in milliseconds; by default, 5 s. */
  limit?: number
  /** Ignores the state of earlier builds. */
  isClean?: boolean
  /** Offers only what a static host can serve. */
  isStatic?: boolean
  /** Day of the build, YYYY-MM-DD in UTC; posts with a later date are not published. By default, today. */
  today?: string
  /** Also shows drafts and posts with a later date, marked as such. */
  hasDrafts?: boolean
  /** Builds without versions if they cannot be promised. */
  isTrial?: boolean
}

/** An invalid environment variable or option. The message names it and says what is allowed. */
export class SettingsError extends Error {}

/** A path below which a site can be served. Its characters need no escapes in HTML, Markdown, CSS and JSON. */
const PLAIN_PATH = /^(?:\/[\w.~-]+)*\/?$/

/** Checks the address of a site (http or https, no query, a plain path); returns it without a trailing slash. */
const parseAddress = (value: string, name: string): string => {
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    throw new SettingsError(
      `${name}="${value}" is not an http(s) address; write ${name}=https://skills.example`,
    )
  }
  const url = new URL(value)
  if (
    !PLAIN_PATH.test(url.pathname) ||
    url.search !== '' ||
    url.hash !== '' ||
    url.username + url.password !== ''
  ) {
    throw new SettingsError(
      `${name}="${value}" must be an address without query, login or unusual characters, such as ${url.origin}`,
    )
  }
  return url.origin + basePath(value)
}

/** Last second of the year 9999. */
const LAST_SECOND = 253_402_300_799

/** Reads the day of SOURCE_DATE_EPOCH, in whole seconds since 1970. */
const parseDay = (value: string): string => {
  if (!/^\d{1,12}$/.test(value) || Number(value) > LAST_SECOND) {
    throw new SettingsError(
      `SOURCE_DATE_EPOCH="${value}" must be whole seconds since 1970, such as ${Math.floor(Date.now() / 1_000)}`,
    )
  }
  return new Date(Number(value) * 1_000).toISOString().slice(0, 10)
}

/** Reads CONTENT_DIR, OUT_DIR, SITE_URL, SOURCE_DATE_EPOCH and PORT. The server checks PORT. Throws SettingsError. */
export const readSettings = (environment: NodeJS.ProcessEnv): BuildSettings => ({
  contentFolder: resolve(environment['CONTENT_DIR'] || 'content'),
  outputFolder: resolve(environment['OUT_DIR'] || 'dist'),
  ...(environment['SITE_URL']
    ? { siteUrl: parseAddress(environment['SITE_URL'], 'SITE_URL') }
    : {}),
  ...(/^[1-9]\d{0,4}$/.test(environment['PORT'] ?? '')
    ? { port: Number(environment['PORT']) }
    : {}),
  ...(environment['SOURCE_DATE_EPOCH']
    ? { today: parseDay(environment['SOURCE_DATE_EPOCH']) }
    : {}),
})

/** Chooses the origin: SITE_URL, else `site.json`'s, else localhost with PORT. Only a static site can have a path. */
export const chooseOrigin = (
  { siteUrl, port, isStatic }: BuildSettings,
  siteOrigin: string | undefined,
): string => {
  if (siteUrl !== undefined) {
    if (isStatic || basePath(siteUrl) === '') return siteUrl
    throw new SettingsError(
      `SITE_URL="${siteUrl}" has a path, which only a static site supports; build with --static, or write SITE_URL=${new URL(siteUrl).origin}`,
    )
  }
  if (siteOrigin) return parseAddress(siteOrigin, 'site.json origin')
  return port === undefined ? DEFAULT_ORIGIN : `http://localhost:${port}`
}

/**
 * Throws SettingsError if a forgotten SITE_URL would replace the address of the served site with localhost. `served` is
 * the origin of the served site.
 */
export const checkOrigin = (
  { siteUrl, isClean, isTrial }: BuildSettings,
  siteOrigin: string | undefined,
  served: string | undefined,
): void => {
  if (siteUrl || siteOrigin || isClean || isTrial || served === undefined) return
  if (new URL(served).hostname === 'localhost') return
  throw new SettingsError(
    `The served site has the address ${served}, but neither SITE_URL nor "origin" in site.json is set: run SITE_URL=${served} npm run build, or build with --clean to replace the site`,
  )
}

const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** Throws SettingsError if a build would write into the content or remove it. */
export const checkPlaces = (
  { contentFolder, outputFolder }: Pick<BuildSettings, 'contentFolder' | 'outputFolder'>,
  swept: readonly string[],
): void => {
  const content = realPath(contentFolder)
  if (isInside(realPath(outputFolder), content)) {
    throw new SettingsError(
      `OUT_DIR="${outputFolder}" is inside CONTENT_DIR="${contentFolder}"; set it to a folder outside`,
    )
  }
  const folder = swept.find((name) => isInside(content, realPath(join(outputFolder, name))))
  if (folder !== undefined) {
    throw new SettingsError(
      `CONTENT_DIR="${contentFolder}" is inside OUT_DIR/${folder}, which a build replaces; move it out of OUT_DIR="${outputFolder}"`,
    )
  }
}
