// take-lock.ts <folder> hold: acquires the lock of a folder and holds it until killed.
// take-lock.ts <folder> <times>: acquires and releases it repeatedly, and counts other processes found inside.
import { mkdirSync, rmdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { CommandError } from '../cli/command.ts'
import { withLock } from '../store/write.ts'

const [folder = '', times = ''] = process.argv.slice(2)

const hold = async (): Promise<void> => {
  console.log('held')
  await wait(60_000)
}

let clashes = 0
let taken = 0

const enter = async (): Promise<void> => {
  taken += 1
  try {
    mkdirSync(`${folder}.inside`)
  } catch {
    clashes += 1
    return
  }
  await wait(0)
  rmdirSync(`${folder}.inside`)
}

if (times === 'hold') await withLock(folder, hold)
while (taken < Number(times)) {
  try {
    await withLock(folder, enter)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    await wait(1)
  }
}
console.log(JSON.stringify({ taken, clashes }))
