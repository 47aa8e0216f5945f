import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { findWorkTree } from '../../machine/checkout.ts'
import { CONTENT_OPTION, readContentOption } from '../cli/command.ts'
import type { Command } from '../cli/command.ts'
import { readRecords } from '../store/records.ts'

/** Owners that GitHub and GitLab accept: an account, a team of an organization, or a mail address. */
const OWNER = /^(?:@[\w.-]+(?:\/[\w./-]+)?|[^\s@#]+@[^\s@#]+\.[^\s@#]+)$/

export const codeownersCommand: Command = {
  name: 'codeowners',
  summary:
    'Prints a CODEOWNERS file, so that GitHub or GitLab asks the owners of skills for reviews',
  options: { ...CONTENT_OPTION },
  help: [
    'Includes each owner in skill.json that is an account, a team such as @acme/payments, or a mail address; other owners are reported. Put the lines into .github/CODEOWNERS or .gitlab/CODEOWNERS.',
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
    for (const { slug, name } of owned.filter((skill) => !OWNER.test(skill.name)))
      stderr.write(`${slug}: ${name} is neither @account, @org/team nor a mail address\n`)
  },
}
