import type { SkillNames, Judgement, Place, TextFile } from './rule.ts'

/** Reputation of a host. */
export type HostKind =
  | 'known'
  | 'own'
  | 'local'
  | 'sample'
  | 'sink'
  | 'tunnel'
  | 'hook'
  | 'paste'
  | 'files'
  | 'free'
  | 'short'
  | 'bare'
  | 'odd'
  | 'code'
  | 'unknown'

/** Hosts by kind, including their subdomains. Kept short: all others are `unknown`. */
const HOSTS: Readonly<Partial<Record<HostKind, string>>> = {
  // Vendors that host their own installers and pages.
  known: `anthropic.com claude.ai claude.com openai.com chatgpt.com google.com googleapis.com goo.gle gemini.google
    chrome.com microsoft.com windows.net aka.ms azure.com visualstudio.com powershellgallery.com apple.com amazon.com
    amazonaws.com aws.amazon.com awscli.amazonaws.com docker.com docker.io nodejs.org nodesource.com npmjs.com
    npmjs.org yarnpkg.com pnpm.io bun.sh bun.com deno.land deno.com jsr.io python.org pypi.org pythonhosted.org
    python-poetry.org astral.sh conda.io anaconda.com anaconda.org prefix.dev pixi.sh mamba.pm rustup.rs
    rust-lang.org crates.io golang.org go.dev rubygems.org ruby-lang.org rvm.io php.net getcomposer.org packagist.org
    java.com oracle.com adoptium.net maven.org apache.org gradle.org sdkman.io dot.net nuget.org kotlinlang.org
    jetbrains.com swift.org haskell.org nixos.org determinate.systems debian.org ubuntu.com launchpad.net
    fedoraproject.org archlinux.org alpinelinux.org brew.sh scoop.sh chocolatey.org winget.run flathub.org
    snapcraft.io github.com githubusercontent.com gitlab.com bitbucket.org codeberg.org huggingface.co ollama.com
    ollama.ai pytorch.org nvidia.com kubernetes.io k8s.io helm.sh k3s.io k3d.io terraform.io hashicorp.com pulumi.com
    vercel.com netlify.com cloudflare.com fly.io railway.com render.com heroku.com supabase.com neon.tech neon.com
    prisma.io stripe.com twilio.com sentry.io datadoghq.com grafana.com elastic.co mongodb.com redis.io postgresql.org
    mysql.com sqlite.org duckdb.org clickhouse.com expo.dev reactnative.dev flutter.dev dart.dev android.com
    starship.rs mise.run mise.jdx.dev asdf-vm.com volta.sh fnm.vercel.app nvm.sh cursor.com cursor.sh opencode.ai
    windsurf.com codeium.com semgrep.dev snyk.io aquasecurity.github.io trivy.dev cisofy.com mozilla.org gnu.org
    kernel.org llvm.org cmake.org ffmpeg.org imagemagick.org pandoc.org libreoffice.org latex-project.org tug.org
    obsidian.md notion.so notion.com slack.com atlassian.com figma.com postman.com insomnia.rest wordpress.org
    tailscale.com ngrok.com doppler.com 1password.com bitwarden.com auth0.com okta.com clerk.com resend.com
    apollographql.com rover.apollo.dev shopify.com dagster.io astronomer.io getdbt.com databricks.com snowflake.com
    paradigm.xyz solana.com anza.xyz avm.codes soliditylang.org foundry.paradigm.xyz qlty.sh lefthook.dev pre-commit.com
    fluxcd.io linkerd.io istio.io cilium.io argoproj.io sourceforge.net openclaw.ai clawhub.ai clawhub.com agentskills.io skills.sh modelcontextprotocol.io x.ai
    perplexity.ai mistral.ai groq.com openrouter.ai cohere.com replicate.com fal.ai elevenlabs.io deepgram.com
    larksuite.com feishu.cn aliyun.com tencent.com baidu.com npmmirror.com tsinghua.edu.cn ustc.edu.cn
    wikipedia.org w3.org ietf.org schema.org shields.io youtube.com
    pyenv.run julialang.org ziglang.org elixir-lang.org crystal-lang.org ocaml.org wasmer.io wasmtime.dev bazel.build
    moonrepo.dev jetify.com jetpack.io direnv.net atuin.sh ohmyposh.dev ohmyz.sh chezmoi.io get.chezmoi.io pdm-project.org
    charm.sh zed.dev warp.dev aider.chat continue.dev sourcegraph.com ampcode.com factory.ai kiro.dev devin.ai block.xyz
    k0s.sh rke2.io rancher.com rancher.io opentofu.org okteto.com tilt.dev garden.io podman.io orbstack.dev steampipe.io
    goteleport.com zerotier.com netbird.io caddyserver.com crowdsec.net wazuh.com osquery.io falco.org sysdig.com
    newrelic.com dynatrace.com netdata.cloud signoz.io n8n.io dokku.com coollabs.io dokploy.com easypanel.io pi-hole.net
    home-assistant.io neo4j.com neo4j.sh turso.tech tur.so planetscale.com convex.dev encore.dev dagger.io earthly.dev
    meilisearch.com typesense.org qdrant.tech weaviate.io surrealdb.com cockroachlabs.com timescale.com questdb.io
    influxdata.com nats.io temporal.io prefect.io airbyte.com geldata.com edgedb.com upstash.com appwrite.io pocketbase.io
    digitalocean.com linode.com vultr.com hetzner.com hetzner.cloud scaleway.com ovh.com ovhcloud.com tigris.dev tigrisdata.com
    modal.com runpod.io vast.ai together.ai together.xyz fireworks.ai e2b.dev daytona.io coder.com gitpod.io replit.com
    wandb.ai posthog.com langfuse.com browserbase.com firecrawl.dev exa.ai tavily.com apify.com serpapi.com livekit.io
    assemblyai.com inference.sh buildkite.com circleci.com sonarsource.com sui.io aptoslabs.com near.org starknet.io
    fbaipublicfiles.com meta.com facebook.com adobe.com autodesk.com unity.com unrealengine.com blender.org godotengine.org
    arduino.cc espressif.com raspberrypi.com zotero.org inkscape.org gimp.org audacityteam.org videolan.org 7-zip.org
    iterm2.com arxiv.org doi.org acm.org ieee.org nature.com semanticscholar.org
    wireshark.org nmap.org portswigger.net kali.org metasploit.com rapid7.com sysinternals.com`,
  local: 'localhost local internal test invalid lan home.arpa host.docker.internal',
  sample: `example.com example.org example.net example your-domain.com yourdomain.com your-site.com yoursite.com
    mycompany.com yourcompany.com your-company.com company.com acme.com domain.com mysite.com website.com site.com
    your-server.com yourserver.com myapp.com yourapp.com your-app.com myserver.com`,
  sink: `webhook.site requestbin.com requestbin.net requestcatcher.com pipedream.net beeceptor.com hookbin.com
    postb.in ptsv2.com ptsv3.com requestinspector.com mockbin.org burpcollaborator.net oastify.com oast.fun oast.pro
    oast.live oast.site oast.online oast.me interact.sh interactsh.com dnslog.cn ceye.io canarytokens.com
    webhook.cool requestbin.whapi.cloud webhook-test.com httpdump.app typedwebhook.tools putsreq.com dnsbin.zhack.ca requestrepo.com`,
  tunnel: `ngrok.io ngrok.app ngrok-free.app ngrok-free.dev ngrok.dev trycloudflare.com loca.lt localhost.run lhr.life
    serveo.net serveousercontent.com pinggy.link bore.pub localxpose.io loclx.io tunnelmole.net devtunnels.ms
    playit.gg portmap.io`,
  hook: `discord.com/api/webhooks discordapp.com/api/webhooks api.telegram.org hooks.slack.com`,
  paste: `pastebin.com rentry.co rentry.org glot.io hastebin.com hastebin.skyra.pw paste.ee dpaste.com dpaste.org
    ghostbin.com ghostbin.co justpaste.it telegra.ph paste.rs ix.io sprunge.us termbin.com paste.debian.net
    controlc.com pastes.dev paste.gg snippet.host bpa.st paste.mozilla.org textbin.net pastelink.net write.as
    privatebin.net jsonbin.io npoint.io codeshare.io ideone.com pst.innomi.net paste.sh p.ip.fi clbin.com`,
  files: `drive.google.com docs.google.com dropbox.com dl.dropboxusercontent.com mega.nz mega.io mediafire.com gofile.io
    anonfiles.com transfer.sh file.io wetransfer.com we.tl cdn.discordapp.com media.discordapp.net 0x0.st catbox.moe
    litterbox.catbox.moe pixeldrain.com sendspace.com zippyshare.com uploadfiles.io ufile.io bashupload.com temp.sh
    tmpfiles.org filebin.net krakenfiles.com workupload.com 1drv.ms onedrive.live.com terabox.com oshi.at
    send.vis.ee limewire.com disk.yandex.ru yadi.sk cloud.mail.ru filetransfer.io easyupload.io`,
  free: `vercel.app netlify.app pages.dev workers.dev web.app firebaseapp.com onrender.com herokuapp.com
    up.railway.app surge.sh glitch.me repl.co replit.app replit.dev github.io gitlab.io wixsite.com weebly.com
    blogspot.com carrd.co notion.site sites.google.com webflow.io framer.website framer.app framer.ai lovable.app
    bolt.host r2.dev 000webhostapp.com infinityfreeapp.com epizy.com rf.gd byethost.com neocities.org tiiny.site
    tiiny.host deno.dev fly.dev azurewebsites.net azurestaticapps.net s3.amazonaws.com blob.core.windows.net b-cdn.net
    digitaloceanspaces.com backblazeb2.com wasabisys.com linodeobjects.com
    storage.googleapis.com duckdns.org no-ip.org ddns.net hopto.org zapto.org sytes.net myftp.org codesandbox.io
    csb.app stackblitz.io gitbook.io wordpress.com square.site godaddysites.com strikingly.com my.canva.site
    mystrikingly.com pythonanywhere.com base44.app v0.app lovableproject.com amplifyapp.com cloudfront.net`,
  short: `bit.ly tinyurl.com is.gd v.gd cutt.ly t.ly t.co goo.gl ow.ly rb.gy shorturl.at rebrand.ly s.id tiny.cc
    bl.ink short.io git.io u.to clck.ru shorturl.gg urlz.fr t.me adf.ly linktr.ee`,
  code: 'raw.githubusercontent.com github.com gist.github.com gist.githubusercontent.com gitlab.com codeberg.org bitbucket.org',
}

