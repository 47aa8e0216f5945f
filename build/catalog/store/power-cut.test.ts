import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { recordWrites } from '../../../testing/power-cut.ts'
import {
  addFiles,
  makeSampleFolder,
  readSampleTree,
  removeFolders,
  runImport,
  sampleSkillMd,
} from '../../../testing/sample-folders.ts'
import { retireOrMove } from '../retire/command.ts'
import { withLock } from './write.ts'

afterEach(removeFolders)

/** Moments at which the power fails; `CUTS=2000` for a long run. */
const CUTS = Number(process.env['CUTS'] ?? 60)

type Tree = Record<string, string>

/** What is in a content folder besides the lock, once a command has finished what another began. */
const settle = async (content: string): Promise<Tree> => {
  if (!existsSync(content)) return {}
  await withLock(content, async () => undefined)
  return readSampleTree(content)
}

/** The files of each skill, and each other file: what is there whole or not at all. */
const listUnits = (tree: Tree): Record<string, string> => {
  const units: Record<string, string> = {}
  for (const [path, text] of Object.entries(tree)) {
    const unit = /^skills\/[^/]+/.exec(path)?.[0] ?? path
    units[unit] = `${units[unit] ?? ''}${path}: ${text}\n`
  }
  return units
}

test(`the power cut at ${CUTS} moments of commands: the catalog loads, each skill is the old or the new one, a departure is whole`, async () => {
  const source = makeSampleFolder({
    'a/SKILL.md': sampleSkillMd('a'),
    'a/scripts/run.py': 'print(1)\n',
    'b/SKILL.md': sampleSkillMd('b'),
    'c/SKILL.md': sampleSkillMd('c'),
  })
  const home = makeSampleFolder()
  const content = join(home, 'content')
  const commands: [name: string, run: () => Promise<unknown>][] = [
    ['first import', () => runImport(source, content)],
    [
      'second import',
      () => {
        rmSync(join(source, 'a/scripts'), { recursive: true })
        addFiles(source, {
          'a/SKILL.md': sampleSkillMd('a', 'Sorts more words.'),
          'b/references/notes.md': 'notes\n',
          'd/SKILL.md': sampleSkillMd('d'),
        })
        return runImport(source, content)
      },
    ],
    ['move', () => retireOrMove(content, { slug: 'a', to: 'first' }, false)],
    ['retire', () => retireOrMove(content, { slug: 'b' }, false)],
    ['move again', () => retireOrMove(content, { slug: 'first', to: 'a' }, false)],
  ]
  const recording = recordWrites(home, [home])
  const done: { name: string; from: number; to: number; old: Tree; now: Tree }[] = []
  let old: Tree = {}
  for (const [name, run] of commands) {
    const from = recording.length
    await run()
    const now = readSampleTree(content)
    done.push({ name, from, to: recording.length, old, now })
    old = now
  }
  const isComplete = recording.isComplete()
  recording.stop()
  expect(isComplete).toBe(true)
  const faults: string[] = []
  let halves = 0
  for (let cut = 0; cut < CUTS; cut += 1) {
    const { name, from, to, ...trees } = done[cut % done.length]!
    const after = cut % 7 === 0 ? to : from + ((cut * 7_919) % (to - from + 1))
    const title = `seed ${cut}, ${after - from} of ${to - from} calls of ${name}`
    const left = join(home, `left-${cut}`)
    recording.cut(after, cut, left)
    try {
      if (existsSync(join(left, 'content'))) loadCatalog(join(left, 'content'))
      if (after === to && existsSync(join(left, 'content/.catalog.journal')))
        faults.push(`${title}: its journal came back`)
      const found = await settle(join(left, 'content'))
      const [units, before, now] = [listUnits(found), listUnits(trees.old), listUnits(trees.now)]
      const names = Object.keys({ ...before, ...now, ...units })
      const isOld = names.every((unit) => units[unit] === before[unit])
      const isNew = names.every((unit) => units[unit] === now[unit])
      if (!isOld && !isNew) halves += 1
      for (const unit of names)
        if (![before[unit], now[unit]].includes(units[unit])) faults.push(`${title}: ${unit}`)
      if (!isOld && !isNew && !name.includes('import')) faults.push(`${title}: half of it`)
      if (!isNew && after === to) faults.push(`${title}: lost`)
    } catch (error) {
      faults.push(`${title}: ${String(error)}`)
    }
    rmSync(left, { recursive: true, force: true })
  }
  expect(faults).toEqual([])
  // An import that was cut has some of its skills.
  expect(halves).toBeGreaterThan(0)
}, 600_000)
