import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readBodies, readSkills, writeContent } from './build-content.ts'
import type { SkillSources } from './build-content.ts'
import { openEdits } from './build-edits.ts'
import { measureOurs, measurePeer, preparePeers } from './build-rounds.ts'
import { printTable } from './build-table.ts'
import type { Table } from './build-table.ts'
import { astro, astroAsItComes, astroCollection } from './peers/astro.ts'
import { eleventy } from './peers/eleventy.ts'
import { hugo, hugoAsItComes } from './peers/hugo.ts'
import type { Peer } from './peers/peer.ts'

// Measures what a build costs: clean, with nothing changed, and with one skill changed in each of several
// ways. Peers print the same pages of the skills, without twins, zips, lists or index, in turn with ours:
// Astro from our layouts and documents, the others from our layout with places in it and the text of our
// twins. Those that colour code unless they are told otherwise are measured so as well. Each round builds into a folder of its own, and all are removed at the very end: a file system
// that has just lost many files is slow.

const PEERS: Readonly<Record<string, Peer>> = {
  hugo,
  'hugo-as-it-comes': hugoAsItComes,
  eleventy,
  astro,
  'astro-collection': astroCollection,
  'astro-as-it-comes': astroAsItComes,
}

const USAGE = `Usage: npm run bench:build -- --big <catalog.ndjson.gz> --bodies <folder> [--rows 1000,10000]
  [--peers all] [--rounds 2] [--distinct] [--folder <scratch>]
--peers takes names of ${Object.keys(PEERS).join(', ')}.
--distinct makes every block of every text another one; without it the texts of the folder are repeated.`

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000,10000' },
    big: { type: 'string' },
    bodies: { type: 'string' },
    folder: { type: 'string', default: tmpdir() },
    peers: { type: 'string', default: '' },
    rounds: { type: 'string', default: '2' },
    distinct: { type: 'boolean', default: false },
  },
})

const tellTexts = ({ bodies, isDistinct }: SkillSources): void =>
  console.log(
    isDistinct
      ? `Texts: every block of every skill is its own, woven from ${bodies.length} texts.\n`
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
  const { big, bodies, distinct: isDistinct } = values
  const named = values.peers === 'all' ? Object.keys(PEERS) : values.peers.split(',')
  const wanted = named.filter((name) => name !== '')
  const peers = wanted.flatMap((name) => PEERS[name] ?? [])
  if (big === undefined || bodies === undefined || peers.length !== wanted.length) {
    console.error(USAGE)
    process.exitCode = 1
    return
  }
  const sources = { catalog: big, bodies: readBodies(bodies), isDistinct }
  tellTexts(sources)
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
