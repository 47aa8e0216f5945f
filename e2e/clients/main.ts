/**
 * Installs Claude Code, which is too large for every test run, into a temporary folder, and holds it to the
 * built site: `npm run test:clients`, or `npm run test:clients -- --installed <folder>` with a folder of an earlier run.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Home, startClientSite } from './client.ts'
import type { ClientSite } from './client.ts'

const CLIENT = '@anthropic-ai/claude-code@2.1.330'

const install = (folder: string): void => {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  console.log(`Installing ${CLIENT} into ${folder}`)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', CLIENT], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

const COMMIT = '0123456789abcdef'.repeat(3).slice(0, 40)

/** Gives two skills a source elsewhere: a folder at a commit, and a repository that is one skill. */
const moveSources = async (site: ClientSite): Promise<void> => {
  const urls = {
    'flaky-test-triage': `https://github.com/octo/skills/tree/${COMMIT}/skills/flaky%20tests`,
    'regression-bisect': `https://github.com/octo/bisect/tree/${COMMIT}`,
  }
  for (const [slug, url] of Object.entries(urls)) {
    const path = join(site.content, 'skills', slug, 'skill.json')
    const record = JSON.parse(readFileSync(path, 'utf8')) as object
    const day = '2026-11-21'
    const source = { kind: 'upstream', url, status: 'alive', checked: day, seen: day }
    writeFileSync(path, JSON.stringify({ ...record, source }))
  }
  await site.rebuild()
}

/** A site that says it is at `origin`, and where it answers. */
const checkClaude = async (site: ClientSite, home: Home, bin: string): Promise<void> => {
  const run = async (...args: string[]): Promise<string> => {
    const { status, output } = await home.run(join(bin, 'claude'), args)
    assert.equal(status, 0, `claude ${args.join(' ')}: ${output}`)
    return output
  }
  const address = `${site.origin}/categories/coding/marketplace.json`
  const marketplace = await (await fetch(address)).text()
  const { name, plugins } = JSON.parse(marketplace) as {
    name: string
    plugins: { name: string; source: { source: string } }[]
  }
  assert.deepEqual([...new Set(plugins.map(({ source }) => source.source))].sort(), [
    'archive',
    'git-subdir',
    'github',
  ])
  const folder = home.makeProject('marketplace/.claude-plugin')
  writeFileSync(join(folder, 'marketplace.json'), marketplace)
  console.log(await run('plugin', 'validate', home.path('marketplace')))
  await site.takeRequests()
  await run('plugin', 'marketplace', 'add', address)
  assert.deepEqual(await site.takeRequests(), ['GET /categories/coding/marketplace.json 200'])
  const listed = JSON.parse(await run('plugin', 'list', '--available', '--json')) as {
    available: { pluginId: string; source: unknown }[]
  }
  assert.deepEqual(
    listed.available.map(({ pluginId }) => pluginId).sort(),
    plugins.map((plugin) => `${plugin.name}@${name}`).sort(),
  )
  assert.equal(JSON.stringify(listed).includes('unsupported'), false, JSON.stringify(listed))
}

const { values } = parseArgs({ options: { installed: { type: 'string' } } })
const folder = values.installed ?? mkdtempSync(join(tmpdir(), 'skill-registry-large-clients-'))
try {
  if (values.installed === undefined) install(folder)
  // Archives are listed only over https; none is fetched here.
  const site = await startClientSite({ SITE_URL: 'https://registry.example' })
  try {
    await moveSources(site)
    const home = new Home()
    try {
      await checkClaude(site, home, join(folder, 'node_modules/.bin'))
      console.log('Claude Code: as expected')
    } finally {
      home.remove()
    }
  } finally {
    await site.stop()
  }
} finally {
  if (values.installed === undefined) rmSync(folder, { recursive: true, force: true })
}
