import { z } from 'zod'
import { readBeside } from '../store/records.ts'
import { VALIDATOR_LIMIT } from './outcome.ts'

/** Lies beside the records; losing it costs a day until a source that is gone is said to be. */
export const MEMORY_FILE = 'verify.state.json'

const time = z.iso.datetime()
const validator = z.string().max(VALIDATOR_LIMIT)

const sourceMemory = z.strictObject({
  etag: validator.optional(),
  lastModified: validator.optional(),
  /** When it was first found absent, without having been found since. */
  missingSince: time.optional(),
})

const memoryRecord = z.strictObject({
  /** A run that was not finished: when it began, and the sources it settled. */
  run: z.strictObject({ started: time, settled: z.array(z.string()) }).optional(),
  sources: z.record(z.string(), sourceMemory),
})

/** What is remembered of a source between runs. */
export type SourceMemory = z.infer<typeof sourceMemory>

/** What is remembered of all of them. */
export type Memory = z.infer<typeof memoryRecord>

/** Reads what earlier runs remember. Throws ContentError. */
export const readMemory = (content: string): Memory =>
  readBeside(content, MEMORY_FILE, memoryRecord) ?? { sources: {} }
