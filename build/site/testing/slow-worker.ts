import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveJobs } from '../serve-jobs.ts'
import { SkillPrinter } from '../skill-files.ts'
import type { PrintSettings, PrintTask } from '../skill-files.ts'

const content = process.argv[3] ?? ''
const printer = new SkillPrinter(content)

const hasWords = (slug: string, words: string): boolean =>
  readFileSync(join(content, 'skills', slug, 'SKILL.md'), 'utf8').includes(words)

const waitIfAsked = (slug: string, words: string): void => {
  if (hasWords(slug, words)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

// Does what the worker of a build does, except that it waits for ever at texts that ask for it, or says that it waited.
serveJobs({
  read: (slug: string) => {
    waitIfAsked(slug, 'Wait when read.')
    return printer.read(slug)
  },
  prepare: (settings: PrintSettings) => printer.prepare(settings),
  print: (task: PrintTask) => {
    const printed = printer.print(task)
    // So late that the files of the skill are there already.
    waitIfAsked(task.skill.slug, 'Wait when printed.')
    return hasWords(task.skill.slug, 'Late when printed.')
      ? { ...printed, unread: 'is late' }
      : printed
  },
})
