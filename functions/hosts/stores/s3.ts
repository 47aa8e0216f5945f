import { createDistantStore } from './distant.ts'
import type { ByteRange, Store } from '../../store.ts'
import { signRequest } from './s3-signature.ts'
import type { Credentials } from './s3-signature.ts'

const escapePart = (part: string): string =>
  encodeURIComponent(part).replace(/[!'()*]/g, (sign) =>
    `%${sign.charCodeAt(0).toString(16)}`.toUpperCase(),
  )

/** Where a build lies in a bucket of S3, or of what speaks like it: `address` is that of the bucket. */
export interface S3Place {
  address: string
  build: string
  region: string
  credentials: Credentials
}

/** Opens the store of a build that lies in a bucket of S3. Whoever reads must be allowed to list it: else S3 says 403 for 404. */
export const openS3Store = ({ address, build, region, credentials }: S3Place): Store =>
  createDistantStore(async (name, range?: ByteRange) => {
    const url = new URL([address, build, ...name.split('/').map(escapePart)].join('/'))
    const fields = range ? { range: `bytes=${range.first}-${range.last}` } : {}
    const answer = await fetch(url, {
      headers: signRequest(url, fields, region, credentials, new Date()),
    })
    const body = new Uint8Array(await answer.arrayBuffer())
    if (answer.status === 404) return undefined
    if (answer.status !== (range ? 206 : 200))
      throw new Error(`${url.href} was answered with ${answer.status}`)
    const version = (answer.headers.get('ETag') ?? '').replaceAll('"', '')
    const total = answer.headers.get('Content-Range')?.split('/')[1]
    return { size: Number(total ?? body.length), version, body }
  })
