import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { contactAddress, proposalAddress } from './contact.ts'

const REPORT = {
  template: 'report',
  title: 'Report: refund',
  body: 'https://r.example/skills/refund\n\n& <more>?',
  slug: 'refund',
  version: '0123456789ab',
} as const

const fieldsOf = (contact: string): [string, Record<string, string>] => {
  const { origin, pathname, searchParams } = new URL(contactAddress(contact, REPORT))
  return [origin + pathname, Object.fromEntries(searchParams)]
}

describe('the contact address', () => {
  test.each([
    'https://github.com/acme/skills',
    'https://github.com/acme/skills/',
    'https://github.com/acme/skills.git',
    'https://github.com/acme/skills/issues',
    'https://github.com/acme/skills/issues/new',
    'https://github.com/acme/skills/issues/new/choose',
    'https://github.com/acme/skills?tab=readme-ov-file#readme',
  ])('%s -> the issue form of GitHub, filled in by field id', (contact) => {
    const { title, body, slug, version } = REPORT
    expect(fieldsOf(contact)).toEqual([
      'https://github.com/acme/skills/issues/new',
      { template: 'report.yml', title, body, slug, version },
    ])
  })

  test.each([
    ['https://gitlab.com/acme/skills', 'acme/skills'],
    ['https://gitlab.acme.example/a/b/skills.git', 'a/b/skills'],
    ['https://gitlab.com/acme/skills/-/issues/new', 'acme/skills'],
    ['https://gitlab.com/acme/skills?ref_type=heads#readme', 'acme/skills'],
  ])('%s -> the issue form of GitLab', (contact, repository) => {
    const [address, fields] = fieldsOf(contact)
    expect(address).toBe(`${new URL(contact).origin}/${repository}/-/issues/new`)
    expect(fields).toEqual({ 'issue[title]': REPORT.title, 'issue[description]': REPORT.body })
  })

  test.each([
    'https://acme.example/form?team=1',
    'https://github.com/acme',
    'https://github.com/acme/skills/discussions',
    'https://github.com.evil.example/a/b',
  ])('%s -> the address itself, with title and body', (contact) => {
    const [address, fields] = fieldsOf(contact)
    expect(address).toBe(contact.split('?')[0])
    expect(fields).toMatchObject({ title: REPORT.title, body: REPORT.body })
    expect(fields).not.toHaveProperty('template')
  })
})

/** Reads the field ids of an issue template that `init` writes. */
const readIds = (template: string): string[] => {
  const place = `../../build/cli/template/.github/ISSUE_TEMPLATE/${template}.yml`
  const { body } = parse(readFileSync(new URL(place, import.meta.url), 'utf8'))
  return body.map(({ id }: { id: string }) => id)
}

test('the issue templates of init have the fields that addresses fill in', () => {
  expect(readIds('report')).toEqual(['slug', 'version', 'what'])
  expect(readIds('propose')).toEqual(['source', 'why', 'owner'])
})

test('a skill can be proposed only if the contact is a repository', () => {
  expect(proposalAddress('https://github.com/acme/skills')).toContain('template=propose.yml')
  expect(proposalAddress('https://gitlab.com/acme/skills')).toContain('issue%5Btitle%5D=Propose')
  expect(proposalAddress('https://acme.example/form')).toBeUndefined()
  expect(proposalAddress(undefined)).toBeUndefined()
})
