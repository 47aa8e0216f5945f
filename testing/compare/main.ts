import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compareSites, dropDigests, renderComparison } from './compare.ts'
import type { PublishedFiles } from './compare.ts'

// Builds the site of a commit and the site of this checkout, each with its own code and content, and lists the
// published files that differ, as a help for reviewers.

const USAGE = `Usage: npm run compare -- <commit>

  <commit>   the commit to compare this checkout with, such as main or HEAD~1`

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Unpacks a commit. Uses the packages of this checkout if both lockfiles are equal; otherwise installs them. */
const checkOut = (commit: string, folder: string): void => {
  const archive = `${folder}.tar`
  execFileSync('git', ['archive', '--format=tar', '-o', archive, commit], { cwd: ROOT })
  execFileSync('tar', ['-xf', archive, '-C', folder])
  const lockfiles = [ROOT, folder].map((place) => readFileSync(join(place, 'package-lock.json')))
  if (lockfiles[0]!.equals(lockfiles[1]!)) {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  } else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
}

class BuildFailed extends Error {}

/** Builds the site of a checkout and reads its published files. Throws BuildFailed. */
const publish = (checkout: string, output: string): PublishedFiles => {
  const { CONTENT_DIR: _, SITE_URL: __, ...environment } = process.env
  const built = spawnSync('npm', ['run', '--silent', 'build', '--', '--clean'], {
    cwd: checkout,
    env: { ...environment, OUT_DIR: output },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (built.status !== 0) throw new BuildFailed(`The build of ${checkout} failed; see above`)
  const folder = join(output, 'public')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [dropDigests(relative(folder, path)), readFileSync(path)]
    }),
  )
}

const compare = (commit: string): string => {
  const place = mkdtempSync(join(tmpdir(), 'compare-'))
  try {
    const checkout = join(place, 'checkout')
    mkdirSync(checkout)
    checkOut(commit, checkout)
    const before = publish(checkout, join(place, 'before'))
    return renderComparison(compareSites(before, publish(ROOT, join(place, 'after'))))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

const [name = ''] = process.argv.slice(2)
const found = spawnSync(
  'git',
  ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`],
  {
    cwd: ROOT,
    encoding: 'utf8',
  },
)
if (name === '' || name.startsWith('-')) {
  console.error(USAGE)
  process.exitCode = 2
} else if (found.status !== 0) {
  console.error(
    `"${name}" is not a commit of this repository; name a commit, such as main or HEAD~1`,
  )
  process.exitCode = 2
} else {
  try {
    process.stdout.write(compare(found.stdout.trim()))
  } catch (error) {
    if (!(error instanceof BuildFailed)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