/** Top-level domains that cost next to nothing and that hardly any tool vendor uses. */
const ODD_ENDINGS: ReadonlySet<string> = new Set(
  `xyz top click icu cfd sbs rest lol zip mov gq tk ml cf ga pw cc monster quest buzz fun site online store
    space club live website bond cyou lat mom skin hair beauty makeup su ru ws ltd vip win bid loan men stream
    download racing party review trade date science work digital world today host press link`.split(
    /\s+/,
  ),
)

const isOddlyNamed = (host: string): boolean =>
  ODD_ENDINGS.has(host.slice(host.lastIndexOf('.') + 1))

const KINDS = new Map<string, HostKind>()
for (const [kind, hosts] of Object.entries(HOSTS))
  for (const host of hosts.split(/\s+/)) KINDS.set(host, kind as HostKind)

/** Hosts of anonymous content: pastes, files, short links. */
export const UNNAMED_HOSTS: readonly string[] = [...KINDS]
  .filter(([host, kind]) => ['paste', 'files', 'short'].includes(kind) && host !== 't.me')
  .map(([host]) => host)

const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/

/** Networks for documentation (RFC 5737), and obvious sample addresses such as 1.2.3.4. */
const IS_SAMPLE_ADDRESS =
  /^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.|^(?:1\.2\.3\.[0-9]|4\.3\.2\.1|5\.6\.7\.8|9\.8\.7\.6|(?:11\.22\.33|12\.34\.56|123\.45\.67|123\.123\.123)\.\d+|(?:93\.184\.21\d)\.\d+)$/

