import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { readBodies, readSkills, writeContent } from './build-content.ts'
import type { SkillSources } from './build-content.ts'
import { EDITS, openEdits, retouch } from './build-edits.ts'
import type { Edited } from './build-edits.ts'
import { countFiles, countSame, findPages, meanBytes, note, printTable } from './build-table.ts'
import type { Measured, Table } from './build-table.ts'
import { readOptions } from './options.ts'
import { astro, astroAsItComes, astroCollection } from './peers/astro.ts'
import { eleventy } from './peers/eleventy.ts'
import { hugo, hugoAsItComes } from './peers/hugo.ts'
import { openOurPages } from './peers/our-pages.ts'
import type { Peer, PeerProject } from './peers/peer.ts'
import { measureProcess } from './process-cost.ts'
import type { ProcessCost } from './process-cost.ts'

// Measures what a build costs: clean, with nothing changed, and with one skill changed in each of several
// ways. In turn with ours, other generators make the same skill pages, without twins, zips, lists or index:
// Astro from our layouts and documents, the others from our layout and the text of our twins. Generators
// that colour code by default are measured both ways. Each round builds into a folder of its own, and all
// are removed at the end: a file system that has just lost many files is slow.

const PEERS: Readonly<Record<string, Peer>> = {
  hugo,
  'hugo-as-it-comes': hugoAsItComes,
  eleventy,
  astro,
  'astro-collection': astroCollection,
  'astro-as-it-comes': astroAsItComes,
}

const PEER_NAMES = Object.keys(PEERS)

const values = readOptions(
  'Measures what a build costs: clean, with nothing changed, and with one skill changed in several ways.',
  {
    big: { type: 'string', required: true, about: 'catalog.ndjson.gz with names and descriptions' },
    bodies: { type: 'string', required: true, about: 'folder with texts of skills' },
    rows: { type: 'string', default: '1000,10000', about: 'sizes of the catalog' },
    peers: {
      type: 'string',
      about: `other generators to measure: all, or names of ${PEER_NAMES.join(', ')}`,
    },
    rounds: { type: 'string', default: '2', about: 'rounds, each into folders of its own' },
    distinct: {
      type: 'boolean',
      about: 'change every block of every text, instead of repeating the texts',
    },
    folder: { type: 'string', default: tmpdir(), about: 'where catalogs and sites are written' },
  },
)

/** Builds into one new folder, the first of them clean. */
interface Round {
  table: Table
  output: string
  edited: Edited
}

/** A generator whose project is written. */
interface PreparedPeer {
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

/** Returns the folder of the site. */
const measureOurs = async ({ table, output, edited }: Round): Promise<string> => {
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

/** Writes a project for each generator that is installed. */
const preparePeers = async (
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

const measurePeer = async (
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

const printTexts = ({ bodies, isDistinct }: SkillSources): void =>
  console.log(
    isDistinct
      ? `Texts: made from ${bodies.length}, with every block of every skill changed.\n`
      : `Texts: ${bodies.length}, repeated over all skills.\n`,
  )

const measure = async (
  rows: number,
  sources: SkillSources,
  peers: readonly Peer[],
  scratch: string,
): Promise<void> => {
  const content = join(scratch, 'content')
  const skills = readSkills(sources, rows)
  writeContent(content, skills)
  const prepared = await preparePeers(peers, scratch, content)
  const edited = openEdits(content, skills)
  const table: Table = new Map()
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const outputOf = (name: string): string => join(scratch, `site-of-${name}-${round}`)
    const ours = await measureOurs({ table, edited, output: outputOf('ours') })
    for (const peer of prepared)
      await measurePeer({ table, edited, output: outputOf(peer.name) }, peer, ours)
  }
  printTable(rows, table)
  console.log('')
}

const main = async (): Promise<void> => {
  const { big, bodies, distinct } = values
  const named = values.peers === 'all' ? PEER_NAMES : (values.peers?.split(',') ?? [])
  const peers = named.map((name) => {
    const peer = PEERS[name]
    if (!peer) throw new Error(`There is no peer "${name}"; there are ${PEER_NAMES.join(', ')}.`)
    return peer
  })
  const sources = { catalog: big, bodies: readBodies(bodies), isDistinct: distinct === true }
  printTexts(sources)
  const scratches: string[] = []
  try {
    for (const rows of values.rows.split(',').map(Number)) {
      const scratch = mkdtempSync(join(values.folder, 'skill-registry-bench-'))
      scratches.push(scratch)
      await measure(rows, sources, peers, scratch)
    }
  } finally {
    for (const scratch of scratches) rmSync(scratch, { recursive: true, force: true })
  }
}

await main()
