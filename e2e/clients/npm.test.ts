import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../site.ts'
import { Home } from './client.ts'

const root = mkdtempSync(join(tmpdir(), 'skill-registry-npm-'))
const content = join(root, 'content')
const home = new Home()
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
  home.remove()
})

const npm = (cwd: string, ...args: string[]): string =>
  execFileSync('npm', [...args, '--silent', '--offline', '--cache', join(root, 'cache')], {
    cwd,
    encoding: 'utf8',
  }).trim()

/** Builds a version of the package, and returns the path of its tarball. */
const pack = (version: string): string => {
  const env = { ...process.env, CONTENT_DIR: content, OUT_DIR: join(root, 'dist') }
  const options = ['--npm', '--npm-version', version]
  execFileSync(process.execPath, ['build/site/main.ts', ...options], {
    cwd: ROOT,
    env,
    stdio: 'pipe',
  })
  return join(root, npm(root, 'pack', join(root, 'dist/npm')))
}

test('skills experimental_sync installs and updates the skills of a package in package.json, and locks its version', async () => {
  cpSync(join(ROOT, 'content'), content, { recursive: true })
  const site = JSON.parse(readFileSync(join(content, 'site.json'), 'utf8'))
  writeFileSync(join(content, 'site.json'), JSON.stringify({ ...site, npm: '@acme/skills' }))
  const project = home.makeProject('work')
  const manifest = { name: 'work', skills: ['npm:@acme/skills'] }
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest))
  const text = join(content, 'skills/csv-clean/SKILL.md')

  for (const version of ['2026.1126.1', '2026.1126.2']) {
    npm(project, 'install', '--save-dev', '--no-audit', '--no-fund', pack(version))
    const args = ['experimental_sync', '--yes', '--agent', 'claude-code']
    const { status, output } = await home.run('skills', args, { cwd: project })
    expect([status, output]).toEqual([0, expect.stringContaining('Sync complete')])
    const lock = JSON.parse(readFileSync(join(project, 'skills-lock.json'), 'utf8'))
    expect(lock.skills['csv-clean']).toMatchObject({ source: '@acme/skills', version })
    const installed = home.read('work/.claude/skills/csv-clean')
    expect(installed['SKILL.md']).toEqual(readFileSync(text))
    expect(Object.keys(installed)).toContain('scripts/profile_csv.py')
    writeFileSync(text, `${readFileSync(text, 'utf8')}\nAsk before you delete a column.\n`)
  }
})
