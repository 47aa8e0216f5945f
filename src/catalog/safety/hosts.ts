import type { HostKind, SkillNames } from './rule.ts'

/** Hosts of vendors whose installers and services skills use; their subdomains count as well. */
const TRUSTED = new Set(
  `anthropic.com claude.ai claude.com openai.com chatgpt.com google.com googleapis.com microsoft.com aka.ms azure.com
  windows.net visualstudio.com apple.com amazon.com amazonaws.com docker.com nodejs.org nodesource.com npmjs.org
  npmjs.com pnpm.io bun.sh bun.com deno.land deno.com jsr.io python.org pypi.org python-poetry.org astral.sh pixi.sh
  anaconda.com anaconda.org rustup.rs rust-lang.org golang.org go.dev rubygems.org php.net getcomposer.org debian.org
  ubuntu.com nixos.org brew.sh scoop.sh chocolatey.org sdkman.io dot.net nuget.org kubernetes.io k8s.io helm.sh k3s.io
  hashicorp.com pulumi.com vercel.com netlify.com cloudflare.com fly.io railway.com supabase.com neon.tech stripe.com
  sentry.io datadoghq.com grafana.com elastic.co mongodb.com redis.io postgresql.org expo.dev flutter.dev dart.dev
  android.com starship.rs mise.run volta.sh cursor.com opencode.ai semgrep.dev snyk.io mozilla.org gnu.org kernel.org
  tailscale.com ngrok.com doppler.com 1password.com auth0.com resend.com apollo.dev apollographql.com aspire.dev
  getdbt.com dagster.io astronomer.io databricks.com snowflake.com fluxcd.io linkerd.io istio.io argoproj.io
  huggingface.co ollama.com pytorch.org nvidia.com openrouter.ai slack.com notion.com atlassian.com figma.com
  telegram.org discord.com larksuite.com feishu.cn openclaw.ai clawhub.ai clawhub.com agentskills.io skills.sh
  solana.com foundry.paradigm.xyz arize.com obsidian.md wikipedia.org w3.org`.split(/\s+/),
)

/** Hosts whose content nobody is responsible for: pastes, files, request bins, tunnels, short links, free hosting. */
const THROWAWAY = new Set(
  `pastebin.com rentry.co rentry.org glot.io hastebin.com paste.ee dpaste.com dpaste.org ghostbin.com justpaste.it
  telegra.ph paste.rs ix.io sprunge.us termbin.com controlc.com snippet.host write.as npoint.io jsonbin.io 0x0.st
  transfer.sh file.io gofile.io anonfiles.com catbox.moe mediafire.com mega.nz pixeldrain.com tmpfiles.org temp.sh
  filebin.net dropbox.com wetransfer.com webhook.site requestbin.com requestbin.net requestcatcher.com pipedream.net
  beeceptor.com hookbin.com putsreq.com requestrepo.com oastify.com oast.fun oast.pro oast.live oast.site interact.sh
  burpcollaborator.net dnslog.cn ceye.io canarytokens.com ngrok.io ngrok.app ngrok.dev ngrok-free.app ngrok-free.dev
  trycloudflare.com loca.lt localhost.run lhr.life serveo.net pinggy.link bore.pub bit.ly tinyurl.com is.gd v.gd
  cutt.ly t.ly rb.gy shorturl.at rebrand.ly tiny.cc netlify.app vercel.app pages.dev workers.dev web.app
  onrender.com herokuapp.com up.railway.app surge.sh glitch.me repl.co replit.app replit.dev carrd.co
  000webhostapp.com infinityfreeapp.com duckdns.org ngrok.pizza tiiny.site`.split(/\s+/),
)

/** Owners of trusted repositories, on hosts where the owner is the first part of a path. */
const TRUSTED_OWNERS = new Set(
  `homebrew nvm-sh pyenv asdf-vm ohmyzsh rust-lang anthropics openai google microsoft docker helm kubernetes k3s-io
  hashicorp aquasecurity anchore golangci astral-sh denoland oven-sh pnpm nodejs python vercel supabase github cli
  gitlab-org aws azure googlecloudplatform expo facebook apache gitleaks trufflesecurity semgrep snyk argoproj fluxcd
  istio cilium prometheus grafana huggingface pytorch nvidia ollama astronomer dagster-io larksuite apollographql
  getsentry auth0 resend foundry-rs obsidianmd`.split(/\s+/),
)

const HAS_OWNERS =
  /^(?:(?:raw|gist)\.githubusercontent|(?:gist\.)?github|gitlab|bitbucket)\.(?:com|org)$/

const ADDRESS =
  /\b(?:https?|ftp):\/\/(?:[^@/\s"'`<>]{1,60}@)?([\w.-]{1,120})(?::\d{1,5})?(\/[^\s"'`<>)]{0,200})?/gi

const IPV4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/

/** The reader's own machine and network, public resolvers, and documentation addresses (RFC 5737). */
const HARMLESS_IPV4 =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|192\.0\.2|198\.51\.100|203\.0\.113|8\.8|1\.[0-2])\./

/** Placeholder host names, and hosts without a domain. */
export const SAMPLE_HOST =
  /^[^.]*$|\bexample\b|\.(?:local|internal|test|invalid)$|\b(?:your|my)[-\w]*\.|\b(?:evil|attacker|malicious|acme)\b/i

const isIn = (list: ReadonlySet<string>, host: string): boolean => {
  for (let at = 0; at >= 0; at = host.indexOf('.', at + 1))
    if (list.has(host.slice(at === 0 ? 0 : at + 1))) return true
  return false
}

const squash = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Whether a label of a host, or the owner in a path, is the skill's owner. */
const isOwn = (name: string, { owner = '' }: SkillNames): boolean =>
  name.length >= 3 && squash(owner) === squash(name)

const judgeHost = (host: string, path: string, names: SkillNames): HostKind => {
  if (IPV4.test(host)) return HARMLESS_IPV4.test(host) ? 'trusted' : 'throwaway'
  if (isIn(THROWAWAY, host)) return 'throwaway'
  if (HAS_OWNERS.test(host)) {
    const owner = path.split('/')[1]?.toLowerCase() ?? ''
    return TRUSTED_OWNERS.has(owner) || isOwn(owner, names) ? 'trusted' : 'other'
  }
  return isIn(TRUSTED, host) || isOwn(host.split('.').at(-2) ?? '', names) ? 'trusted' : 'other'
}

interface Address {
  host: string
  kind: HostKind
}

/** Lists the addresses in a text. */
export const listAddresses = (text: string, names: SkillNames): Address[] =>
  [...text.matchAll(ADDRESS)].map(([, found = '', path = '']) => {
    const host = found
      .toLowerCase()
      .replace(/^www\./, '')
      .replace(/\.+$/, '')
    return { host, kind: judgeHost(host, path, names) }
  })

const WORST_FIRST: readonly HostKind[] = ['throwaway', 'other', 'trusted']

/** Returns the reputation of the worst address in a text. */
export const judgeAddresses = (text: string, names: SkillNames): HostKind => {
  const kinds = new Set(listAddresses(text, names).map(({ kind }) => kind))
  return WORST_FIRST.find((kind) => kinds.has(kind)) ?? 'none'
}
