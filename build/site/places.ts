import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { SettingsError } from './settings.ts'
import type { BuildSettings } from './settings.ts'

/** Where a path leads, as far as it is there. */
const findPlace = (path: string): string =>
  existsSync(path) ? realpathSync.native(path) : join(findPlace(dirname(path)), basename(path))

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

/** Throws SettingsError where a build would write into what it reads, or sweep it away. */
export const checkPlaces = (
  { contentFolder, outputFolder }: Pick<BuildSettings, 'contentFolder' | 'outputFolder'>,
  swept: readonly string[],
): void => {
  const content = findPlace(contentFolder)
  if (isWithin(findPlace(outputFolder), content)) {
    throw new SettingsError(
      `OUT_DIR="${outputFolder}" lies in CONTENT_DIR="${contentFolder}"; set it to a folder beside that`,
    )
  }
  const folder = swept.find((name) => isWithin(content, findPlace(join(outputFolder, name))))
  if (folder !== undefined) {
    throw new SettingsError(
      `CONTENT_DIR="${contentFolder}" lies in OUT_DIR/${folder}, which a build replaces; move it out of OUT_DIR="${outputFolder}"`,
    )
  }
}
