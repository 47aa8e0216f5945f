import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import JSZip from 'jszip'
import { ROOT } from '../site.ts'

/** The exit status of a program, and everything that it printed, without colours. */
interface Ended {
  status: number | null
  output: string
}

/** Files by their path in a folder or zip. */
type FilesByPath = Record<string, Buffer>

// eslint-disable-next-line no-control-regex -- the sequences that colour text start with a control character
const COLOURS = /\u001B\[[0-?]*[ -/]*[@-~]/g

const readFiles = (folder: string, inside: string): FilesByPath =>
  Object.assign(
    {},
    ...readdirSync(join(folder, inside))
      .sort()
      .map((name) => {
        const path = inside === '' ? name : `${inside}/${name}`
        const full = join(folder, path)
        return statSync(full).isDirectory()
          ? readFiles(folder, path)
          : { [path]: readFileSync(full) }
      }),
  ) as FilesByPath

/** A home folder, empty at first, in which published clients run. */
export class Home {
  readonly folder = mkdtempSync(join(tmpdir(), 'skill-registry-home-'))

  /** Returns the path of a file or folder in the home folder. */
  path(name: string): string {
    return join(this.folder, name)
  }

  /** Makes the folder of a project. */
  makeProject(name: string): string {
    const folder = this.path(name)
    mkdirSync(folder, { recursive: true })
    return folder
  }

  /** Runs a client from this project's packages, or a program, without the environment of the test. */
  run(
    program: string,
    args: readonly string[],
    { cwd = this.folder }: { cwd?: string } = {},
  ): Promise<Ended> {
    const bin = join(ROOT, 'node_modules/.bin')
    const env = {
      HOME: this.folder,
      PATH: [dirname(process.execPath), bin, '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
      DISABLE_TELEMETRY: '1',
      NO_COLOR: '1',
    }
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
      child.on('error', reject)
      child.on('close', (status) => resolve({ status, output: output.replace(COLOURS, '') }))
    })
  }

  /** Reads every file in a folder, through the links that clients make between the folders of a skill. */
  read(name: string): FilesByPath {
    return readFiles(this.path(name), '')
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Fetches a zip and reads its files. */
export const fetchZip = async (address: string): Promise<FilesByPath> => {
  const zip = await JSZip.loadAsync(await (await fetch(address)).arrayBuffer())
  const files = Object.values(zip.files).filter(({ dir }) => !dir)
  const read = await Promise.all(
    files.map(async (file) => [file.name, await file.async('nodebuffer')] as const),
  )
  return Object.fromEntries(read.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Lists the shell lines of a skill's page. */
export const listLines = async (origin: string, slug: string): Promise<string[]> => {
  const twin = await (await fetch(`${origin}/skills/${slug}.md`)).text()
  const lines = twin.matchAll(/^```sh\n(.+)\n```$|: `(echo [^`]+)`/gm)
  return Array.from(lines, ([, fenced, inline]) => fenced ?? inline ?? '')
}
