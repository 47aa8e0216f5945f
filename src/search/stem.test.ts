import { describe, expect, test } from 'vitest'
import { stemWord } from './stem.ts'

describe('words with one stem', () => {
  test.each([
    [['deploy', 'deploys', 'deployed', 'deploying', 'deployment']],
    [['migrate', 'migrates', 'migrating', 'migration', 'migrations']],
    [['optimise', 'optimize', 'optimising', 'optimization', 'optimisation']],
    [['analyse', 'analyze', 'analysis', 'analyses', 'analysing']],
    [['category', 'categories']],
    [['api', 'apis']],
  ])('%j', (words) => expect(new Set(words.map(stemWord)).size).toBe(1))
})

describe('words that are their own stem', () => {
  test.each(['k8s', 'auth0', 'ci', 'aws', 'ios', 'c', '飞书', 'über', 'приветы'])('%s', (word) =>
    expect(stemWord(word)).toBe(word),
  )
})
