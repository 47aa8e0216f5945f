import { describe, expect, test } from 'vitest'
import { openVocabulary } from './vocabulary.ts'

const vocabulary = openVocabulary([
  'docker',
  'dockerfile',
  'document',
  'kubernetes',
  'kubernetic',
  'npm',
  'pnpm',
  '日历',
])

describe('completion', () => {
  test.each([
    ['dock', ['docker', 'dockerfile']],
    ['docker', ['dockerfile']],
    ['do', ['docker', 'dockerfile', 'document']],
    ['d', []],
    ['日', ['日历']],
    ['zebra', []],
    ['', []],
  ])('%j -> %j', (start, words) => expect(vocabulary.complete(start).sort()).toEqual(words))
})

describe('correction', () => {
  test.each([
    ['dockr', ['docker']],
    ['dokcer', ['docker']],
    ['kuberntes', ['kubernetes']],
    ['kubrenetes', ['kubernetes']],
    ['kubrentes', []],
    ['kubernetez', ['kubernetes']],
    ['dxckxr', []],
    ['nmp', []],
    ['npmm', ['npm']],
    ['日厉', []],
    ['2024', []],
  ])('%j -> %j', (word, words) =>
    expect(vocabulary.correct(word).map((correction) => correction.word)).toEqual(words),
  )
})
