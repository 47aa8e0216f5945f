import { execSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Any Node that npm runs with may begin or upgrade a registry, so this uses nothing that is new in Node.

/** The folder of the package, as npx has unpacked it. */
export const OWN_FOLDER = fileURLToPath(new URL('../../', import.meta.url))

interface OwnManifest {
  name: string
  version: string
  /** Only of a checkout. */
  private?: boolean
}

/** Node's own recursive form never ends where the system takes no folders, as below /proc. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder)
}

/**
 * Packs this package into `vendor` of a registry, so that nobody has to publish it; returns the path of the file below
 * the registry. Throws in a checkout, whose code npm could not install.
 */
export const packOwnPackage = (registry: string): string => {
  const text = readFileSync(join(OWN_FOLDER, 'package.json'), 'utf8')
  const manifest = JSON.parse(text) as OwnManifest
  if (manifest.private)
    throw new Error(
      'This is a checkout, not the package. Run "npm run pack", then the command from the file that it writes, as README.md shows.',
    )
  const file = `vendor/${manifest.name}-${manifest.version}.tgz`
  makeFolder(registry)
  // Packed elsewhere, so that a run that is ended meanwhile leaves nothing in the way of the next one.
  const packed = mkdtempSync(join(tmpdir(), 'skill-registry-'))
  try {
    // The folder is a setting, not an argument, since a shell reads the arguments.
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
