import { join } from 'node:path'
import { DEFAULT_ORIGIN } from '../../src/documents/paths.ts'
import { answerMcpOnDemand } from '../mcp/on-demand.ts'
import type { SiteSource } from '../respond.ts'
import { once, openSite } from '../site.ts'
import type { Store } from '../store.ts'
import { openDiskStore } from './node/disk-store.ts'
import { openS3Store } from './stores/buckets.ts'

const openStore = (): Store => {
  const { SITE_DIR, SITE_BUCKET, SITE_BUILD = '', ...env } = process.env
  if (SITE_BUCKET === undefined) return openDiskStore(SITE_DIR ?? join(import.meta.dirname, 'site'))
  const { AWS_REGION: region = 'us-east-1', AWS_ACCESS_KEY_ID: accessKeyId = '' } = env
  const { AWS_SECRET_ACCESS_KEY: secretAccessKey = '', AWS_SESSION_TOKEN: sessionToken = '' } = env
  const address = env['AWS_ENDPOINT_URL_S3']
    ? `${env['AWS_ENDPOINT_URL_S3']}/${SITE_BUCKET}`
    : `https://${SITE_BUCKET}.s3.${region}.amazonaws.com`
  const keys = { region, accessKeyId, secretAccessKey, sessionToken }
  return openS3Store({ address, build: SITE_BUILD, ...keys })
}

/** The build in the folder `site` beside the bundled host, or in the bucket `SITE_BUCKET`. */
export const siteBeside: SiteSource = {
  origin: DEFAULT_ORIGIN,
  current: once(() => openSite(openStore())),
  mcp: answerMcpOnDemand,
}
