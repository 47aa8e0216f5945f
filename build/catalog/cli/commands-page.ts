// Writes what pages take from the code, `npm run commands`: content/pages/docs-commands.md, and blocks of other pages.
import { readFileSync, writeFileSync } from 'node:fs'
import { fillGenerated } from '../../../src/documents/generated.ts'
import {
  codeFence,
  codeSpan,
  joinBlocks,
  joinWords,
  link,
  list,
  md,
} from '../../../src/documents/prose/md.ts'
import type { Markdown } from '../../../src/documents/prose/md.ts'
import type { Command } from './command.ts'
import { COMMANDS } from './commands.ts'

const PAGES = new URL('../../../content/pages/', import.meta.url)

export const COMMANDS_PAGE = new URL('docs-commands.md', PAGES)

/** Pages with blocks that are written from the code. */
export const FILLED_PAGES = ['docs-own.md', 'docs-authors.md'].map((name) => new URL(name, PAGES))

const HEAD = `---
title: Commands
description: "Every command of npm run catalog with its options, as printed by --help: add skills, check them, follow their sources, keep them up to date."
date: 2026-11-26
---

`

const BEGINNING = md`\`npm run catalog -- <command>\` adds skills to a catalog and keeps them up to date. Below is the help of each command; [For authors and curators](docs-authors.md) explains how they work together.`

const SHARED = list([
  md`Files are written under a temporary name and then renamed. A command that is stopped or killed leaves a catalog that loads; run it again to complete it.`,
  md`Only \`add\`, \`update\` and an \`import\` of an address use the network, by git alone.`,
  md`The exit code is 0 after success, 1 after a failure, 2 for wrong arguments, and 3 if new or changed skills need a look.`,
  md`Progress goes to standard error: a bar on a terminal, plain lines otherwise.`,
])

const describeOption = ([name, { value, help }]: [string, Command['options'][string]]): Markdown =>
  md`${codeSpan(value === undefined ? `--${name}` : `--${name} ${value}`)}: ${help}.`

const describeCommand = ({ name, summary, help, positionals, options }: Command): Markdown =>
  joinBlocks([
    md`## ${name}`,
    md`${summary}.`,
    codeFence(`npm run catalog -- ${name} ${positionals?.usage ?? ''}`.trimEnd(), 'text'),
    ...help.map((text) => md`${text}`),
    list(Object.entries(options).map(describeOption)),
  ])

const listGroups = (): Markdown =>
  list(
    Object.entries(COMMANDS).map(
      ([heading, commands]) =>
        md`${heading} ${joinWords(commands.map(({ name }) => link(name, `#${name}`)))}`,
    ),
  )

export const renderCommandsPage = (): string => {
  const commands = Object.values(COMMANDS).flat()
  const body = joinBlocks([
    BEGINNING,
    listGroups(),
    md`What all commands share:`,
    SHARED,
    ...commands.map(describeCommand),
  ])
  return `${HEAD}${String(body)}\n`
}

if (import.meta.main) {
  writeFileSync(COMMANDS_PAGE, renderCommandsPage())
  for (const page of FILLED_PAGES) writeFileSync(page, fillGenerated(readFileSync(page, 'utf8')))
}
