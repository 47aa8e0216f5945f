import { AwsV4Signer } from 'aws4fetch'
import { isStoreName, readBody } from '../../store.ts'
import type { Body, ByteRange, Store } from '../../store.ts'
import { DistantFile, openDistantIndex } from '../../../src/search/index.ts'
import type { ReadDistant } from '../../../src/search/index.ts'

/** A file, or part of one, in a remote store. */
interface StoredObject {
  /** Bytes of the whole file. */
  size: number
  /** Differs if the bytes differ; usable in an ETag. */
  version: string
  body: Body
}

/**
 * Makes a store over a network from what gets an object, or a part of one, by its name. Nothing is hashed: the store
 * knows versions. The objects of a build must stay as they are, so each build has a name of its own. A search takes at most
 * `mostReads`, and then reads what lies between, too.
 */
const createDistantStore = (
  get: (name: string, range?: ByteRange) => Promise<StoredObject | undefined>,
  mostReads = Infinity,
): Store => {
  const readPart =
    (name: string): ReadDistant =>
    async (from, to) => {
      const part = await get(name, { first: from, last: to - 1 })
      return part && { bytes: await readBody(part.body), size: part.size }
    }
  return {
    read: async (name) => {
      const found = isStoreName(name) ? await get(name) : undefined
      if (!found) return undefined
      const { size, version, body } = found
      const bodyOf = async (range?: ByteRange): Promise<Body> => {
        if (!range) return body
        if (body instanceof Uint8Array) return body.subarray(range.first, range.last + 1)
        const part = await get(name, range)
        if (part?.version !== version) throw new Error(`${name} is another than it was`)
        return part.body
      }
      return { size, digest: async () => version, body: bodyOf }
    },
    open: async (name) => {
      const start = await readPart(name)(0, 1)
      if (!start) throw new Error('there is no such file')
      return new DistantFile(start.size, readPart(name), mostReads)
    },
    openIndex: (name) => openDistantIndex(readPart(name), { mostReads }),
  }
}

/** The part of an R2 bucket binding that is used. */
interface Bucket {
  get(
    key: string,
    options?: { range: { offset: number; length: number } },
  ): Promise<{ size: number; etag: string; body: Body } | null>
}

/** Most reads of a search: a free account allows 50 subrequests a request. */
const MOST_READS = 44

/** Opens the store of a build in an R2 bucket, below the prefix `build`. */
export const openR2Store = (bucket: Bucket, build: string): Store =>
  createDistantStore(async (name, range) => {
    const part = range && { offset: range.first, length: range.last - range.first + 1 }
    const found = await bucket.get(`${build}/${name}`, part && { range: part })
    return found ? { size: found.size, version: found.etag, body: found.body } : undefined
  }, MOST_READS)

const escapePart = (part: string): string =>
  encodeURIComponent(part).replace(/[!'()*]/g, (sign) =>
    `%${sign.charCodeAt(0).toString(16)}`.toUpperCase(),
  )

/** A build in a bucket of S3 or a compatible service; `address` is that of the bucket. */
interface S3Place {
  address: string
  build: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Of temporary keys, such as those of a Lambda function. */
  sessionToken?: string
}

/** Opens the store of a build in an S3 bucket. The reader needs the permission to list it; else S3 answers 403 instead of 404. */
export const openS3Store = ({ address, build, ...keys }: S3Place): Store =>
  createDistantStore(async (name, range) => {
    const url = [address, build, ...name.split('/').map(escapePart)].join('/')
    const fields: HeadersInit = range ? { range: `bytes=${range.first}-${range.last}` } : {}
    const signer = new AwsV4Signer({ url, headers: fields, service: 's3', ...keys })
    const { headers } = await signer.sign()
    const answer = await fetch(url, { headers })
    const body = new Uint8Array(await answer.arrayBuffer())
    if (answer.status === 404) return undefined
    if (answer.status !== (range ? 206 : 200))
      throw new Error(`${url} was answered with ${answer.status}`)
    const version = (answer.headers.get('ETag') ?? '').replaceAll('"', '')
    const total = answer.headers.get('Content-Range')?.split('/')[1]
    return { size: Number(total ?? body.length), version, body }
  })