/** Well-known public DNS resolvers. */
const IS_RESOLVER =
  /^(?:8\.8\.[48]\.[48]|1\.[01]\.[01]\.[1-3]|9\.9\.9\.\d+|208\.67\.22[02]\.22[02]|255\.)/

/** The kind of a bare IP address: private (RFC 1918), a sample, or an unknown machine. */
const judgeIp = (host: string): HostKind | undefined => {
  const parts = IPV4.exec(host)?.slice(1).map(Number)
  if (!parts) return undefined
  const [first = 0, second = 0] = parts
  if (IS_SAMPLE_ADDRESS.test(host) || parts.some((part) => part > 255)) return 'sample'
  if (IS_RESOLVER.test(host)) return 'known'
  const isInner =
    first === 0 ||
    first === 10 ||
    first === 127 ||
    (first === 100 && second >= 64 && second < 128) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168)
  return isInner ? 'local' : 'bare'
}

const PLACEHOLDER =
  /[<>{}$%*]|\byour|\bmy-|placeholder|xxx|\.\.\.|…|(?:^|[.-])(?:evil|attacker|malicious|hacker|malware|badsite|bad-actor)(?:[.-]|$)/i

/** The parts of an address that are judged; undefined if it has no host. */
export interface Address {
  /** In lower case, without `www.` and port. */
  host: string
  /** Path, with its leading slash. */
  path: string
  isPlain: boolean
}

