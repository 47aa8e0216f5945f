import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SMALL_CONTENT, writeFiles } from '../../src/catalog/testing/content.ts'
import { chooseFreePort } from '../../testing/free-port.ts'
import { PROJECT_ROOT } from './settings.ts'

let root = ''
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'skill-registry-dev-'))
  writeFiles(join(root, 'content'), SMALL_CONTENT)
})
afterAll(() => rmSync(root, { recursive: true }))

test.each([
  [
    'EMFILE',
    /raise fs\.inotify\.max_user_instances \(sysctl\) or the number of open files \(ulimit -n\)/,
  ],
  ['ENOSPC', /raise fs\.inotify\.max_user_watches \(sysctl\)/],
])('the system gives no watcher, %s -> names the limit to raise', async (code, message) => {
  const refuse = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    fs.watch = () => { throw Object.assign(new Error('watch'), { code: '${code}' }) }; syncBuiltinESMExports()`
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(PROJECT_ROOT, 'build/site/dev.ts')],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        CONTENT_DIR: join(root, 'content'),
        OUT_DIR: join(root, 'unwatched'),
        PORT: String(await chooseFreePort()),
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(refuse)}`,
      },
    },
  )
  expect(stderr).toMatch(message)
  expect(status).toBe(1)
})
