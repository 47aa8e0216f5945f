import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../site/processes.ts'

const PREFIX = 'skill-catalog-'

/** Removes the folders that killed runs of ours left behind. */
const sweepFolders = (): void => {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(PREFIX))) {
    const pid = Number(name.slice(PREFIX.length).split('-')[0])
    const path = join(tmpdir(), name)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.uid === process.getuid?.() && pid > 0 && pid !== process.pid && !isAlive(pid)) {
      rmSync(path, { recursive: true, force: true })
    }
  }
}

/** Makes a folder for as long as an action needs it; what a killed run leaves, the next one removes. */
export const withTemporaryFolder = async <Result>(
  action: (folder: string) => Promise<Result>,
): Promise<Result> => {
  sweepFolders()
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  try {
    return await action(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
