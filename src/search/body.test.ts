import { expect, test } from 'vitest'
import { openSample, askFor, sampleDocument } from '../../testing/sample-documents.ts'
import { pickBody, listBodyStems } from './body.ts'

test.each([
  ['stems that occur twice, sorted', 'Tests run tests. A tester runs.', 'run test'],
  ['no stems that occur once', 'Clean a CSV file', ''],
  ['no stop words, no single letters', 'the the with with x x 7 7 go go', 'go'],
  [
    'words of headings and of code',
    '# Deploys\n\n```sh\nkubectl deploy\nkubectl get\n```',
    'deploy kubectl',
  ],
  ['the parts of a compound', 'csv-clean or csv-tidy', 'csv'],
  ['nothing in scripts without spaces', '会议纪要 feishu、会议 feishu', 'feishu'],
  ['other scripts', 'Отчёт и отчёт, أداء أداء', 'отчет اداء'],
  ['lines after the first 8,000 letters', `é${' word'.repeat(2_000)}\nlast\nlast`, 'last word'],
])('the stems picked from a text: %s', (_, text, body) => expect(pickBody(text)).toBe(body))

test('the stems picked from a text: at most 150 stems: the most frequent, then those that occur first', () => {
  const words = Array.from({ length: 200 }, (_, at) => `w${at}`)
  const stems = listBodyStems(pickBody(`${words.join(' ')} ${words.join(' ')} w199`))
  expect(stems).toEqual([...words.slice(0, 149), 'w199'].sort())
})

const text = 'Reads the ledger. Closes the ledger. Asks for kubernetes, then kubernetes again.'
const index = openSample([
  sampleDocument(1, 'books', 'Prepares accounts', { text }),
  sampleDocument(2, 'cluster', 'Deploys to kubernetes'),
  sampleDocument(3, 'other', 'Something else'),
])

test.each([
  ['ledger', [1]],
  ['prepares a ledger', [1]],
  ['kubernetes', [2, 1]],
  ['leger', []],
])('q that only the SKILL.md contains: q=%s -> %j', (q, ids) => {
  expect(index.find(askFor({ q })).skills.map(({ id }) => id)).toEqual(ids)
})
