import { appendFileSync, writeFileSync } from 'node:fs'
import { openRandom } from './big-rows.ts'

/** One request that a log is made of. */
interface Request {
  time: Date
  path: string
  status: number
  reader: string
  agent: string
}

const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
  'curl/8.14.1',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
]

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

const two = (value: number): string => String(value).padStart(2, '0')

const clock = (time: Date): string =>
  [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()].map(two).join(':')

/** How each format writes a request. */
export const WRITERS: Readonly<Record<string, (request: Request) => string>> = {
  combined: ({ time, path, status, reader, agent }) =>
    `${reader} - - [${two(time.getUTCDate())}/${MONTHS[time.getUTCMonth()]}/${time.getUTCFullYear()}:${clock(time)} +0000] "GET ${path} HTTP/1.1" ${status} 5120 "https://registry.example/skills" "${agent}"`,
  server: ({ time, path, status, reader, agent }) =>
    JSON.stringify({
      time: time.toISOString(),
      method: 'GET',
      path,
      status,
      bytes: 5_120,
      ms: 1.2,
      form: 'html',
      agent,
      remote: reader,
    }),
  cloudflare: ({ time, path, status, reader, agent }) =>
    JSON.stringify({
      ClientIP: reader,
      ClientRequestHost: 'registry.example',
      ClientRequestMethod: 'GET',
      ClientRequestURI: path,
      ClientRequestUserAgent: agent,
      EdgeResponseStatus: status,
      EdgeResponseBytes: 5_120,
      EdgeStartTimestamp: time.toISOString(),
      RayID: '48b371889c489b2c',
    }),
  vercel: ({ time, path, status, reader, agent }) =>
    JSON.stringify({
      id: '1573817187330377061717300000',
      deploymentId: 'dpl_233NRGRjVZX1caZrXWtz5g1TAksD',
      source: 'static',
      host: 'registry.example',
      timestamp: time.getTime(),
      projectId: 'gdufoJxB6b9b1fEqr1jUtFkyavUU',
      level: 'info',
      proxy: {
        timestamp: time.getTime(),
        method: 'GET',
        host: 'registry.example',
        path,
        userAgent: [agent],
        statusCode: status,
        clientIp: reader,
        region: 'fra1',
      },
    }),
  netlify: ({ time, path, status, reader, agent }) =>
    JSON.stringify({
      log_type: 'traffic',
      client_ip: reader,
      method: 'GET',
      url: `https://registry.example${path}`,
      status_code: status,
      user_agent: agent,
      timestamp: time.toISOString(),
      duration: 12,
    }),
}

const AT_A_TIME = 20_000

const choosePath = (random: (limit: number) => number, skills: number): string => {
  const skill = random(skills) + 1
  const kind = random(10)
  if (kind < 5) return `/skills/skill-${skill}${kind < 2 ? '.md' : ''}`
  if (kind < 7) return `/api/skills/download/${skill}`
  return kind === 7 ? `/api/v1/skills?q=${skill}` : `/_astro/page.${skill}.css`
}

/** Writes a log of two days with 50,000 readers; where there are several formats, they take turns. */
export const writeLog = (
  path: string,
  lines: number,
  skills: number,
  formats: readonly string[],
): void => {
  const random = openRandom(7)
  const start = Date.UTC(2026, 9, 10)
  writeFileSync(path, '')
  for (let at = 0; at < lines; at += AT_A_TIME) {
    const batch: string[] = []
    for (let line = at; line < Math.min(lines, at + AT_A_TIME); line += 1) {
      const reader = random(50_000)
      const writer = WRITERS[formats[line % formats.length] ?? '']
      if (!writer) throw new Error(`no format ${formats[line % formats.length]}`)
      batch.push(
        writer({
          time: new Date(start + Math.floor((line / lines) * 172_800_000)),
          path: choosePath(random, skills),
          status: random(20) === 0 ? 304 : 200,
          reader: `10.${reader >> 16}.${(reader >> 8) & 255}.${reader & 255}`,
          agent: AGENTS[random(AGENTS.length)] ?? '',
        }),
      )
    }
    appendFileSync(path, `${batch.join('\n')}\n`)
  }
}
