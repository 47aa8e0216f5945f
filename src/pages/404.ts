export { ALL } from './[...path].ts'

/** The function also answers addresses for which Astro has no route, such as those of layouts. */
export const prerender = false