/** Most characters of an address that are examined. */
const ADDRESS_LIMIT = 300

/** Finds addresses in a text, without punctuation that ends a sentence or link. */
export const ADDRESS = /\b(?:hxxp|http|ftp)s?:\/\/[^\s"'`<>)\]|\\]{1,300}/gi

export const readAddress = (text: string): Address | undefined => {
  const found =
    /^(https?|hxxps?|ftps?):\/\/(?:[^@/?#\s]{0,80}@)?([^/?#:\s]+)(?::\d+)?([^\s]*)/i.exec(
      text.slice(0, ADDRESS_LIMIT),
    )
  if (!found) return undefined
  const [, scheme = '', host = '', path = ''] = found
  return {
    host: host
      .toLowerCase()
      .replace(/^www\./, '')
      .replace(/[.,;:!]+$/, ''),
    path: path.replace(/[.,;:!*_]+$/, ''),
    isPlain: !/s$/i.test(scheme),
  }
}

/** The owner in an address on a host of repositories. */
const ownerOf = ({ path }: Address): string => path.split('/')[1]?.toLowerCase() ?? ''

/** The label of a host that names its owner: `acme` in `get.acme.dev`. */
const labelOf = (host: string): string => {
  const labels = host.split('.')
  return labels[Math.max(0, labels.length - 2)] ?? ''
}

const squash = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The names of a skill as they would appear in a host; cached, since a skill has many addresses. */
const SQUASHED = new WeakMap<SkillNames, { name: string; description: string; owner: string }>()

const squashNames = (names: SkillNames) => {
  const known = SQUASHED.get(names)
  if (known) return known
  const { name, description, owner = '' } = names
  const squashed = {
    name: squash(name),
    description: squash(description),
    owner: squash(owner),
  }
  SQUASHED.set(names, squashed)
  return squashed
}

/** Whether a host is named after the skill. Anyone can do that, so it counts only for domains that cost something. */
const isNamedAfter = (host: string, names: SkillNames): boolean => {
  const label = squash(labelOf(host))
  if (label.length < 4) return false
  const { name, description, owner } = squashNames(names)
  if (owner.includes(label)) return true
  return (
    !isOddlyNamed(host) &&
    (name === label ||
      names.name
        .toLowerCase()
        .split(/[^a-z0-9]/)
        .includes(label) ||
      (label.length >= 6 && (name.includes(label) || description.includes(label))))
  )
}

/** Whether a skill is named after a repository or its owner, and so is about that project. */
const isNamedLike = ({ path }: Address, names: SkillNames): boolean =>
  path
    .split('/')
    .slice(1, 3)
    .map(squash)
    .some((label) => label.length >= 6 && squashNames(names).name.startsWith(label))

/** Repository owners of well-known installers. */
const KNOWN_OWNERS = new Set(
  `homebrew nvm-sh pyenv rbenv asdf-vm ohmyzsh sdkman rust-lang anthropics openai google microsoft docker helm
  kubernetes kubernetes-sigs k3s-io hashicorp aquasecurity anchore golangci junegunn jdx astral-sh denoland oven-sh
  pnpm yarnpkg nodejs python vercel vercel-labs supabase github cli actions gitlab-org aws awslabs azure googlecloudplatform
  googleworkspace expo facebook apache trufflesecurity gitleaks zricethezav semgrep snyk projectdiscovery owasp
  foundry-rs ethereum solana-labs anza-xyz tldr-pages jqlang mikefarah burntsushi sharkdp ajeetdsouza starship
  prometheus grafana argoproj fluxcd istio cilium derailed ahmetb opencontainers containers podman-desktop
  huggingface pytorch tensorflow nvidia ollama ggml-org duckdb dbt-labs apache astronomer dagster-io larksuite
  apollographql getsentry auth0 resend sveltejs expo callstackincubator obsidianmd kepano yt-dlp ffmpeg
  rustwasm tesseract-ocr ub-mannheim oschwartz10612 jgm openclaw steipete modelcontextprotocol`
    .split(/\s+/)
    .filter(Boolean),
)

const judgeCode = (address: Address, names: SkillNames | undefined): HostKind => {
  const owner = ownerOf(address)
  if (PLACEHOLDER.test(owner) || /^(?:owner|org|user|username|repo)$/.test(owner)) return 'sample'
  if (names?.owner !== undefined && owner === names.owner.toLowerCase()) return 'own'
  if (names && isNamedLike(address, names)) return 'own'
  return KNOWN_OWNERS.has(owner) ? 'known' : 'code'
}

/** Cloud storage under a vendor's domain that anybody can rent. */
const IS_BUCKET = /(?:^|\.)s3[.-][\w.-]{0,24}amazonaws\.com$/

/** Determines the kind of an address's host. */
export const judgeHost = (address: Address, names?: SkillNames): HostKind => {
  const { host, path } = address
  const ip = judgeIp(host)
  if (ip) return ip
  if (PLACEHOLDER.test(host) || !host.includes('.')) {
    return host.startsWith('[') || host === 'localhost' ? 'local' : 'sample'
  }
  if (host.startsWith('discord') && path.startsWith('/api/webhooks')) return 'hook'
  const labels = host.split('.')
  for (let at = 0; at < labels.length; at += 1) {
    const kind = KINDS.get(labels.slice(at).join('.'))
    if (kind === 'code') return judgeCode(address, names)
    if (kind === 'known' && IS_BUCKET.test(host)) return 'free'
    if (kind === 'free' && at > 0) {
      const owner = labels[at - 1]!
      if (owner === names?.owner?.toLowerCase()) return 'own'
      if (host.endsWith('.github.io') && KNOWN_OWNERS.has(owner)) return 'known'
    }
    if (kind !== undefined) return kind
  }
  if (names && isNamedAfter(host, names)) return 'own'
  return isOddlyNamed(host) ? 'odd' : 'unknown'
}

/** Kinds of hosts from which no vendor distributes tools. */
const SUSPICIOUS: ReadonlySet<HostKind> = new Set<HostKind>([
  'sink',
  'tunnel',
  'hook',
  'paste',
  'files',
  'free',
  'short',
  'bare',
  'odd',
])

export const isSuspicious = (kind: HostKind): boolean => SUSPICIOUS.has(kind)

/** Kinds with a known owner, or that are not real hosts. */
const TRUSTED: ReadonlySet<HostKind> = new Set<HostKind>(['known', 'own', 'local', 'sample'])

export const isTrusted = (kind: HostKind): boolean => TRUSTED.has(kind)

/** Reason given for a trusted kind. */
export const TRUST_REASON: Readonly<Partial<Record<HostKind, string>>> = {
  known: 'from a known host',
  own: 'from an address named after the skill or its author',
  local: 'a local address',
  sample: 'a sample address',
}

/** An address as written, with the kind of its host. */
interface JudgedAddress {
  kind: HostKind
  address: Address
}

/** Judges the addresses of a text; one without a scheme counts as `https`. */
export const judgeAddresses = (text: string, file: TextFile): JudgedAddress[] =>
  [...text.matchAll(ADDRESS)].slice(0, 20).flatMap(([url]) => {
    const address = readAddress(url)
    return address ? [{ address, kind: judgeHost(address, file.names) }] : []
  })

/** Hosts in code outside http addresses: with another scheme, in a request field, or as an argument of a connection. */
const HOST_FIELD =
  /\b(?:wss?|tcp|mqtts?|sftp|ssh):\/\/(?:[^@\s/"']{0,60}@)?((?:[\w-]{1,40}\.){1,4}[a-z]{2,12}|(?:\d{1,3}\.){3}\d{1,3})|(?:\b(?:host|hostname|server|addr|address)["']?\s{0,3}[:=]\s{0,3}|\b(?:HTTPS?Connection|connect|create_connection|createConnection|TCPClient|TcpClient|TCPSocket\.new)\(\s{0,3}\(?\s{0,3}(?:\d{2,5},\s{0,3})?)["']((?:[\w-]{1,40}\.){1,4}[a-z]{2,12}|(?:\d{1,3}\.){3}\d{1,3})["']/gi

/** The kinds of the hosts in code, from addresses and bare names. */
export const kindsIn = (text: string, file: TextFile): HostKind[] => [
  ...judgeAddresses(text, file).map(({ kind }) => kind),
  ...[...text.matchAll(HOST_FIELD)]
    .slice(0, 10)
    .map(([, reached, host = reached ?? '']) =>
      judgeHost({ host: host.toLowerCase(), path: '', isPlain: false }, file.names),
    ),
]

/** Lines around a position, each of bounded length. */
export const linesAround = ({ lines }: TextFile, line: number, reach: number): string =>
  lines
    .slice(Math.max(0, line - reach), line + reach + 1)
    .map((one) => one.slice(0, 500))
    .join('\n')

/** The host of a download address without a scheme. */
const BARE_HOST =
  /\b(?:curl|wget|iwr|irm)\s{1,4}(?:-{1,2}[\w-]{1,30}\s{1,4}){0,6}["']?((?:[a-z0-9-]{1,40}\.){1,4}[a-z]{2,12}(?:\/[^\s"'|)]{0,200})?)(?=["'\s|)])/i

/** Lines above a command in which variable assignments are searched. */
const SETTING_REACH = 40

/** Replaces variables by literals assigned above a command: twice, since addresses may be composed of parts. */
export const expandVariables = (
  command: string,
  { file, line }: Pick<Place, 'file' | 'line'>,
): string => {
  if (!/\$\{?\w/.test(command)) return command
  const above = file.lines
    .slice(Math.max(0, line - SETTING_REACH), line + 1)
    .map((one) => one.slice(0, 300))
    .join('\n')
  const put = (text: string): string =>
    text.slice(0, 1_000).replace(/\$\{?(\w{1,30})\}?/g, (whole, name: string) => {
      const assignment = String.raw`(?:^|[\s;$])${name}\s{0,3}=\s{0,3}["']?([^\s"';]{1,200})`
      return new RegExp(assignment, 'm').exec(above)?.[1] ?? whole
    })
  return put(put(command))
}

/** Judges code from an address: no finding if its owner is known, the worst severity if nobody is accountable. */
export const judgeSource = (
  text: string,
  place: Pick<Place, 'file' | 'line' | 'region'>,
): Judgement => {
  const { file, region } = place
  const expanded = expandVariables(text, place)
  const bare = BARE_HOST.exec(expanded)?.[1]
  const command = expanded.includes('://') || !bare ? expanded : `https://${bare}`
  const [first] = judgeAddresses(command, file)
  // No address: a variable, or prose about such commands.
  if (!first) {
    if (/\$\{?\w|\$\(|%\w{1,30}%/.test(text)) return ['low', 'from an address in a variable']
    return region === 'prose' || region === 'table' ? undefined : ['low', 'without an address']
  }
  const { kind, address } = first
  if (kind === 'local') return undefined
  if (isTrusted(kind)) return ['low', TRUST_REASON[kind] ?? '']
  return (isSuspicious(kind) && kind !== 'odd') || (address.isPlain && kind !== 'code')
    ? 'high'
    : 'medium'
}

/** Judges a package from an address; `otherwise` applies if its owner is neither known nor suspicious. */
export const judgePackage = (
  url: string,
  file: TextFile,
  otherwise: Judgement,
  isPackage: (address: Address) => boolean = () => true,
): Judgement => {
  const address = readAddress(url)
  if (!address || !isPackage(address)) return undefined
  const kind = judgeHost(address, file.names)
  if (isTrusted(kind) || kind === 'code') return undefined
  return isSuspicious(kind) || address.isPlain ? 'high' : otherwise
}
