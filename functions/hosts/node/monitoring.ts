import type { ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { answerBytes, fitMethod } from '../../answers.ts'
import type { Answer } from '../../answers.ts'
import type { SiteSource } from '../../respond.ts'
import { findRoute } from '../../route.ts'
import type { SiteRequest } from '../../route.ts'
import { RETRY_AFTER } from '../../../src/api/errors.ts'
import { POLICIES } from '../../../src/api/policies.ts'

/** Answers while the process is up. */
const HEALTH = '/healthz'
/** Answers 200 while a build can be read, else 503. */
const READY = '/readyz'

/** Whether a request asks after the server and not for something of the site. */
export const isProbe = ({ method, target }: SiteRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (target === HEALTH || target === READY)

const isReady = async (source: SiteSource): Promise<boolean> => {
  try {
    await (await source.current()).search()
    return true
  } catch {
    return false
  }
}

export const answerProbe = async (
  { method, target }: SiteRequest,
  source: SiteSource,
): Promise<Answer> => {
  const { headers } = POLICIES.plain
  const answer =
    target === HEALTH || (await isReady(source))
      ? answerBytes('ok\n', 200, headers)
      : answerBytes('no build can be read\n', 503, {
          ...headers,
          'Retry-After': String(RETRY_AFTER),
        })
  return fitMethod(method, answer)
}

/** Upper bounds of the buckets of durations, in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What is measured elsewhere, at the moment that it is asked for. */
interface Gauges {
  connections: () => number
  /** The folder of the build that is served. */
  generation: () => string | undefined
}

const kindOf = (request: SiteRequest): string => {
  if (isProbe(request)) return 'probe'
  try {
    return findRoute(request).kind
  } catch {
    return 'refused'
  }
}

type Labels = Readonly<Record<string, string | number>>

const label = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${String(value).replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const NANOSECONDS = 1e9

/** Counts what a server does, and shows it in the text format of Prometheus (0.0.4). */
export class Metrics {
  readonly #gauges
  /** Numbers by labels, which are written once. */
  readonly #requests = new Map<string, number>()
  readonly #durations = BOUNDS.map(() => 0)
  #seconds = 0
  #count = 0
  #bytes = 0
  #refused = 0
  readonly #delay = monitorEventLoopDelay({ resolution: 10 })

  constructor(gauges: Gauges) {
    this.#gauges = gauges
    this.#delay.enable()
  }

  /** Follows a request to its end. */
  follow(request: SiteRequest, outgoing: ServerResponse): void {
    const start = performance.now()
    const kind = kindOf(request)
    const { socket } = outgoing
    const before = socket?.bytesWritten ?? 0
    outgoing.once('close', () => {
      const key = label({ kind, status: outgoing.statusCode })
      this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1)
      this.#bytes += (socket?.bytesWritten ?? before) - before
      const seconds = (performance.now() - start) / 1_000
      this.#seconds += seconds
      this.#count += 1
      for (const [at, bound] of BOUNDS.entries()) {
        if (seconds <= bound) this.#durations[at] = (this.#durations[at] ?? 0) + 1
      }
    })
  }

  /** Counts a connection that was closed at once, as its client had too many. */
  refuse(): void {
    this.#refused += 1
  }

  render(): string {
    const { rss, heapUsed, external } = process.memoryUsage()
    const { user, system } = process.cpuUsage()
    const lines: string[] = []
    const add = (name: string, type: string, help: string, rows: readonly [string, number][]) =>
      lines.push(
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...rows.map(([suffix, value]) => `${name}${suffix} ${value}`),
      )
    add('http_requests_total', 'counter', 'Requests answered.', [...this.#requests])
    add('http_response_bytes_total', 'counter', 'Bytes sent.', [['', this.#bytes]])
    add('http_request_duration_seconds', 'histogram', 'From a request to the end of its answer.', [
      ...BOUNDS.map((le, at): [string, number] => [
        `_bucket${label({ le })}`,
        this.#durations[at] ?? 0,
      ]),
      [`_bucket${label({ le: '+Inf' })}`, this.#count],
      ['_sum', this.#seconds],
      ['_count', this.#count],
    ])
    add('http_connections', 'gauge', 'Open connections.', [['', this.#gauges.connections()]])
    add('http_connections_refused_total', 'counter', 'Connections above the limit of a client.', [
      ['', this.#refused],
    ])
    add('nodejs_eventloop_delay_seconds', 'gauge', 'Since the last time this was asked for.', [
      [label({ quantile: 0.5 }), this.#delay.percentile(50) / NANOSECONDS],
      [label({ quantile: 0.99 }), this.#delay.percentile(99) / NANOSECONDS],
      [label({ quantile: 1 }), this.#delay.max / NANOSECONDS],
    ])
    this.#delay.reset()
    add('process_resident_memory_bytes', 'gauge', 'Resident memory.', [['', rss]])
    add('nodejs_heap_size_used_bytes', 'gauge', 'Used heap.', [['', heapUsed]])
    add('nodejs_external_memory_bytes', 'gauge', 'Memory outside the heap.', [['', external]])
    add('process_cpu_seconds_total', 'counter', 'CPU time.', [['', (user + system) / 1e6]])
    add('process_start_time_seconds', 'gauge', 'When the process began.', [
      ['', performance.timeOrigin / 1_000],
    ])
    const generation = this.#gauges.generation()
    add(
      'registry_build_info',
      'gauge',
      'The build that is served.',
      generation === undefined ? [] : [[label({ generation }), 1]],
    )
    return `${lines.join('\n')}\n`
  }
}
