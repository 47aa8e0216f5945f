import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeSampleFolder } from '../../testing/sample-folders.ts'

const SOURCE = fileURLToPath(new URL('own-package.ts', import.meta.url))

test.each([
  ['killed while npm packs -> leaves no file', 'kill -9 "$OWN"', []],
  [
    'not interrupted -> writes the file',
    'echo x > "$npm_config_pack_destination/own-1.0.0.tgz"',
    ['own-1.0.0.tgz'],
  ],
])('packing, %s', (_, npm, files) => {
  const root = makeSampleFolder({
    'package.json': '{"name":"own","version":"1.0.0","type":"module"}',
    'bin/npm': `#!/bin/sh\n${npm}\n`,
    'registry/package.json': '{}',
  })
  const [bin, code, registry] = [join(root, 'bin'), join(root, 'build/cli'), join(root, 'registry')]
  cpSync(SOURCE, join(code!, 'own-package.ts'))
  chmodSync(join(bin!, 'npm'), 0o755)
  const call = `process.env.OWN = process.pid; import('${code}/own-package.ts').then((one) => one.packOwnPackage('${registry}'))`
  spawnSync(process.execPath, ['-e', call], {
    env: { ...process.env, TMPDIR: root, PATH: `${bin}:${process.env['PATH']}` },
  })
  expect(readdirSync(registry!)).toEqual(['package.json', ...(files.length > 0 ? ['vendor'] : [])])
  if (files.length > 0) expect(readdirSync(join(registry!, 'vendor'))).toEqual(files)
})
