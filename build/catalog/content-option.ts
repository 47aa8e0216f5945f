import { existsSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { showValue } from '../../src/catalog/characters.ts'
import type { Given, Option } from './arguments.ts'
import { UsageError } from './faults.ts'

/** Where the build looks too, unless it is told otherwise. */
const DEFAULT_CONTENT = 'content'

/** The option of a command that works on a catalog which is there already. */
export const CONTENT_OPTION: Option = {
  value: '<content folder>',
  help: 'Where the catalog lies; CONTENT_DIR, or content, where left out',
}

/** Gives the real path of the content folder a command works on. Throws UsageError. */
export const readContentFolder = ({ values }: Given, environment: NodeJS.ProcessEnv): string => {
  const named = values['content'] ?? (environment['CONTENT_DIR'] || DEFAULT_CONTENT)
  const path = resolve(named)
  if (existsSync(path) && statSync(path).isDirectory()) return realpathSync(path)
  throw new UsageError(
    `${showValue(named, 200)} is no folder; name the content folder with --content.`,
  )
}
