import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { findWorkTree } from '../../machine/checkout.ts'
import { CONTENT_OPTION, readContentOption } from '../cli/command.ts'
import type { Command } from '../cli/command.ts'
import { readRecords } from '../store/records.ts'

/** What GitHub and GitLab take for an owner: an account, a team of an organization, or a mail address. */
const OWNER = /^(?:@[\w.-]+(?:\/[\w./-]+)?|[^\s@#]+@[^\s@#]+\.[^\s@#]+)$/

export const codeownersCommand: Command = {
  name: 'codeowners',
  summary:
    'Prints a file CODEOWNERS, by which GitHub and GitLab ask the owners of skills to review',
  options: { ...CONTENT_OPTION },
  help: [
    'An owner in skill.json is in it if it is an account or a team, as @acme/payments, or a mail address; the others are named. Put the lines into .github/CODEOWNERS or .gitlab/CODEOWNERS.',
  ],
  run: async (args, { print, stderr }) => {
    const content = realpathSync(readContentOption(args))
    const place = relative(findWorkTree(content) ?? content, content)
      .split(sep)
      .join('/')
    const owned = readRecords(content).records.flatMap(({ slug, record: { owner } }) => {
      const name = typeof owner === 'string' ? owner : owner?.name
      return name === undefined ? [] : { slug, name }
    })
    const lines = owned
      .filter(({ name }) => OWNER.test(name))
      .map(({ slug, name }) => `/${place === '' ? '' : `${place}/`}skills/${slug}/ ${name}`)
    if (lines.length > 0) print(lines.join('\n'))
    for (const { slug, name } of owned.filter((one) => !OWNER.test(one.name)))
      stderr.write(`${slug}: ${name} is neither @account, @org/team nor a mail address\n`)
  },
}
