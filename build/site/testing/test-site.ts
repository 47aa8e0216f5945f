import { readFileSync, readdirSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { SMALL_CONTENT, writeFiles } from '../../../src/catalog/testing/content.ts'
import type { ContentFiles } from '../../../src/catalog/testing/content.ts'
import { makeSampleFolder, readTree } from '../../../testing/sample-folders.ts'
import type { Progress } from '../../machine/progress.ts'
import { buildSite } from '../build.ts'
import type { BuildSummary } from '../build.ts'
import { describeFailure } from '../command.ts'
import type { BuildSettings } from '../settings.ts'

/** Reports nothing. The real progress measures CPU time, which takes 3 % of many small builds. */
export const QUIET: Progress = {
  stage: () => undefined,
  step: () => undefined,
  end: () => undefined,
  abort: () => undefined,
  timings: () => [],
}

/** A content folder, and the output folders that it is built into; `removeFolders` removes them. */
export class TestSite {
  readonly root = realpathSync(makeSampleFolder())
  readonly content = join(this.root, 'content')

  constructor(files: ContentFiles = SMALL_CONTENT) {
    this.write(files)
  }

  write(files: ContentFiles): void {
    writeFiles(this.content, files)
  }

  settings(out = 'dist'): BuildSettings {
    const outputFolder = join(this.root, out)
    return { contentFolder: this.content, outputFolder, siteUrl: 'https://registry.example' }
  }

  build(more: Partial<BuildSettings> = {}, out = 'dist', progress = QUIET): Promise<BuildSummary> {
    return buildSite({ ...this.settings(out), ...more }, progress)
  }

  /** Runs a build; returns the message if it fails. */
  tryBuild(more: Partial<BuildSettings> = {}): Promise<string | undefined> {
    return this.build(more).then(() => undefined, describeFailure)
  }

  /** The path of a file of the built site, such as `public/skills/near.md`. */
  path(name: string, out = 'dist'): string {
    return join(this.root, out, 'current', name)
  }

  read(name: string, out = 'dist'): string {
    return readFileSync(this.path(name, out), 'utf8')
  }

  /** The files of the built site. */
  tree(out = 'dist'): Map<string, string> {
    return readTree(this.path('', out))
  }

  /** The name of the folder that is not served. */
  findSpare(): string {
    const served = readlinkSync(join(this.root, 'dist/current'))
    const names = readdirSync(join(this.root, 'dist/generations'))
    return names.find((name) => !served.endsWith(name))!
  }
}
