import { createFetch } from '../fetch.ts'
import { answerMcpOnDemand } from '../mcp/on-demand.ts'
import { createStore } from '../store.ts'
import { openR2Store } from './stores/buckets.ts'

/** Bindings of `wrangler.jsonc`: the files of a build, or a bucket and the name of the build in it. */
type Bindings =
  | { ASSETS: { fetch: (request: Request) => Promise<Response> } }
  | { BUCKET: Parameters<typeof openR2Store>[0]; BUILD: string }

const openBindings = (bindings: Bindings) => {
  if ('BUCKET' in bindings) return openR2Store(bindings.BUCKET, bindings.BUILD)
  return createStore(async (name) => {
    const path = name.split('/').map(encodeURIComponent).join('/')
    const file = await bindings.ASSETS.fetch(new Request(`https://site.example/${path}`))
    return file.ok ? new Uint8Array(await file.arrayBuffer()) : undefined
  })
}

let answer: ReturnType<typeof createFetch> | undefined

/** A worker of Cloudflare; a build is deployed with its code, so the bindings stay the same. */
export default {
  fetch: (request: Request, bindings: Bindings): Promise<Response> => {
    answer ??= createFetch(openBindings(bindings), { mcp: answerMcpOnDemand })
    return answer(request)
  },
}
