import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AstroConfig, AstroIntegration } from 'astro'
import type { Connect, ViteDevServer } from 'vite'
import { ContentError, renderProblem } from '../../src/catalog/problems.ts'
import { findStarter } from '../../src/catalog/references.ts'
import { isListed } from '../../src/catalog/skill.ts'
import { ANSWERED_KINDS } from '../../src/documents/answered/page.ts'
import type { AnsweredKind } from '../../src/documents/answered/page.ts'
import { compileTemplate } from '../../src/documents/template.ts'
import type { Template } from '../../src/documents/template.ts'
import { sitemapRow } from '../../src/documents/llms.ts'
import { renderTwin } from '../../src/documents/markdown.ts'
import { PATHS } from '../../src/documents/paths.ts'
import { packIndex, toIndexEntry } from '../../src/search/pack/pack.ts'
import {
  ANSWERED_PATH,
  PAGES_NAME,
  createPageModule,
  registryPages,
  openWorkspace,
} from './astro.ts'
import { renderPreviews } from './previews.ts'
import {
  planLists,
  renderList,
  ANSWERED_NAME,
  INDEX_NAME,
  renderAnswered,
  listSiteFiles,
  writeSitemaps,
} from './site-files.ts'
import { readSettings } from './settings.ts'
import type { BuildSettings } from './settings.ts'
import { searchDocuments } from './search-index.ts'
import {
  describeZip,
  indexName,
  listSkillOutputs,
  pageName,
  publicName,
  twinName,
} from './skill-files.ts'
import type { Output } from './skill-files.ts'

type Workspace = ReturnType<typeof openWorkspace>

/** Generates an output file on request. */
type OutputReader = (name: string) => Promise<string | Uint8Array | undefined>

