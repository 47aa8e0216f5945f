import { createHmac, hash } from 'node:crypto'

/** AWS access keys; Lambda functions get temporary ones with a session token. */
export interface Credentials {
  id: string
  secret: string
  token?: string | undefined
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/** SHA-256 of an empty body. */
const NO_BODY = hash('sha256', '')

const authenticate = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** Signs a GET without a query for S3 (AWS Signature Version 4), and returns its header fields. */
export const signRequest = (
  { host, pathname }: URL,
  given: Readonly<Record<string, string>>,
  region: string,
  { id, secret, token }: Credentials,
  now: Date,
): Record<string, string> => {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = [time.slice(0, 8), region, 's3', 'aws4_request']
  const fields: Record<string, string> = {
    ...given,
    'x-amz-content-sha256': NO_BODY,
    'x-amz-date': time,
    ...(token === undefined ? {} : { 'x-amz-security-token': token }),
  }
  const signed = Object.entries({ ...fields, host }).sort(([a], [b]) => (a < b ? -1 : 1))
  const names = signed.map(([name]) => name).join(';')
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('')
  const request = hash('sha256', ['GET', pathname, '', lines, names, NO_BODY].join('\n'))
  const key = scope.reduce<string | Buffer>(authenticate, `AWS4${secret}`)
  const text = [ALGORITHM, time, scope.join('/'), request].join('\n')
  const signature = authenticate(key, text).toString('hex')
  const authorization = `${ALGORITHM} Credential=${id}/${scope.join('/')},SignedHeaders=${names},Signature=${signature}`
  return { ...fields, authorization }
}
