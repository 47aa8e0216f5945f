import type { ServerResponse } from 'node:http'
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { ApiError } from '../../../src/api/errors.ts'
import { findRoute } from '../../route.ts'
import type { SiteRequest } from '../../route.ts'
import { isProbe } from './probes.ts'

/** Upper bounds of the histogram's buckets, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const isUnknownCategory = (thrown: unknown): boolean =>
  thrown instanceof ApiError && thrown.code === 'INVALID_CATEGORY'

const kindOf = (request: SiteRequest): string => {
  if (isProbe(request)) return 'probe'
  try {
    return findRoute(request).kind
  } catch (thrown) {
    // The site's categories are not known here, so a valid category can be refused.
    return isUnknownCategory(thrown) ? 'listing' : 'refused'
  }
}

/** The metrics of a server, in the text format of Prometheus. */
export type Metrics = ReturnType<typeof createMetrics>

/** Values that are read whenever the metrics are rendered. */
interface Gauges {
  /** The name of the served build. */
  generation: () => string | undefined
  connections: () => Promise<number>
}

export const createMetrics = ({ generation, connections }: Gauges) => {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['kind', 'status'],
    buckets: BUCKETS,
    registers: [register],
  })
  const build = new Gauge({
    name: 'registry_build_info',
    help: 'The served build.',
    labelNames: ['generation'],
    registers: [register],
  })
  const open = new Gauge({
    name: 'http_connections',
    help: 'Open connections.',
    registers: [register],
  })
  return {
    /** Measures a request until its answer is sent. */
    follow: (request: SiteRequest, outgoing: ServerResponse): void => {
      const start = performance.now()
      const kind = kindOf(request)
      outgoing.once('close', () =>
        durations.observe(
          { kind, status: outgoing.statusCode },
          (performance.now() - start) / 1_000,
        ),
      )
    },
    render: async () => {
      build.reset()
      const name = generation()
      if (name !== undefined) build.set({ generation: name }, 1)
      open.set(await connections())
      return register.metrics()
    },
  }
}
