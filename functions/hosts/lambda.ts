import { Readable } from 'node:stream'
import { isPosted, readPosted } from '../route.ts'
import { serve } from '../respond.ts'
import { readBody } from '../store.ts'
import { siteBeside } from './site-beside.ts'

/** Event of an AWS Lambda function URL, payload 2.0; header names are in lower case. */
interface LambdaEvent {
  rawPath: string
  rawQueryString: string
  headers: Record<string, string>
  requestContext: { http: { method: string } }
  body?: string
  isBase64Encoded: boolean
}

export const handler = async (event: LambdaEvent): Promise<object> => {
  const { rawPath, rawQueryString, headers, requestContext, body = '', isBase64Encoded } = event
  const { accept, 'if-none-match': ifNoneMatch, range, 'if-range': ifRange } = headers
  const { method } = requestContext.http
  const target = rawPath + (rawQueryString && `?${rawQueryString}`)
  const sent = Readable.from([Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8')])
  const fields = Object.entries(headers) as [string, string][]
  const posted = isPosted(method, target) ? await readPosted(sent, fields) : undefined
  const request = { method, target, accept, ifNoneMatch, range, ifRange, posted }
  const answer = await serve(request, siteBeside, console.error)
  const bytes = Buffer.from(await readBody(answer.body)).toString('base64')
  return { statusCode: answer.status, headers: answer.headers, body: bytes, isBase64Encoded: true }
}
