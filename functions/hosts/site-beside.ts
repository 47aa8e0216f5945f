import { join } from 'node:path'
import { DEFAULT_ORIGIN } from '../../src/documents/paths.ts'
import { answerMcpOnDemand } from '../mcp/on-demand.ts'
import type { SiteSource } from '../respond.ts'
import { once, openSite } from '../site.ts'
import { openDiskStore } from './node/disk-store.ts'

/** The build that lies beside the bundled host, in a folder `site`. */
export const siteBeside: SiteSource = {
  origin: DEFAULT_ORIGIN,
  current: once(() =>
    openSite(openDiskStore(process.env['SITE_DIR'] ?? join(import.meta.dirname, 'site'))),
  ),
  mcp: answerMcpOnDemand,
}
