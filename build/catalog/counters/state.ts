import { z } from 'zod'
import { readBeside } from '../store/records.ts'
import type { Segment } from './segments.ts'

/** Lies beside counters.json, is shared with it, and holds lengths and digests alone. */
export const STATE_FILE = 'counters.state.json'

const stateRecord = z.strictObject({
  segments: z.array(
    z.strictObject({
      bytes: z.int().min(1, 'must be 1 or more'),
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'),
    }),
  ),
})

/** Reads which parts of logs were counted before. Throws ContentError. */
export const readCountedSegments = (content: string): Segment[] =>
  readBeside(content, STATE_FILE, stateRecord)?.segments ?? []
