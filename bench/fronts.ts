import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Running } from './load.ts'

/** Configurations that do no more than serve the files of a folder, as sirv does. */
const CONFIGURATIONS = {
  nginx: (root: string, port: number, folder: string) =>
    `${process.getuid?.() === 0 ? 'user root;\n' : ''}daemon off;
pid ${folder}/nginx.pid;
worker_processes 2;
error_log /dev/null;
events {}
http {
  access_log off;
  include /etc/nginx/mime.types;
  sendfile on;
  keepalive_requests 1000000;
  server { listen 127.0.0.1:${port}; root ${root}; location / { try_files $uri $uri.html =404; } }
}
`,
  caddy: (root: string, port: number) =>
    `{
  admin off
  auto_https off
}
http://localhost:${port} {
  root * ${root}
  try_files {path} {path}.html
  file_server
}
`,
}

const ARGUMENTS = {
  nginx: (file: string, folder: string) => ['-p', folder, '-c', file],
  caddy: (file: string) => ['run', '--adapter', 'caddyfile', '--config', file],
}

const findPort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

const canConnect = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Starts what is installed of nginx and Caddy over a folder of files; says what is missing. */
export const startFronts = async (root: string, scratch: string): Promise<Running[]> => {
  const started: Running[] = []
  for (const name of ['nginx', 'caddy'] as const) {
    if (spawnSync(name, [name === 'nginx' ? '-v' : 'version'], { stdio: 'ignore' }).error) {
      console.error(`${name}: not measured, it is not installed`)
      continue
    }
    const port = await findPort()
    const file = join(scratch, `${name}.conf`)
    writeFileSync(file, CONFIGURATIONS[name](root, port, scratch))
    const begun = performance.now()
    const child = spawn(name, ARGUMENTS[name](file, scratch), {
      stdio: 'ignore',
      env: { ...process.env, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch },
    })
    while (!(await canConnect(port))) {
      if (child.exitCode !== null || performance.now() - begun > 10_000)
        throw new Error(`${name} does not listen`)
      await wait(20)
    }
    started.push({ name, child, pid: child.pid ?? 0, port, start: performance.now() - begun })
  }
  return started
}
