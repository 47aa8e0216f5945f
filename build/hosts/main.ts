import { execFileSync } from 'node:child_process'
import {
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.ts'
import { renderCaddyfile, renderNginx } from './fronts.ts'
import { PROJECT_ROOT, SettingsError, readSettings } from '../site/settings.ts'
import { CODED_ENDINGS, isCodedForm } from '../../src/api/policies.ts'

/** The site exceeds a limit of the platform; the message has the numbers. */
class HostError extends Error {
  override name = 'HostError'
}

/** The operator's options, and the input and destination of a recipe. */
interface HostTask {
  /** Whether the account is on the free plan, which may have lower limits. */
  isFree: boolean
  /** The bucket that holds the site, unless its files are deployed with the function. */
  bucket: string | undefined
  /** Folder of the finished build, with `public` and `private`. */
  site: string
  folder: string
}

const write = (folder: string, name: string, content: string): void => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

const writeJson = (folder: string, name: string, value: unknown): void =>
  write(folder, name, `${JSON.stringify(value, null, 2)}\n`)

/** Platforms compress by themselves, so they need no precompressed files; only our own server sends those. */
const isForPlatform = (name: string): boolean => !isCodedForm(name)

// Copy on write, if the file system supports it.
const copy = (from: string, to: string, isWanted = isForPlatform): void =>
  cpSync(from, to, {
    recursive: true,
    mode: constants.COPYFILE_FICLONE,
    verbatimSymlinks: true,
    filter: (path) => isWanted(relative(from, path)),
  })

const writeCode = async (
  host: string,
  folder: string,
  name: string,
  isSplit = true,
): Promise<void> => {
  const chunks = await bundle(join(PROJECT_ROOT, 'functions/hosts', host), { name, isSplit })
  for (const { fileName, code } of chunks) write(folder, fileName, code)
}

const MIB = 2 ** 20

/** Limits of Workers assets (developers.cloudflare.com/workers/platform/limits). */
const CLOUDFLARE = { files: 100_000, freeFiles: 20_000, bytes: 25 * MIB }

/** Throws HostError if Cloudflare would refuse to upload a site. */
export const checkCloudflare = (
  files: readonly { name: string; size: number }[],
  isFree: boolean,
): void => {
  const most = isFree ? CLOUDFLARE.freeFiles : CLOUDFLARE.files
  if (files.length > most) {
    throw new HostError(
      `the site has ${files.length} files; Cloudflare takes ${most} ${isFree ? 'from a free account, and 100000 from others' : 'at most'}`,
    )
  }
  const large = files.find(({ size }) => size > CLOUDFLARE.bytes)
  if (large) {
    throw new HostError(
      `${large.name} has ${(large.size / MIB).toFixed(1)} MiB; Cloudflare takes files of ${CLOUDFLARE.bytes / MIB} MiB at most`,
    )
  }
}

const listSizes = (folder: string): { name: string; size: number }[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && isForPlatform(relative(folder, join(entry.parentPath, entry.name))),
    )
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return { name: path.slice(folder.length + 1), size: statSync(path).size }
    })

/** Copies a site as it is uploaded to a bucket: below a prefix for each build, so that no object ever changes. */
const copyToBucket = (site: string, folder: string): string => {
  const build = basename(site)
  copy(site, join(folder, 'bucket', build))
  return build
}

const writeCloudflare = async ({ site, folder, isFree, bucket }: HostTask): Promise<void> => {
  if (bucket === undefined) checkCloudflare(listSizes(site), isFree)
  await writeCode('cloudflare.ts', folder, 'worker.mjs', false)
  const worker = {
    name: 'skill-registry',
    main: 'worker.mjs',
    compatibility_date: '2026-01-01',
    compatibility_flags: ['nodejs_compat'],
    no_bundle: true,
  }
  if (bucket !== undefined) {
    const vars = { BUILD: copyToBucket(site, folder) }
    const buckets = [{ binding: 'BUCKET', bucket_name: bucket }]
    writeJson(folder, 'wrangler.jsonc', { ...worker, vars, r2_buckets: buckets })
    return
  }
  copy(site, join(folder, 'assets'))
  writeJson(folder, 'wrangler.jsonc', {
    ...worker,
    assets: {
      directory: 'assets',
      binding: 'ASSETS',
      run_worker_first: true,
      html_handling: 'none',
      not_found_handling: 'none',
    },
  })
}

