import { RECORD_FILE, loadSkill, readSkillFile } from '../../src/catalog/skill-folder.ts'
import type { ReadFile } from '../../src/catalog/skill-folder.ts'
import { isUntraced } from '../../src/catalog/load.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import { pickFacts } from '../../src/catalog/skill.ts'
import type { Skill, SkillFacts } from '../../src/catalog/skill.ts'
import { planSkill } from '../../src/documents/all-documents.ts'
import { renderTwin } from '../../src/documents/markdown.ts'
import type { ComparedSkill } from '../../src/documents/skill-document.ts'
import type { NamedSkill } from '../../src/documents/skill-facts.ts'
import type { Template } from '../../src/documents/template.ts'
import { fillTemplate } from '../../src/documents/template.ts'
import { viewDocument } from '../../src/documents/view.ts'
import { digestFiles } from './digest.ts'
import { printMarks } from './marks.ts'
import {
  describeDownload,
  listPaths,
  pageName,
  readFiles,
  skillOutputs,
  twinName,
} from './outputs.ts'
import { linkFiles, openTree } from './tree.ts'
import type { Tree } from './tree.ts'

/** What reading a skill's folder gave: its facts, and by what to know whether they still hold. */
export interface SkillReading {
  slug: string
  /** Its marks, printed. */
  signature: string
  /** Digest of its record and its files. */
  digest: string
  facts?: SkillFacts
  isUntraced: boolean
  /** Paths of its files in the zip. */
  paths: string[]
  problems: Problem[]
}

/** A skill whose outputs are wanted, and what its page takes from elsewhere. */
export interface PrintTask {
  slug: string
  views: number
  installs: number
  nearest: ComparedSkill[]
  /** The skill it is a copy of. */
  original?: NamedSkill | undefined
  /** Its files are as they were; only the page and its twin are wanted. */
  isPageOnly: boolean
}

/** What a skill's outputs are printed with; the same for all. */
export interface Press {
  folder: string
  isEmpty: boolean
  template: Template
  origin: string
  siteName: string
}

/** A skill that was printed; its zip is described where it was packed. */
export interface Printed {
  slug: string
  sha256?: string
  size?: number
  written: string[]
}

/** Reads skills and prints what they are alone in: one is at work in each thread. */
export interface Printer {
  read: (slugs: readonly string[]) => SkillReading[]
  prepare: (press: Press) => void
  print: (tasks: readonly PrintTask[]) => Printed[]
  link: (from: string, to: string, names: readonly string[]) => void
}

const createReader =
  (known: Map<string, Buffer>): ReadFile =>
  (folder, path) => {
    const bytes = known.get(path) ?? readSkillFile({ folder }, path)
    known.set(path, bytes)
    return bytes
  }

const readSkill = (content: string, slug: string, keep: (skill: Skill) => void): SkillReading => {
  const known = new Map<string, Buffer>()
  const read = createReader(known)
  const { skill, fingerprints, problems } = loadSkill(content, slug, {}, read)
  const signature = printMarks(fingerprints, Date.now())
  if (!skill) return { slug, signature, digest: '', isUntraced: false, paths: [], problems }
  // The file of a gone skill is none of its own, but was read where it is what names it.
  const named = new Set([RECORD_FILE, ...skill.files.map(({ path }) => path), ...known.keys()])
  const untraced = isUntraced(skill)
  if (!untraced) keep(skill)
  return {
    slug,
    signature,
    digest: digestFiles([...named].map((path) => [path, read(skill.folder, path)])),
    facts: pickFacts(skill),
    isUntraced: untraced,
    paths: listPaths(skill),
    problems,
  }
}

const printSkill = (skill: Skill, task: PrintTask, press: Press, tree: Tree): Printed => {
  const { slug, nearest, original, isPageOnly } = task
  const files = readFiles(skill)
  const plan = planSkill(skill, nearest, press.origin, files[0]?.bytes, original)
  const document = plan.write()
  for (const warning of document.warnings ?? []) console.warn(`${slug}: ${warning}`)
  const view = viewDocument(document, press.origin, press.siteName)
  const home = `public${plan.path}`
  tree.place(pageName(plan.path), fillTemplate(press.template, view), home)
  tree.place(twinName(plan.path), renderTwin(document), home)
  if (isPageOnly) return { slug, written: tree.takeWritten() }
  const outputs = skillOutputs(skill, () => files)
  for (const { name, make } of outputs.files) tree.place(name, make())
  const zip = Buffer.from(outputs.zip.make())
  tree.place(outputs.zip.name, zip, home)
  const { sha256, size } = describeDownload(skill, zip)
  return { slug, sha256, size, written: tree.takeWritten() }
}

/** Makes a printer of a content folder's skills. It keeps the records it read until they are printed. */
export const createPrinter = (content: string): Printer => {
  const kept = new Map<string, Skill>()
  let press: Press | undefined
  let tree: Tree | undefined
  const takeSkill = (slug: string): Skill => {
    const skill = kept.get(slug) ?? loadSkill(content, slug, {}).skill
    kept.delete(slug)
    if (!skill) throw new Error(`skills/${slug} changed while it was built; build again`)
    return skill
  }
  return {
    read: (slugs) =>
      slugs.map((slug) => readSkill(content, slug, (skill) => void kept.set(slug, skill))),
    prepare: (next) => {
      press = next
      tree = openTree(next.folder, next.isEmpty)
    },
    print: (tasks) => {
      const [ready, into] = [press, tree]
      if (!ready || !into) throw new Error('a printer is prepared before it prints')
      return tasks.map((task) => {
        const skill = { ...takeSkill(task.slug), views: task.views, installs: task.installs }
        return printSkill(skill, task, ready, into)
      })
    },
    link: linkFiles,
  }
}
