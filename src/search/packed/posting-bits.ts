import { FIELD_NAMES } from '../fields.ts'

/** The field that nearly every posting is of: once there and nowhere else is written in one bit. */
export const PLAIN_FIELD = FIELD_NAMES.indexOf('description')

/** Set in a posting's gap where a byte of fields follows. */
export const RICH = 1

/** Set in the byte of fields where the term is once in each, so no frequencies follow. */
export const ALL_ONCE = 1 << FIELD_NAMES.length
