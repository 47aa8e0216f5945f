import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readDescription, splitSentences } from './description.ts'

const plain = (value: string): string => value.replace(/\s+/g, '')

describe('sentences', () => {
  test.each([
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['Reads files (e.g. Word). Then stops.', ['Reads files (e.g. Word).', 'Then stops.']],
    ['Runs on Node.js and v1.2 of it.', ['Runs on Node.js and v1.2 of it.']],
    ['Asks "why? how?" and waits', ['Asks "why? how?" and waits']],
    ['写邮件。回复邮件。', ['写邮件。', '回复邮件。']],
    ['', []],
  ])('%j -> %j', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences)
  })

  test('no word of a text is lost or doubled', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'B', ' ', '.', '?', '。', '"', '\n') }),
        (text) => {
          expect(plain(splitSentences(text).join(''))).toBe(plain(text))
        },
      ),
    )
  })
})

describe('what a description states', () => {
  test.each([
    [
      'Turns logs into tables. Use when a log must be read. Not for traces.',
      { whenToUse: 'Use when a log must be read.', whenNotToUse: 'Not for traces.' },
    ],
    ["Sorts. Don't use for lists.", { whenNotToUse: "Don't use for lists." }],
    [
      'Sorts words. Requires Node 20. Returns one word a line. Supports UTF-8.',
      {
        prerequisites: 'Requires Node 20.',
        outputs: 'Returns one word a line.',
        capabilities: 'Supports UTF-8.',
      },
    ],
    [
      'Posts. Triggers on "post this to the blog", "blog", or \'why is it not published?\'.',
      {
        activation: expect.stringMatching(/^Triggers on/),
        whenToUse: expect.stringMatching(/^Triggers on/),
        examples: '- "post this to the blog"\n- "why is it not published?"',
      },
    ],
    ['A tool used to sort "all of the things".', {}],
    ['Only works on Linux.', { limitations: 'Only works on Linux.' }],
    ['Says <b>x</b>. Use when [a](b) | c.', { whenToUse: 'Use when \\[a\\](b) \\| c.' }],
  ])('%s', (description, stated) => {
    expect(readDescription(description)).toEqual(stated)
  })
})
