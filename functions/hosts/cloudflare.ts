import { createFetch } from '../fetch.ts'
import { answerMcpOnDemand } from '../mcp/on-demand.ts'
import { createStore } from '../store.ts'

/** What a worker is given: the files of a build, by the name of the binding in `wrangler.jsonc`. */
interface Bindings {
  ASSETS: { fetch: (request: Request) => Promise<Response> }
}

const createAnswer = ({ ASSETS }: Bindings) =>
  createFetch(
    createStore(async (name) => {
      const path = name.split('/').map(encodeURIComponent).join('/')
      const file = await ASSETS.fetch(new Request(`https://site.example/${path}`))
      return file.ok ? new Uint8Array(await file.arrayBuffer()) : undefined
    }),
    { mcp: answerMcpOnDemand },
  )

let answer: ReturnType<typeof createAnswer> | undefined

/** A worker of Cloudflare; a build is uploaded with its code, so the bindings stay the same. */
export default {
  fetch: (request: Request, bindings: Bindings): Promise<Response> => {
    answer ??= createAnswer(bindings)
    return answer(request)
  },
}
