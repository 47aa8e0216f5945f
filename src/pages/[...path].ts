import { answer } from '../../functions/hosts/astro.ts'

export const prerender = false

/** Passes every request to the function, so that Astro's server behaves like all other hosts. */
export const ALL = ({ request }: { request: Request }): Promise<Response> => answer(request)
