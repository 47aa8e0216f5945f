import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

// Builds the site of a commit and the site of this checkout, each with its own code and content, and shows with
// `git diff` which published files differ, as a help for reviewers.

const USAGE = `Usage: npm run compare -- <commit> [options of git diff]

  <commit>   the commit to compare this checkout with, such as main or HEAD~1
  options    such as --word-diff; without any, the changed files are listed (--stat)`

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** Unpacks a commit. Uses the packages of this checkout if both lockfiles are equal; otherwise installs them. */
const checkOut = (commit: string, folder: string): void => {
  mkdirSync(folder)
  const archive = `${folder}.tar`
  execFileSync('git', ['archive', '--format=tar', '-o', archive, commit], { cwd: ROOT })
  execFileSync('tar', ['-xf', archive, '-C', folder])
  const lockfiles = [ROOT, folder].map((place) => readFileSync(join(place, 'package-lock.json')))
  if (lockfiles[0]!.equals(lockfiles[1]!)) {
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  } else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
}

/** The digest in names such as `_astro/Page.B2x0w1aa.css`. A changed one would change every page. */
const DIGEST = /(_astro\/[\w.@-]+?)\.[\w-]{8}\.(\w+)/g

const dropDigests = (text: string): string => text.replaceAll(DIGEST, '$1.$2')

/** Builds the site of a checkout, and copies its published files without digests. */
const publish = (checkout: string, copy: string): void => {
  const { CONTENT_DIR: _, SITE_URL: __, ...environment } = process.env
  const output = `${copy}-site`
  execFileSync('npm', ['run', '--silent', 'build', '--', '--clean'], {
    cwd: checkout,
    env: { ...environment, OUT_DIR: output },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const folder = join(output, 'public')
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const path = join(copy, dropDigests(relative(folder, file)))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, dropDigests(readFileSync(file, 'latin1')), 'latin1')
  }
}

const [name = '', ...options] = process.argv.slice(2)
if (name === '' || name.startsWith('-')) {
  console.error(USAGE)
  process.exit(2)
}
const place = mkdtempSync(join(tmpdir(), 'compare-'))
try {
  checkOut(name, join(place, 'checkout'))
  publish(join(place, 'checkout'), join(place, 'before'))
  publish(ROOT, join(place, 'after'))
  const shown = options.length > 0 ? options : ['--stat=120']
  const diff = ['--no-pager', 'diff', '--no-index', ...shown, 'before', 'after']
  const { status } = spawnSync('git', diff, { cwd: place, stdio: 'inherit' })
  if (status === 0) console.log('No published file differs.')
} catch (error) {
  // The build or git has said why.
  console.error((error as Error).message.split('\n')[0])
  process.exitCode = 1
} finally {
  rmSync(place, { recursive: true, force: true })
}
