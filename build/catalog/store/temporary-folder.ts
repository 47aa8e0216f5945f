import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { makeScratch } from '../../site/folders.ts'

/** Makes a folder for as long as an action needs it; what a killed run leaves, the next one removes. */
export const withTemporaryFolder = async <Result>(
  action: (folder: string) => Promise<Result>,
): Promise<Result> => {
  const folder = makeScratch(tmpdir(), 'skill-catalog-')
  try {
    return await action(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