/** Answers a request as production would, from outputs generated on request. */
type DevelopmentHost = (
  read: OutputReader,
) => (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Requests the page as rendered by Astro; the value of the header is secret to this process. */
const PAGE_HEADER = 'x-registry-page'

/** Vite's own addresses: modules, its client, its websocket. */
const VITE_ADDRESS = /^\/(?:@|src\/|node_modules\/|build\/|\.astro\/)/

/** Pause after the last change of a file before the content is read again, in milliseconds. */
const SETTLE = 60

const listZips = ({ catalog, site }: Workspace) =>
  catalog.skills.map((skill) => {
    const { id, slug, updated = null, category, source } = skill
    const { sha256, size } = describeZip(skill, site.origin)
    const address = source.kind === 'own' ? null : source.url
    const isShown = isListed(skill)
    return { id, slug, sha256, size, updated, category, source: address, isListed: isShown }
  })

/** All outputs except the HTML of pages, which Astro renders, and the sitemaps. */
const listOutputs = (workspace: Workspace): Map<string, Output['make']> => {
  const { plans, catalog, site, api } = workspace
  const { retired, skills } = catalog
  const source = {
    siteName: catalog.site.name,
    origin: site.origin,
    readIndex: (slug: string) => makers.get(indexName(slug))?.().toString() ?? '',
  }
  const starter = findStarter(catalog.site.starter ?? [], site.listed, retired)
  const outputs: Output[] = [
    ...[...planLists(site, starter.skills)].map((list) => ({
      name: publicName(list.path),
      make: () => renderList(list, source),
    })),
    ...plans.map((plan) => ({ name: twinName(plan.path), make: () => renderTwin(plan.write()) })),
    ...skills.flatMap((skill) => listSkillOutputs(skill, site.origin)),
    ...listSiteFiles({
      site,
      api,
      retired,
      skills,
      assets: [],
      // Its templates come from Astro, as pages do.
      makeAnswered: () => '',
      listZips: () => listZips(workspace),
    }),
    {
      name: INDEX_NAME,
      make: () => packIndex(searchDocuments(site).map(toIndexEntry), catalog.copies),
    },
  ]
  const makers = new Map(outputs.map(({ name, make }) => [name, make]))
  return makers
}

const SITEMAP = /^public\/sitemap(?:-\d+)?\.xml$/

const readSitemap = async (
  { plans, site }: Workspace,
  name: string,
): Promise<string | Uint8Array | undefined> => {
  const rows = plans.flatMap((plan) => sitemapRow(plan.write(), site.origin))
  const outputs = await writeSitemaps(rows, site.origin)
  return outputs.find((output) => output.name === name)?.make()
}

/** `renderPage` returns the HTML of the page at a path. */
const createReader = (
  workspace: Workspace,
  renderPage: (path: string) => Promise<string>,
): OutputReader => {
  const outputs = listOutputs(workspace)
  const pages = new Map(workspace.plans.map(({ path }) => [pageName(path), path]))
  return async (name) => {
    const page = pages.get(name)
    if (page !== undefined) return renderPage(page)
    if (name === ANSWERED_NAME) {
      const sources = await Promise.all(
        ANSWERED_KINDS.map(async (kind) => [kind, await renderPage(`/answered/${kind}`)] as const),
      )
      const templates = Object.fromEntries(
        sources.map(([kind, source]) => [kind, compileTemplate(source)]),
      ) as Record<AnsweredKind, Template>
      return renderAnswered(workspace.site, templates)
    }
    if (SITEMAP.test(name)) return readSitemap(workspace, name)
    if (name.startsWith('public/previews/'))
      return renderPreviews(workspace.catalog.site).get(name.slice('public/'.length))
    return outputs.get(name)?.()
  }
}

const fetchPage = async (server: ViteDevServer, token: string, path: string): Promise<string> => {
  const listening = server.httpServer?.address()
  if (typeof listening !== 'object' || listening === null) throw new Error('the server is closed')
  const address = `http://localhost:${listening.port}${path === PATHS.notFound ? '/404' : path}`
  const response = await fetch(address, { headers: { [PAGE_HEADER]: token } })
  const text = await response.text()
  const isExpected = response.ok || path === PATHS.notFound
  if (!isExpected) throw new Error(`Astro answered ${path} with ${response.status}: ${text}`)
  return text
}

const reportProblems = (error: unknown): void => {
  if (!(error instanceof ContentError)) throw error
  for (const problem of error.problems) console.error(renderProblem(problem))
  console.error(`${error.message}; the last good content is still served.`)
}

const watchContent = (server: ViteDevServer, folder: string, reload: () => void): void => {
  let pause: ReturnType<typeof setTimeout> | undefined
  server.watcher.add(folder)
  server.watcher.on('all', (_event, path) => {
    if (!path.startsWith(folder)) return
    clearTimeout(pause)
    pause = setTimeout(() => {
      reload()
      server.ws.send({ type: 'full-reload' })
    }, SETTLE)
  })
}

const serve = (
  server: ViteDevServer,
  settings: BuildSettings,
  live: { workspace: Workspace },
  createHost: DevelopmentHost,
): void => {
  const token = randomUUID()
  const openHost = (): ReturnType<DevelopmentHost> =>
    createHost(createReader(live.workspace, (path) => fetchPage(server, token, path)))
  let host = openHost()
  server.middlewares.use((request, response, next) => {
    const isOurs = request.headers[PAGE_HEADER] !== token && !VITE_ADDRESS.test(request.url ?? '')
    if (isOurs) host(request, response).catch(next)
    else next()
  })
  // Astro decodes addresses first and passes those that it cannot decode on as errors.
  const answerUndecodable: Connect.ErrorHandleFunction = (error, request, response, next) => {
    if (error instanceof URIError) host(request, response).catch(next)
    else next(error)
  }
  server.middlewares.use(answerUndecodable)
  watchContent(server, settings.contentFolder, () => {
    try {
      live.workspace = openWorkspace(settings)
      host = openHost()
    } catch (error) {
      reportProblems(error)
    }
  })
}

/** Whether our own build runs Astro, only to render templates; it adds the pages itself. */
const isTemplateBuild = ({ config }: { config: AstroConfig }): boolean =>
  config.integrations.some(({ name }) => name === PAGES_NAME)

/**
 * Makes `astro dev` serve what production will: pages by Astro with real values, everything else from the
 * build's writers, answered by the function. Reloads the content when a file changes, and keeps the last good
 * content while the new one has problems. `astro build` gets the same pages.
 */
export const registryDevelopment = (createHost: DevelopmentHost): AstroIntegration => {
  const settings = readSettings(process.env)
  let live: { workspace: Workspace } | undefined
  let isPageBuild = false
  return {
    name: 'registry-development',
    hooks: {
      'astro:config:setup': async (options) => {
        isPageBuild = options.command === 'build' && !isTemplateBuild(options)
        if (options.command !== 'dev' && !isPageBuild) return
        const opened = { workspace: openWorkspace(settings) }
        if (!isPageBuild) live = opened
        await registryPages(createPageModule(() => opened.workspace)).hooks['astro:config:setup']?.(
          options,
        )
      },
      'astro:route:setup': ({ route }) => {
        // Rendered on demand in development, so that a reload shows changes; prerendered as templates otherwise.
        if (live) route.prerender = false
      },
      'astro:server:setup': ({ server }) => {
        if (live) serve(server, settings, live, createHost)
      },
      'astro:build:done': ({ dir }) => {
        // The function's page templates are not pages for readers.
        if (isPageBuild) rmSync(new URL(`.${ANSWERED_PATH}`, dir), { recursive: true, force: true })
      },
    },
  }
}
