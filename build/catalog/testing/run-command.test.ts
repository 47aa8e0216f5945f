import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitForLock } from './run-command.ts'

test.each(['exit 1', 'kill -9 $$'])(
  'a child that ends with `%s` before it acquires the lock -> waiting ends',
  async (ending) => {
    const child = spawn('sh', ['-c', ending])
    await once(child, 'close')
    await expect(waitForLock(join(tmpdir(), 'no-such-catalog'), child)).resolves.toBeUndefined()
  },
)
