import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PROJECT_ROOT } from '../build/site/settings.ts'
import { readOptions } from './options.ts'

const { port } = readOptions(
  'Measures the time from an empty folder to the first page, for this registry and for other programs.',
  { port: { type: 'string', default: '4390', about: 'a free port' } },
)

const folder = mkdtempSync(join(tmpdir(), 'own-'))
const PACKAGE = join(folder, 'package')
execFileSync(process.execPath, [join(PROJECT_ROOT, 'build/package/pack.ts'), PACKAGE])
const [tarball] = execFileSync('find', [folder, '-name', '*.tgz'], { encoding: 'utf8' }).split('\n')

const OURS = `npx --yes --package ${tarball} skill-registry init site && cd site`
const PAGES = 'mkdir -p site/src/content/docs && cd site && npm init -y'

/** The commands that lead to a first page. */
const CONTENDERS: Readonly<Record<string, string>> = {
  'skill-registry, with its Node': `${OURS} && npm i && npm start`,
  'skill-registry': `${OURS} && npm pkg delete dependencies.node && npm i && npm start`,
  VitePress: `${PAGES} && npm i vitepress && echo '# Hello' > index.md &&
    npx vitepress build && npx vitepress preview --port ${port}`,
  Starlight: `${PAGES} && npm i astro @astrojs/starlight && npm pkg set type=module &&
    echo "import { defineConfig } from 'astro/config'
      import starlight from '@astrojs/starlight'
      export default defineConfig({ integrations: [starlight({ title: 'Docs' })] })" > astro.config.mjs &&
    echo "import { defineCollection } from 'astro:content'
      import { docsLoader } from '@astrojs/starlight/loaders'
      import { docsSchema } from '@astrojs/starlight/schema'
      export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }" > src/content.config.ts &&
    printf -- '---\\ntitle: Hello\\n---\\nHello\\n' > src/content/docs/index.md &&
    npx astro build && npx astro preview --port ${port}`,
  // One of its dependencies requires node-fetch by a tag that some npm registries lack.
  Verdaccio: `mkdir site && cd site && npm init -y && npm pkg set overrides.node-fetch=2.7.0 &&
    npm i verdaccio &&
    npx verdaccio --listen ${port}`,
}

const isAnswered = (): Promise<boolean> =>
  fetch(`http://localhost:${port}/`).then(
    ({ ok }) => ok,
    () => false,
  )

/** Seconds from the first command to the first page, in an empty folder. */
const measure = async (commands: string, cwd: string, cache: string): Promise<number> => {
  mkdirSync(cwd)
  const env = {
    ...process.env,
    PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    PORT: port,
    npm_config_cache: cache,
    XDG_CONFIG_HOME: cwd,
    XDG_DATA_HOME: cwd,
  }
  const start = performance.now()
  const child = spawn('bash', ['-ec', commands], { cwd, env, detached: true, stdio: 'ignore' })
  while (!(await isAnswered())) {
    if (child.exitCode !== null) throw new Error(`exit code ${child.exitCode}: ${commands}`)
    await pause(50)
  }
  const seconds = (performance.now() - start) / 1_000
  process.kill(-child.pid!, 'SIGKILL')
  while (await isAnswered()) await pause(50)
  return seconds
}

console.log('name | seconds, empty cache | seconds, full cache | packages | MB')
for (const [name, commands] of Object.entries(CONTENDERS)) {
  const place = join(folder, name)
  mkdirSync(place)
  const cache = join(place, 'cache')
  const empty = await measure(commands, join(place, 'first'), cache)
  const full = await measure(commands, join(place, 'second'), cache)
  const modules = join(place, 'second/site/node_modules')
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as {
    packages: object
  }
  const [megabytes] = execFileSync('du', ['-sm', modules], { encoding: 'utf8' }).split('\t')
  const count = Object.keys(packages).length
  console.log([name, empty.toFixed(1), full.toFixed(1), count, megabytes].join(' | '))
  rmSync(place, { recursive: true })
}
rmSync(folder, { recursive: true })