const writeLambda = async ({ site, folder, bucket }: HostTask): Promise<void> => {
  const code = bucket === undefined ? folder : join(folder, 'code')
  await writeCode('lambda.ts', code, 'index.mjs')
  if (bucket === undefined) return copy(site, join(folder, 'site'))
  const Variables = { SITE_BUCKET: bucket, SITE_BUILD: copyToBucket(site, folder) }
  writeJson(folder, 'environment.json', { Variables })
}

const writeVercel = async ({ site, folder }: HostTask): Promise<void> => {
  const output = join(folder, '.vercel/output')
  const code = join(output, 'functions/index.func')
  await writeCode('vercel.ts', code, 'index.mjs')
  copy(site, join(code, 'site'))
  writeJson(code, '.vc-config.json', {
    runtime: 'nodejs24.x',
    handler: 'index.mjs',
    launcherType: 'Nodejs',
    shouldAddHelpers: false,
  })
  writeJson(output, 'config.json', { version: 3, routes: [{ src: '/.*', dest: '/index' }] })
}

const writeNetlify = async ({ site, folder }: HostTask): Promise<void> => {
  const code = join(folder, 'functions/registry')
  await writeCode('netlify.ts', code, 'registry.mjs')
  copy(site, join(code, 'site'))
  write(folder, 'empty/.keep', '')
  write(
    folder,
    'netlify.toml',
    `[build]
publish = "empty"
functions = "functions"

[functions.registry]
included_files = ["functions/registry/site/**"]
`,
  )
}

/**
 * Those of `npm run serve`. By itself V8 lets a heap of 30 MiB grow to four times that before it collects. A bound of
 * the heap would do the same, but 10,000 connections may need more than any that does. Optimizing beside the main thread
 * would take 8 MB more and as much CPU time.
 */
const FLAGS = [
  '--max-semi-space-size=1',
  '--heap-growing-percent=20',
  '--no-concurrent-recompilation',
]
const SERVER = 'server/main.mjs'

/** The allocator of the system keeps what each thread has used, for that thread; one for all takes some 20 MiB less. */
const ARENAS = 'MALLOC_ARENA_MAX=1'

/** Writes Node, the bundled server and the site below one folder. */
const writeServer = async (site: string, root: string): Promise<void> => {
  await writeCode('node/main.ts', join(root, 'server'), 'main.mjs')
  copy(site, join(root, 'site/current'), () => true)
  mkdirSync(join(root, 'bin'), { recursive: true })
  copyFileSync(process.execPath, join(root, 'bin/node'))
}

/** Paths of the libraries that Node loads, as the dynamic linker names them. */
const listLibraries = (): string[] =>
  [...execFileSync('ldd', [process.execPath], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)].map(
    ([, path = '']) => path,
  )

const writeContainer = async ({ site, folder }: HostTask): Promise<void> => {
  const root = join(folder, 'root')
  await writeServer(site, root)
  for (const library of listLibraries()) {
    mkdirSync(join(root, dirname(library)), { recursive: true })
    copyFileSync(library, join(root, library))
  }
  const isUp =
    "fetch('http://127.0.0.1:'+process.env.PORT+'/robots.txt').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"
  write(
    folder,
    'Dockerfile',
    `FROM scratch
COPY --chown=0:0 root/ /
ENV HOST=0.0.0.0 PORT=8080 OUT_DIR=/site ${ARENAS}
EXPOSE 8080
USER 1000:1000
HEALTHCHECK CMD ${JSON.stringify(['/bin/node', '-e', isUp])}
CMD ${JSON.stringify(['/bin/node', ...FLAGS, `/${SERVER}`])}
`,
  )
}

