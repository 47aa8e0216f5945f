import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Passes a request to git's own server, for the repositories below a folder. */
const askGitServer = (root: string, request: IncomingMessage, response: ServerResponse): void => {
  const { url = '', method = '', headers } = request
  const [path = '', query = ''] = url.split('?')
  const child = spawn('git', ['-c', 'uploadpack.allowFilter=true', 'http-backend'], {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      REQUEST_METHOD: method,
      PATH_INFO: path,
      QUERY_STRING: query,
      CONTENT_TYPE: headers['content-type'] ?? '',
    },
  })
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => {
    const answer = Buffer.concat(chunks)
    const end = answer.indexOf('\r\n\r\n')
    const fields = answer.toString('latin1', 0, end).split('\r\n')
    for (const [name = '', value = ''] of fields.map((line) => line.split(': ')))
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
      else response.setHeader(name, value)
    response.end(answer.subarray(end + 4))
  })
}

/**
 * Serves repositories over http, below the folder that `root` returns. `decide` may answer a request instead, with a
 * status and headers.
 */
export const serveGit = async (
  root: () => string,
  decide: (
    request: IncomingMessage,
  ) => [status: number, headers?: Record<string, string>] | undefined,
) => {
  const server = createServer((request, response) => {
    const answer = decide(request)
    if (answer) response.writeHead(...answer).end()
    else askGitServer(root(), request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  }
}
