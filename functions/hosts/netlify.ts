import { createHandler } from '../fetch.ts'
import { siteBeside } from './site-beside.ts'

/** A function of Netlify, version 2: it answers every address. */
export default createHandler(siteBeside)
export const config = { path: '/*', preferStatic: false }
