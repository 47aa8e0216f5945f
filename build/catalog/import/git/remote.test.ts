import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  addFiles,
  makeContent,
  makeSampleFolder,
  recordIn,
  runImport,
  sampleSkillMd,
} from '../../../../testing/sample-folders.ts'
import { runCommand } from '../../testing/run-command.ts'
import { serveGit } from '../testing/git-server.ts'
import { MIT_TEXT, makeRepository } from '../testing/sample-repository.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

const FILES = { LICENSE: MIT_TEXT, 'skills/a/SKILL.md': sampleSkillMd('a') }

const PRIVATE = { isOwn: false, isPrivate: true }

describe('a private registry', () => {
  test.each(['ssh://git@git.example/ada/tools', 'git@git.example:ada/tools.git'])(
    '%s -> fetched over ssh, listed with the address of its web page',
    async (address) => {
      const { folder } = makeRepository(FILES)
      // Runs the command that ssh would run on the remote host.
      const script = `#!/bin/sh\nexec git upload-pack ${folder}\n`
      const ssh = makeSampleFolder({ ssh: script })
      chmodSync(join(ssh, 'ssh'), 0o755)
      vi.stubEnv('GIT_SSH_COMMAND', join(ssh, 'ssh'))
      const content = makeContent()
      expect((await runImport(address, content, PRIVATE)).failed).toEqual([])
      expect(recordIn(content, 'a')).toMatchObject({
        author: 'ada',
        source: {
          url: expect.stringMatching(
            /^https:\/\/git\.example\/ada\/tools\/tree\/\w{40}\/skills\/a$/,
          ),
          status: 'alive',
        },
      })
    },
  )

  test('is marked as private in its site.json', async () => {
    const site = { name: 'N', tagline: 'T', description: 'D' }
    const stderrFor = async (isPrivate: boolean) => {
      const content = makeSampleFolder({
        'site.json': JSON.stringify({ ...site, private: isPrivate }),
      })
      vi.stubEnv('GIT_SSH_COMMAND', 'false')
      return (await runCommand('import', 'git@git.example:o/r', '--into', content)).stderr
    }
    expect(await stderrFor(false)).toMatch(/needs ssh and your keys/)
    expect(await stderrFor(true)).toMatch(/git says .*Could not read from remote repository/)
  })
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

  test('a login in an address, for a private registry -> used, but not recorded', async () => {
    root = dirname(dirname(makeRepository(FILES).folder))
    addFiles(root, { 'ada/tools/.git/description': '' })
    const content = makeContent()
    expect((await runImport(addressOf('ada'), content, PRIVATE)).imported).toHaveLength(1)
    expect(recordIn(content, 'a').source.url).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/ada\/tools\/tree/,
    )
  })

  test('a repository that moved to an address already in the catalog -> refused with that address', async () => {
    root = dirname(dirname(makeRepository(FILES).folder))
    const content = makeContent()
    await runImport(addressOf('ada'), content, PRIVATE)
    const { failed, written } = await runImport(addressOf('old'), content, PRIVATE)
    expect(written).toEqual([])
    expect(failed[0]).toMatch(
      /has moved to "http:.*\/ada\/tools", from which the catalog already has/,
    )
  })

  test('a rejected login -> git’s own reason, and no prompt', async () => {
    const { failed } = await runImport(addressOf('ada', ''), makeContent(), PRIVATE)
    expect(failed[0]).toMatch(/git says .*could not read Username/)
  })

  test('a public registry -> http is refused', async () => {
    await expect(runImport(addressOf('ada'), makeContent(), { isOwn: false })).rejects.toThrow(
      /is not encrypted/,
    )
  })
})
