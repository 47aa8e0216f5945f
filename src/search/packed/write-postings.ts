import type { ByteWriter } from '../format/bytes.ts'
import { ALL_ONCE, PLAIN_FIELD, RICH } from './posting-bits.ts'

const writeRich = (writer: ByteWriter, counts: readonly number[]): void => {
  const once = counts.every((count) => count < 2)
  const mask = counts.reduce((bits, count, field) => (count > 0 ? bits | (1 << field) : bits), 0)
  writer.byte(once ? mask | ALL_ONCE : mask)
  if (!once) for (const count of counts) if (count > 0) writer.number(count)
}

/** Writes what a term is in one skill: how far that is from the one before, and how often each field has it. */
export const writePosting = (writer: ByteWriter, gap: number, counts: readonly number[]): void => {
  const plain = counts.every((count, field) => count === (field === PLAIN_FIELD ? 1 : 0))
  writer.number((gap << 1) | (plain ? 0 : RICH))
  if (!plain) writeRich(writer, counts)
}
