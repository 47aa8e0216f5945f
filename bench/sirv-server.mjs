import { createServer } from 'node:http'
import sirv from 'sirv'

// Serves a folder with sirv alone, as a measure of the cost of serving a file.

const [folder = '.', mode] = process.argv.slice(2)
const serve = sirv(folder, { dev: mode === 'dev', extensions: ['html'], etag: true })
const server = createServer((request, response) => serve(request, response))
server.listen(0, 'localhost', () => console.log(`localhost:${server.address().port}`))
