import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SMALL_CONTENT } from '../../src/catalog/testing/content.ts'
import { chooseFreePort } from '../../testing/free-port.ts'
import { makeSampleFolder } from '../../testing/sample-folders.ts'
import { PROJECT_ROOT } from './settings.ts'

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
        CONTENT_DIR: makeSampleFolder(SMALL_CONTENT),
        OUT_DIR: join(makeSampleFolder(), 'unwatched'),
        PORT: String(await chooseFreePort()),
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(refuse)}`,
      },
    },
  )
  expect(stderr).toMatch(message)
  expect(status).toBe(1)
})
