import { availableParallelism } from 'node:os'
import { describeApi } from '../../src/api/openapi.ts'
import { loadSiteContent } from '../../src/catalog/load.ts'
import type { SiteContent } from '../../src/catalog/load.ts'
import type { ApiDescription } from '../../src/documents/api-document.ts'
import type { SiteView } from '../../src/documents/registry-module.ts'
import { digestCode, digestText } from './digest.ts'
import { viewSite } from './integration.ts'
import { chooseOrigin } from './settings.ts'
import type { BuildSettings } from './settings.ts'

/** Everything a build is made from but the skills, and the digests that say whether it changed. */
export interface Inputs {
  content: string
  output: string
  workers: number
  frame: SiteContent
  origin: string
  api: ApiDescription
  siteView: SiteView
  /** Of the code, layouts, dependencies and Node. */
  code: string
  /** Of that, and what every page shows of the site. */
  look: string
  /** Of that, and everything the content says beside its skills and counters. */
  frameKey: string
  /** Of which skills are copies. */
  copies: string
}

/** Reads the inputs of a build. Throws ContentError where there is no content. */
export const readInputs = (settings: BuildSettings): Inputs => {
  const frame = loadSiteContent(settings.contentFolder)
  const { site, posts, pages, retired } = frame
  const origin = chooseOrigin(settings, site.origin).replace(/\/+$/, '')
  const code = digestCode()
  const siteView = viewSite(frame)
  const look = digestText(JSON.stringify([code, siteView, origin]))
  return {
    content: settings.contentFolder,
    output: settings.outputFolder,
    workers: settings.workers ?? availableParallelism(),
    frame,
    origin,
    api: describeSite(frame, origin),
    siteView,
    code,
    look,
    frameKey: digestText(JSON.stringify([look, site, posts, pages, retired])),
    copies: digestText(JSON.stringify(frame.copies)),
  }
}

/** Writes the OpenAPI description of a site. */
export const describeSite = ({ site }: Pick<SiteContent, 'site'>, origin: string): ApiDescription =>
  describeApi({
    name: site.name,
    description: site.description,
    origin,
    ...(site.contact ? { contact: site.contact } : {}),
  }) as ApiDescription
