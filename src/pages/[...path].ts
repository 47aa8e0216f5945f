import { answer } from '../../functions/hosts/astro.ts'

export const prerender = false

/** Hands every request to the function: what Astro builds and serves has no other rules than the registry's own. */
export const ALL = ({ request }: { request: Request }): Promise<Response> => answer(request)
