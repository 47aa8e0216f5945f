import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SOURCE = fileURLToPath(new URL('own-package.ts', import.meta.url))

test.each([
  ['killed while npm packs -> leaves no file', 'kill -9 "$OWN"', []],
  [
    'not interrupted -> writes the file',
    'echo x > "$npm_config_pack_destination/own-1.0.0.tgz"',
    ['own-1.0.0.tgz'],
  ],
])('packing, %s', (_, npm, files) => {
  const root = mkdtempSync(join(tmpdir(), 'own-'))
  const [bin, code, registry] = ['bin', 'build/cli', 'registry'].map((one) => join(root, one)) as [
    string,
    string,
    string,
  ]
  for (const folder of [bin, code, registry]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(root, 'package.json'), '{"name":"own","version":"1.0.0","type":"module"}')
  cpSync(SOURCE, join(code, 'own-package.ts'))
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${npm}\n`)
  chmodSync(join(bin, 'npm'), 0o755)
  const call = `process.env.OWN = process.pid; import('${code}/own-package.ts').then((one) => one.packOwnPackage('${registry}'))`
  spawnSync(process.execPath, ['-e', call], {
    env: { ...process.env, TMPDIR: root, PATH: `${bin}:${process.env['PATH']}` },
  })
  expect(readdirSync(registry)).toEqual(files.length > 0 ? ['vendor'] : [])
  if (files.length > 0) expect(readdirSync(join(registry, 'vendor'))).toEqual(files)
  rmSync(root, { recursive: true })
})
