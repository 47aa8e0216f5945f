import { execSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// `init` and `upgrade` run with any version of Node that npm supports, so do not use new features of Node here.

/** The folder into which npx unpacked the package. */
export const OWN_FOLDER = fileURLToPath(new URL('../../', import.meta.url))

interface OwnManifest {
  name: string
  version: string
  /** Only in a checkout. */
  private?: boolean
}

/** Node's own `recursive` option loops forever if the system cannot create folders, as below /proc. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}

/**
 * Packs this package into `vendor` of a registry, so that it need not be published; returns the path of the file,
 * relative to the registry. Throws in a checkout, whose code npm cannot install.
 */
export const packOwnPackage = (registry: string): string => {
  const text = readFileSync(join(OWN_FOLDER, 'package.json'), 'utf8')
  const manifest = JSON.parse(text) as OwnManifest
  if (manifest.private)
    throw new Error(
      'This is a checkout, not the package. Run "npm run pack", then use the file that it writes, as README.md shows.',
    )
  const file = `vendor/${manifest.name}-${manifest.version}.tgz`
  makeFolder(registry)
  // Pack into a temporary folder: if this process is killed, no half-written file is left in the registry.
  const packed = mkdtempSync(join(tmpdir(), 'skill-registry-'))
  try {
    // Pass the folder in a variable: a shell would interpret special characters in an argument.
    execSync('npm pack --ignore-scripts --loglevel=error', {
      cwd: OWN_FOLDER,
      env: { ...process.env, npm_config_pack_destination: packed },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    makeFolder(join(registry, 'vendor'))
    copyFileSync(join(packed, basename(file)), join(registry, file))
  } finally {
    rmSync(packed, { recursive: true })
  }
  return file
}
