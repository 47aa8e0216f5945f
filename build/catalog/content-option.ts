import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { showValue } from '../../src/catalog/text.ts'
import type { Given, Option } from './arguments.ts'
import { UsageError } from './faults.ts'

/** Where a catalog lies when nobody says otherwise. */
const DEFAULT_CONTENT = 'content'

/** The option that names the content folder of a command which works on a catalog that is there. */
export const CONTENT_OPTION: Readonly<Record<'content', Option>> = {
  content: {
    value: '<content folder>',
    help: `Where the catalog lies; ${DEFAULT_CONTENT}/ where left out`,
  },
}

/** Gives the content folder a command was pointed at. Throws UsageError where there is none. */
export const readContentOption = ({ values }: Given): string => {
  const content = values['content'] ?? DEFAULT_CONTENT
  if (existsSync(content) && statSync(content).isDirectory()) return resolve(content)
  throw new UsageError(`No content folder ${showValue(content, 200)}; name it with --content.`)
}
