import { make } from './dom.ts'

/** The address in a line of curl, if it is one of this site. */
const addressOf = (line: string): string | undefined => {
  const [, address = ''] = /^curl .*"(https?:\/\/[^"]+)"\s*$/.exec(line.trim()) ?? []
  const url = URL.parse(address)
  return url ? url.pathname + url.search : undefined
}

const HEADERS = ['content-type', 'content-length', 'content-disposition', 'etag']

/** Shows an answer: JSON as it is, a file by its headers. */
const describeAnswer = async (response: Response): Promise<string> => {
  const { headers } = response
  if (headers.get('content-type')?.startsWith('application/json'))
    return JSON.stringify(await response.json(), undefined, 2)
  await response.body?.cancel()
  const present = HEADERS.filter((name) => headers.has(name))
  return present.map((name) => `${name}: ${headers.get(name)}`).join('\n')
}

/** Puts a button below a line of curl that sends the same request, and shows status and answer. */
const addRun = (block: HTMLPreElement, address: string): void => {
  const button = make('button', { type: 'button', ariaLabel: `Run ${address}` }, 'Run')
  const status = make('span', { role: 'status' })
  const answer = make('pre', { tabIndex: 0 })
  const bar = make('p', { className: 'run' }, button, status)
  const frame = block.closest('.code') ?? block
  frame.after(bar)
  button.addEventListener('click', async () => {
    status.textContent = 'Asking…'
    const began = performance.now()
    try {
      const response = await fetch(address)
      answer.textContent = await describeAnswer(response)
      const took = Math.round(performance.now() - began)
      status.textContent = `${response.status} ${response.statusText}, ${took} ms`
    } catch {
      answer.textContent = ''
      status.textContent = 'No answer: the service cannot be reached.'
    }
    if (answer.textContent === '') answer.remove()
    else bar.after(answer)
  })
}

for (const block of document.querySelectorAll<HTMLPreElement>('pre[data-language="sh"]')) {
  const address = addressOf(block.textContent ?? '')
  if (address !== undefined) addRun(block, address)
}
