import { execSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { NODE_VERSION } from './new-registry.ts'
import { OWN_FOLDER, packOwnPackage } from './own-package.ts'
import { upgradeContent } from './upgrade-content.ts'

const USAGE = `Usage, in the folder of a registry:
  npx --yes --package <file or address of a newer skill-registry-….tgz> skill-registry upgrade`

/** Reads the dependencies of the registry in the working folder. */
const readDependencies = (): Readonly<Record<string, string>> => {
  const { dependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies?: Record<string, string>
  }
  return dependencies
}

/** Lists the "Before you update" sections of all versions in CHANGELOG.md that are newer than the given version. */
const listSteps = (version: string): string[] => {
  const text = readFileSync(join(OWN_FOLDER, 'CHANGELOG.md'), 'utf8')
  const [newer = ''] = text.split(`\n## ${version} `)
  const sections = newer.matchAll(/\n### Before you update\n([^]*?)(?=\n##|$)/g)
  return [...sections].map(([, section = '']) => section.trim())
}

try {
  parseArgs()
  if (OWN_FOLDER.startsWith(resolve('node_modules') + sep))
    throw new Error(`This package is already installed in the registry.\n${USAGE}`)
  const { 'skill-registry': old, node } = readDependencies()
  if (old === undefined)
    throw new Error(`package.json in this folder does not depend on skill-registry.\n${USAGE}`)
  const [oldFile] = /(?<=^file:)vendor\/skill-registry-[^/]+\.tgz$/.exec(old) ?? []
  const before = oldFile !== undefined && existsSync(oldFile) ? readFileSync(oldFile) : undefined
  const tarball = packOwnPackage(process.cwd())
  if (oldFile === tarball && before?.equals(readFileSync(tarball))) {
    console.log(`Nothing to do: the registry uses this ${tarball} already.`)
    process.exit()
  }
  // Name the file: otherwise npm keeps an installed package with the same version.
  const wanted = [`./${tarball}`, ...(node === undefined ? [] : [`node@${NODE_VERSION}`])]
  execSync(`npm install --save-exact ${wanted.join(' ')}`, { stdio: 'inherit' })
  if (oldFile !== undefined && oldFile !== tarball) rmSync(oldFile, { force: true })
  const [version = ''] = /\d+\.\d+\.\d+.*?(?=\.tgz$|$)/.exec(old) ?? []
  console.log(`\nThe registry now uses ${tarball} instead of ${old}.`)
  for (const change of upgradeContent(process.env['CONTENT_DIR'] || 'content')) console.log(change)
  const steps = listSteps(version)
  if (steps.length > 0) console.log(`\nBefore you update\n\n${steps.join('\n\n')}`)
  console.log('\nNow: run npm run check, commit what changed, and run npm run build')
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  console.error(code === undefined ? message : `${message}\n${USAGE}`)
  process.exitCode = code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1
}
