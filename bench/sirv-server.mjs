import { createServer } from 'node:http'
import sirv from 'sirv'

// A server of sirv alone over a folder: the measure of what serving a file costs.

const [folder = '.', mode] = process.argv.slice(2)
const serve = sirv(folder, { dev: mode === 'dev', extensions: ['html'], etag: true })
const server = createServer((request, response) => serve(request, response))
server.listen(0, 'localhost', () => console.log(`localhost:${server.address().port}`))
