import { encodePath } from '../../src/catalog/address.ts'
import { createFetch } from '../fetch.ts'
import { answerMcpOnDemand } from '../mcp/on-demand.ts'
import { createStore } from '../store.ts'

/** The binding of `wrangler.jsonc`: the files of a build. */
interface Bindings {
  ASSETS: { fetch: (request: Request) => Promise<Response> }
}

const openAssets = ({ ASSETS }: Bindings) =>
  createStore(async (name) => {
    const file = await ASSETS.fetch(new Request(`https://site.example/${encodePath(name)}`))
    return file.ok ? new Uint8Array(await file.arrayBuffer()) : undefined
  })

let answer: ReturnType<typeof createFetch> | undefined

/** A Cloudflare worker. A build is deployed together with this code, so the first bindings stay valid. */
export default {
  fetch: (request: Request, bindings: Bindings): Promise<Response> => {
    answer ??= createFetch(openAssets(bindings), { mcp: answerMcpOnDemand })
    return answer(request)
  },
}