const writeSystemd = async ({ site, folder }: HostTask): Promise<void> => {
  await writeServer(site, join(folder, 'skill-registry'))
  const home = '/opt/skill-registry'
  write(
    folder,
    'skill-registry.service',
    `# Copy the folder skill-registry to /opt, owned by root, and this file to /etc/systemd/system.
[Unit]
Description=Skill registry
After=network.target

[Service]
ExecStart=${home}/bin/node ${FLAGS.join(' ')} ${home}/${SERVER}
Environment=HOST=127.0.0.1 PORT=4321 OUT_DIR=${home}/site ${ARENAS}
Restart=on-failure
TimeoutStopSec=35
DynamicUser=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
NoNewPrivileges=yes
CapabilityBoundingSet=
SystemCallArchitectures=native

[Install]
WantedBy=multi-user.target
`,
  )
}

/** Uses the link to the current build, so that a running front follows to the next one. */
const describeFront = (site: string) => {
  const { isPrivate = false } = JSON.parse(
    readFileSync(join(site, 'private/site.json'), 'utf8'),
  ) as { isPrivate?: boolean }
  const root = join(site, 'public')
  return { root, isPrivate, isCompressed: existsSync(join(root, `index.html${CODED_ENDINGS[1]}`)) }
}

/** Hosts that can read the site from a bucket. */
const BUCKETS: ReadonlySet<string> = new Set(['cloudflare', 'lambda'])

/** The function that writes the files of each host. */
const RECIPES: Readonly<Record<string, (task: HostTask) => Promise<void> | void>> = {
  caddy: ({ site, folder }) => write(folder, 'Caddyfile', renderCaddyfile(describeFront(site))),
  cloudflare: writeCloudflare,
  container: writeContainer,
  lambda: writeLambda,
  netlify: writeNetlify,
  nginx: ({ site, folder }) => write(folder, 'nginx.conf', renderNginx(describeFront(site))),
  systemd: writeSystemd,
  vercel: writeVercel,
}

const USAGE = `Usage: npm run host -- <name> [--free] [--bucket <name>]

  <name>  ${Object.keys(RECIPES).join(', ')}
  --free  cloudflare: the limits of an account that pays for nothing
  --bucket <name>
          cloudflare, lambda: the site is in this bucket of R2 or S3, not beside the function

Writes OUT_DIR/hosts/<name>/ from the finished build; docs/hosts.md says how to deploy it.`

/** Hosts that follow the link to the current build; all others get the files of one build. */
const FRONTS = new Set(['nginx', 'caddy'])

const writeHost = async (
  name: string,
  options: Pick<HostTask, 'isFree' | 'bucket'>,
): Promise<string> => {
  const recipe = RECIPES[name]
  if (!recipe) throw new HostError(USAGE)
  if (options.bucket !== undefined && !BUCKETS.has(name))
    throw new HostError(`${name} takes no bucket; ${[...BUCKETS].join(' and ')} do`)
  const { outputFolder } = readSettings(process.env)
  const current = join(outputFolder, 'current')
  if (!existsSync(current))
    throw new HostError(`there is no finished build in ${outputFolder}: run "npm run build"`)
  const folder = join(outputFolder, 'hosts', name)
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  try {
    const site = FRONTS.has(name) ? current : realpathSync(current)
    await recipe({ site, folder: unfinished, ...options })
    rmSync(folder, { recursive: true, force: true })
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return folder
}

const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { free: { type: 'boolean', default: false }, bucket: { type: 'string' } },
  })
  const [name = ''] = positionals
  const folder = await writeHost(name, { isFree: values.free, bucket: values.bucket })
  console.log(`Wrote ${relative('', folder)}`)
}

// Its tests import this file.
if (import.meta.main) {
  try {
    await main()
  } catch (error) {
    const isKnown = error instanceof HostError || error instanceof SettingsError
    const isUsage = (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS')
    if (!isKnown && !isUsage) throw error
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
