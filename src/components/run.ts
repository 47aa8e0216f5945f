import { make } from './dom.ts'

/** Returns the path and query of the address in a curl command. */
const addressOf = (line: string): string | undefined => {
  const [, address = ''] = /^curl .*"(https?:\/\/[^"]+)"\s*$/.exec(line.trim()) ?? []
  const url = URL.parse(address)
  return url ? url.pathname + url.search : undefined
}

const HEADERS = ['content-type', 'content-length', 'content-disposition', 'etag']

/** Describes a response: JSON by its body, a file by its headers. */
const describeAnswer = async (response: Response): Promise<string> => {
  const { headers } = response
  if (headers.get('content-type')?.startsWith('application/json'))
    return JSON.stringify(await response.json(), undefined, 2)
  await response.body?.cancel()
  const present = HEADERS.filter((name) => headers.has(name))
  return present.map((name) => `${name}: ${headers.get(name)}`).join('\n')
}

/** Adds a button below a curl command that sends the same request and shows the response. */
const addRun = (block: HTMLPreElement, address: string): void => {
  const button = make('button', { type: 'button', ariaLabel: `Run ${address}` }, 'Run')
  const status = make('span', { role: 'status' })
  const answer = make('pre', { tabIndex: 0 })
  const bar = make('p', { className: 'run' }, button, status)
  const frame = block.closest('.code') ?? block
  frame.after(bar)
  button.addEventListener('click', async () => {
    status.textContent = 'Loading…'
    const began = performance.now()
    try {
      const response = await fetch(address)
      answer.textContent = await describeAnswer(response)
      const took = Math.round(performance.now() - began)
      status.textContent = `${response.status} ${response.statusText}, ${took} ms`
    } catch {
      answer.textContent = ''
      status.textContent = 'No response: the service cannot be reached.'
    }
    if (answer.textContent === '') answer.remove()
    else bar.after(answer)
  })
}

for (const block of document.querySelectorAll<HTMLPreElement>('pre[data-language="sh"]')) {
  const address = addressOf(block.textContent ?? '')
  if (address !== undefined) addRun(block, address)
}
