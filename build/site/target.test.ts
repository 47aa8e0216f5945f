import { linkSync, mkdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeSampleFolder, readSampleTree } from '../../testing/sample-folders.ts'
import { writeOutputFile } from './target.ts'

test('a file is written where a killed build has left a hard link -> the served file stays', () => {
  const root = makeSampleFolder({ 'served/public/a.md': 'old' })
  mkdirSync(`${root}/next/public`, { recursive: true })
  linkSync(`${root}/served/public/a.md`, `${root}/next/public/a.md`)
  writeOutputFile(`${root}/next`, 'public/a.md', 'new')
  expect(readSampleTree(root)).toEqual({ 'served/public/a.md': 'old', 'next/public/a.md': 'new' })
})
