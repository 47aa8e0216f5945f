import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  addFiles,
  importNew,
  makeSampleFolder,
  recordIn,
  runImport,
  sampleSkillMd,
} from '../../../../testing/sample-folders.ts'
import { serveGit } from '../testing/git-server.ts'
import { MIT_TEXT, makeRepository } from '../testing/sample-repository.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const FILES = { LICENSE: MIT_TEXT, 'skills/a/SKILL.md': sampleSkillMd('a') }

const PRIVATE = { isOwn: false, isPrivate: true }

test('a private registry, over ssh -> listed with the address of its web page', async () => {
  const { folder } = makeRepository(FILES)
  // Runs the command that ssh would run on the remote host.
  const ssh = makeSampleFolder({ ssh: `#!/bin/sh\nexec git upload-pack ${folder}\n` })
  chmodSync(join(ssh, 'ssh'), 0o755)
  vi.stubEnv('GIT_SSH_COMMAND', join(ssh, 'ssh'))
  const { content, failed } = await importNew('git@git.example:ada/tools', PRIVATE)
  expect(failed).toEqual([])
  const page = /^https:\/\/git\.example\/ada\/tools\/tree\/\w{40}\/skills\/a$/
  const source = { url: expect.stringMatching(page), status: 'alive' }
  expect(recordIn(content, 'a')).toMatchObject({ author: 'ada', source })
})

describe('over http', () => {
  let root = ''
  let server: Awaited<ReturnType<typeof serveGit>>
  const addressOf = (owner: string, login = 'me:secret@'): string =>
    `http://${login}${server.host}/${owner}/tools`
  beforeAll(async () => {
    // `/old` redirects to `/ada`, and `/ada` requires a login.
    server = await serveGit(
      () => root,
      ({ url = '', headers }) => {
        if (url.startsWith('/old/')) return [301, { Location: url.replace('/old/', '/ada/') }]
        const isKnown = headers.authorization === `Basic ${btoa('me:secret')}`
        return isKnown ? undefined : [401, { 'WWW-Authenticate': 'Basic' }]
      },
    )
  })
  afterAll(() => void server.close())

  test('a login in an address -> used, but not recorded; a redirect to a known address -> refused', async () => {
    root = dirname(dirname(makeRepository(FILES).folder))
    addFiles(root, { 'ada/tools/.git/description': '' })
    const { content, imported } = await importNew(addressOf('ada'), PRIVATE)
    expect(imported).toHaveLength(1)
    expect(recordIn(content, 'a').source.url).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/ada\/tools\/tree/,
    )
    // The repository moved to an address that is in the catalog already.
    const { failed, written } = await runImport(addressOf('old'), content, PRIVATE)
    expect(written).toEqual([])
    expect(failed[0]).toMatch(
      /has moved to "http:.*\/ada\/tools", from which the catalog already has/,
    )
  })

  test('a rejected login -> git’s own reason, and no prompt', async () => {
    const { failed } = await importNew(addressOf('ada', ''), PRIVATE)
    expect(failed[0]).toMatch(/git says .*could not read Username/)
  })
})
