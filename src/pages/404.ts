export { ALL } from './[...path].ts'

/** What matches no route of Astro's, such as the address of a layout, is the function's to answer as well. */
export const prerender = false
