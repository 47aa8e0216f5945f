import { join } from 'node:path'
import { createProgress } from '../../machine/progress.ts'
import { buildSite } from '../../site/build.ts'

/** Builds the site of a content folder and returns the folder to serve. */
export const buildFor = async (content: string, out: string): Promise<string> => {
  const settings = { contentFolder: content, outputFolder: out, siteUrl: 'https://origin.example' }
  await buildSite(settings, createProgress({ write: () => true }))
  return join(out, 'current/public')
}
