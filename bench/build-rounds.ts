import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { EDITS, retouch } from './build-edits.ts'
import type { Edited } from './build-edits.ts'
import { countFiles, countSame, findPages, meanBytes, note } from './build-table.ts'
import type { Measured, Table } from './build-table.ts'
import { openOurPages } from './peers/our-pages.ts'
import type { Peer, PeerProject } from './peers/peer.ts'
import { measureProcess } from './process-cost.ts'
import type { ProcessCost } from './process-cost.ts'

/** A round of builds into a new folder, the first of them clean. */
export interface Round {
  table: Table
  output: string
  edited: Edited
}

/** A generator whose project is written. */
export interface PreparedPeer {
  name: string
  folder: string
  project: PeerProject
}

const buildOurs = (content: string, output: string): Promise<ProcessCost> =>
  measureProcess([process.execPath, join(PROJECT_ROOT, 'build/site/main.ts')], {
    folder: PROJECT_ROOT,
    environment: { CONTENT_DIR: content, OUT_DIR: output },
  })

const writtenOf = ({ output }: ProcessCost): number =>
  Number(/: (\d+) written/.exec(output)?.[1] ?? 0)

/** Measures our own builds: clean, with nothing changed, and after each kind of change. Gives the folder of the site. */
export const measureOurs = async ({ table, output, edited }: Round): Promise<string> => {
  const { content } = edited
  const site = join(output, 'public')
  const measure = async (build: string, more: () => Partial<Measured> = () => ({})) => {
    const cost = await buildOurs(content, output)
    note(table, `ours, ${build}`, { ...cost, files: writtenOf(cost), ...more() })
  }
  await measure('clean', () => ({ pageBytes: meanBytes(findPages(site)) }))
  // Files that were written just now are read again, so the first look is not the usual one.
  await buildOurs(content, output)
  await measure('nothing changed')
  for (const [name, edit] of Object.entries(EDITS)) {
    edit(edited)
    await measure(name)
  }
  return site
}

/** Writes the projects of the generators that are there, and says which are not. */
export const preparePeers = async (
  peers: readonly Peer[],
  scratch: string,
  content: string,
): Promise<PreparedPeer[]> => {
  const ready = peers.filter(({ name, missing }) => {
    const why = missing()
    if (why !== undefined) console.log(`${name}: not measured, ${why}`)
    return why === undefined
  })
  if (ready.length === 0) return []
  const input = await openOurPages(content)
  return ready.map(({ name, prepare }) => {
    const folder = join(scratch, name)
    mkdirSync(folder)
    return { name, folder, project: prepare(folder, input) }
  })
}

/** Measures the builds of another generator in the same way, its pages beside those of our site. */
export const measurePeer = async (
  { table, output, edited }: Round,
  { name, folder, project }: PreparedPeer,
  ours: string,
): Promise<void> => {
  const { commandInto, environment = {}, sourceOf } = project
  const measure = async (build: string, more: () => Partial<Measured> = () => ({})) => {
    const cost = await measureProcess(commandInto(output), { folder, environment })
    note(table, `${name}, ${build}`, { ...cost, files: countFiles(output), ...more() })
  }
  await measure('clean', () => {
    const pages = findPages(output)
    return { pageBytes: meanBytes(pages), same: countSame(findPages(ours), pages) }
  })
  await measure('nothing changed')
  retouch(sourceOf(edited.takeSkill().slug))
  await measure('one text changed')
}
