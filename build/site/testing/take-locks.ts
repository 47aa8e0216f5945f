// Takes each lock of a folder once a file `go` lies in it, prints those it got, and holds them until killed.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { takeLockFile } from '../lock-file.ts'

class Refused extends Error {}

const [folder = ''] = process.argv.slice(2)
const locks = readdirSync(folder)
  .filter((name) => name.startsWith('lock-'))
  .sort()

const isTaken = (name: string): boolean => {
  const path = join(folder, name)
  try {
    takeLockFile(path, `${path}.${process.pid}`, () => new Refused())
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

console.log('ready')
while (!existsSync(join(folder, 'go'))) continue
console.log(JSON.stringify(locks.filter(isTaken)))
setInterval(() => undefined, 1_000)
