import { createDistantStore } from './distant.ts'
import type { ByteRange, Store } from '../../store.ts'
import { signRequest } from './s3-signature.ts'
import type { Credentials } from './s3-signature.ts'

const escapePart = (part: string): string =>
  encodeURIComponent(part).replace(/[!'()*]/g, (sign) =>
    `%${sign.charCodeAt(0).toString(16)}`.toUpperCase(),
  )

/** A build in a bucket of S3 or a compatible service; `address` is that of the bucket. */
interface S3Place {
  address: string
  build: string
  region: string
  credentials: Credentials
}

/** Opens the store of a build in an S3 bucket. The reader needs the permission to list it; else S3 answers 403 instead of 404. */
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
