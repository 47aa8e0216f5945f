import type { IncomingMessage } from 'node:http'
import { badRequest } from '../../src/api/errors.ts'
import type { ApiError } from '../../src/api/errors.ts'
import type { SiteRequest } from '../request.ts'

const VERSIONS = new Set(['1.0', '1.1'])

/** A host as RFC 3986 3.2.2 writes it, with or without a port. */
const HOST = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::[0-9]*)?$/

/** Takes the parts of a request that an answer depends on; Node has joined repeated fields. */
export const readIncoming = ({ method = '', url = '', headers }: IncomingMessage): SiteRequest => {
  const field = (name: string): string | undefined => headers[name]?.toString()
  return {
    method,
    target: url,
    accept: field('accept'),
    ifNoneMatch: field('if-none-match'),
    range: field('range'),
    ifRange: field('if-range'),
  }
}

/** Finds what is wrong with a request that Node's parser lets through (RFC 9112 2.3, 3.2). */
export const findFault = (request: IncomingMessage): ApiError | undefined => {
  const { httpVersion, headersDistinct } = request
  if (!VERSIONS.has(httpVersion)) {
    return badRequest('The version of HTTP is not 1.1 or 1.0', httpVersion)
  }
  const hosts = headersDistinct['host'] ?? []
  if (hosts.length === 0 && httpVersion === '1.1') {
    return badRequest('The request has no Host header')
  }
  if (hosts.length > 1) return badRequest('The request has several Host headers')
  const [host = ''] = hosts
  return HOST.test(host) ? undefined : badRequest('The Host header is not a host', host)
}

/** Says whether a request brings a body, which no address of ours reads. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
