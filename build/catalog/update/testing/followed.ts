import { join } from 'node:path'
import { SITE } from '../../../../src/catalog/testing/content.ts'
import { makeOnce } from '../../../../testing/sample-folders.ts'
import type { SampleFiles } from '../../../../testing/sample-folders.ts'
import { MIT_TEXT, WEB, makeRepository } from '../../import/testing/sample-repository.ts'
import { makeCatalog, openCatalog } from '../../testing/catalog.ts'

/** Follows an address. */
export const followAddress = async (content: string, address: string, ...options: string[]) => {
  const catalog = openCatalog(content)
  const added = await catalog.call('add', address, '--source', WEB, ...options)
  return { ...catalog, added }
}

/** Makes a repository of these files with the MIT licence, and follows it. */
const followFrom = async (content: string, files: SampleFiles, options: string[] = []) => {
  const source = makeRepository({ LICENSE: MIT_TEXT, ...files })
  return { source, ...(await followAddress(content, source.address, ...options)) }
}

/** Makes a catalog outside of git that follows a repository of these files; `options` are those of `add`. */
export const follow = (files: SampleFiles, site: object = {}, ...options: string[]) =>
  makeOnce(JSON.stringify([files, site, options]), () =>
    followFrom(makeCatalog({}, site).content, files, options),
  )

/** Makes a catalog in git that follows a repository of these files, with everything committed. */
export const followInGit = (files: SampleFiles) =>
  makeOnce(JSON.stringify(['in git', files]), async () => {
    const registry = makeRepository(
      { 'content/site.json': SITE, '.gitignore': '*.log\n' },
      { path: 'bob/registry' },
    )
    const world = await followFrom(join(registry.folder, 'content'), files)
    const save = (): string => registry.commit({}, '2026-03-01')
    save()
    return { ...world, registry, save }
  })
