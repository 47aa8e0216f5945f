import { answerApi } from '../../../functions/api.ts'

export const prerender = false

/** The function as an on-demand route of Astro, for hosts that embed what the adapter builds. */
export const ALL = ({ request }: { request: Request }): Promise<Response> => answerApi(request)
