import { CommandError } from '../../cli/errors.ts'
import { streamGit } from './run-git.ts'
import type { GitCall } from './run-git.ts'

const HEADER = /^([0-9a-f]{40,64}) blob (\d+)$/

/** Takes bytes that come in pieces of any size and gives them out by need. */
interface Intake {
  pieces: Buffer[]
  size: number
}

const take = (intake: Intake, length: number): Buffer => {
  const all =
    intake.pieces.length === 1 ? (intake.pieces[0] as Buffer) : Buffer.concat(intake.pieces)
  intake.pieces = [all.subarray(length)]
  intake.size -= length
  return all.subarray(0, length)
}

const takeHeader = (intake: Intake): string | undefined => {
  // Nothing is taken: what is there becomes one piece.
  take(intake, 0)
  const end = intake.pieces[0]?.indexOf(0x0a) ?? -1
  return end < 0 ? undefined : take(intake, end + 1).toString('latin1', 0, end)
}

/** Reads the content of objects, in the order asked. Throws CommandError where one is none. */
export async function* readObjects(
  objects: readonly string[],
  call: GitCall,
): AsyncGenerator<{ object: string; bytes: Buffer }> {
  if (objects.length === 0) return
  const intake: Intake = { pieces: [], size: 0 }
  let awaited: { object: string; size: number } | undefined
  const input = objects.map((object) => `${object}\n`).join('')
  for await (const chunk of streamGit(['cat-file', '--batch'], { ...call, input })) {
    intake.pieces.push(chunk)
    intake.size += chunk.length
    for (;;) {
      if (awaited === undefined) {
        const header = takeHeader(intake)
        if (header === undefined) break
        const [, object, size] = HEADER.exec(header) ?? []
        if (object === undefined)
          throw new CommandError(`${call.subject}: a file of it cannot be read`)
        awaited = { object, size: Number(size) }
      }
      // A line feed follows the content.
      if (intake.size < awaited.size + 1) break
      const bytes = take(intake, awaited.size + 1).subarray(0, awaited.size)
      yield { object: awaited.object, bytes }
      awaited = undefined
    }
  }
}
