import type { HostKind } from './rule.ts'

/** Installers of vendors, by their whole address without the scheme. A name in capitals stands for a version. */
const INSTALLERS = new Set(
  `astral.sh/uv/install.sh astral.sh/uv/install.ps1 astral.sh/ruff/install.sh ollama.com/install.sh mise.run mise.run/bash
  bun.sh/install bun.sh/install.ps1 bun.com/install bun.com/install.ps1 deno.land/install.sh deno.land/install.ps1
  sh.rustup.rs get.docker.com get.pnpm.io/install.sh get.pnpm.io/install.ps1 install.python-poetry.org pixi.sh/install.sh
  pyenv.run get.sdkman.io get.volta.sh starship.rs/install.sh get.k3s.io get.helm.sh nixos.org/nix/install
  install.determinate.systems/nix claude.ai/install.sh claude.ai/install.ps1 cursor.com/install opencode.ai/install
  antigravity.google/cli/install.sh aspire.dev/install.sh aspire.dev/install.ps1 fly.io/install.sh tailscale.com/install.sh
  cli.doppler.com/install.sh resend.com/install.sh resend.com/install.ps1 fluxcd.io/install.sh run.linkerd.io/install
  istio.io/downloadistio aka.ms/installazureclideb sdk.cloud.google.com dot.net/v1/dotnet-install.sh
  dot.net/v1/dotnet-install.ps1 community.chocolatey.org/install.ps1 get.scoop.sh elastic.co/start-local clickhouse.com
  clickhouse.com/cli rover.apollo.dev/nix/latest rover.apollo.dev/win/latest mcp.apollo.dev/download/nix/latest
  mcp.apollo.dev/download/win/latest public.cdn.getdbt.com/fs/install/install.sh deb.nodesource.com/setup_lts.x
  rpm.nodesource.com/setup_lts.x get.nextflow.io get.maestro.mobile.dev moonrepo.dev/install/proto.sh
  foundry.paradigm.xyz install.astronomer.io get.pulumi.com cli.github.com/install.sh arduino.github.io/install.sh
  raw.githubusercontent.com/homebrew/install/head/install.sh raw.githubusercontent.com/auth0/auth0-cli/main/install.sh
  raw.githubusercontent.com/nvm-sh/nvm/VERSION/install.sh raw.githubusercontent.com/helm/helm/main/scripts/get-helm-3
  raw.githubusercontent.com/anchore/syft/main/install.sh raw.githubusercontent.com/anchore/grype/main/install.sh
  raw.githubusercontent.com/aquasecurity/trivy/main/contrib/install.sh deb.nodesource.com/setup_VERSION
  rover.apollo.dev/nix/VERSION rover.apollo.dev/win/VERSION lambdalabs.com/install-lambda-stack.sh fnm.vercel.app/install
  get.chezmoi.io get.submariner.io install.pi-hole.net
  railway.com/install.sh agents.railway.com encore.dev/install.sh encore.dev/install.ps1 cli.tavily.com/install.sh
  browser-use.com/profile.sh get.flashlight.dev`.split(/\s+/),
)

/** Versions in the addresses of installers. */
const VERSION = /(?<=[/_])(?:v\d{1,3}(?:\.\d{1,4}){1,3}|\d{1,2}\.x)(?=\/|$)/

/** Hosts of vendors where nobody else can store a file; their subdomains count as well. */
const TRUSTED = new Set(
  `anthropic.com claude.ai claude.com openai.com chatgpt.com aka.ms apple.com docker.com nodejs.org nodesource.com
  pnpm.io bun.sh bun.com deno.com python.org python-poetry.org astral.sh pixi.sh rustup.rs rust-lang.org golang.org
  go.dev php.net getcomposer.org debian.org ubuntu.com nixos.org brew.sh scoop.sh chocolatey.org sdkman.io dot.net
  kubernetes.io k8s.io helm.sh k3s.io hashicorp.com pulumi.com vercel.com cloudflare.com fly.io railway.com stripe.com
  sentry.io datadoghq.com grafana.com elastic.co mongodb.com redis.io postgresql.org flutter.dev dart.dev android.com
  starship.rs mise.run volta.sh cursor.com opencode.ai semgrep.dev snyk.io mozilla.org gnu.org kernel.org tailscale.com
  doppler.com 1password.com auth0.com resend.com apollo.dev aspire.dev getdbt.com dagster.io astronomer.io
  databricks.com snowflake.com fluxcd.io linkerd.io istio.io argoproj.io ollama.com pytorch.org nvidia.com
  openrouter.ai larksuite.com feishu.cn solana.com foundry.paradigm.xyz arize.com w3.org download.microsoft.com
  learn.microsoft.com dl.google.com cloud.google.com api.slack.com api.telegram.org api.github.com
  repo.anaconda.com apt.llvm.org
  www.googleapis.com oauth2.googleapis.com`.split(/\s+/),
)

/**
 * Hosts whose content nobody is responsible for: pastes, files, request bins, tunnels, short links, free hosting. Only
 * the subdomains of a host with a dot before it are such hosts.
 */
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
  000webhostapp.com infinityfreeapp.com .duckdns.org ngrok.pizza tiiny.site`.split(/\s+/),
)

/** Owners of trusted repositories, on hosts where the owner is the first part of a path. */
const TRUSTED_OWNERS = new Set(
  `homebrew kubernetes-sigs nvm-sh pyenv asdf-vm ohmyzsh rust-lang anthropics openai google microsoft docker helm kubernetes k3s-io
  hashicorp aquasecurity anchore golangci astral-sh denoland oven-sh pnpm nodejs python vercel supabase github cli
  gitlab-org aws azure googlecloudplatform expo facebook apache gitleaks trufflesecurity semgrep snyk argoproj fluxcd
  istio cilium prometheus grafana huggingface pytorch nvidia ollama astronomer dagster-io larksuite apollographql
  getsentry auth0 resend foundry-rs obsidianmd`.split(/\s+/),
)

const HAS_OWNERS =
  /^(?:(?:raw|gist)\.githubusercontent|(?:gist\.)?github|gitlab|bitbucket)\.(?:com|org)$/

const ADDRESS = /\b(?:https?|ftp):\/\/([^\s"'`<>|]{1,600})/gi

/** A command whose words are addresses, even without a scheme. */
const DOWNLOAD = /\b(?:(curl)|(wget)|iwr|irm|Invoke-\w{10,11})\b([^|;&\n]{1,600})/gi

/** Options of both programs whose next word is no address. */
const TAKES_WORD =
  /^(?:-\w{0,8}[oTdFHueAxXKbcPm]|--(?:output|data|header|form|user|proxy|request|max-time|retry|cacert|cert|key)[\w-]{0,20}|-OutFile)$/
const TAKES_FILE = /^-\w{0,6}O$/

/** Options of curl and wget that lead an address elsewhere, or trust whoever answers. */
const REROUTES =
  /\b(?:curl\s(?:[^|;&\n]{0,300}\s)?-\w{0,8}[kKx]|(?:curl|wget)\s(?:[^|;&\n]{0,300}\s)?--(?:\w{0,8}proxy|socks\w{1,9}|connect-to|resolve|doh-url|config|insecure|no-check-certificate))\b/

const BARE = /^["']?((?:[a-z\d-]{1,60}\.){1,6}[a-z]{2,20}(?:[:/?#][^"'`)]{0,400})?)["')]{0,3}$/i

/** Whether the word after an option of curl or wget is no address. */
export const takesWord = (option: string, isCurl: boolean): boolean =>
  TAKES_WORD.test(option) || (!isCurl && TAKES_FILE.test(option))

/** Lists words of download commands that are addresses without a scheme. */
const listBare = (text: string): string[] =>
  [...text.matchAll(DOWNLOAD)].flatMap(([, curl, wget, rest = '']) => {
    const words = rest.trim().split(/\s+/)
    return words.flatMap((word, at) => {
      const option = words[at - 1] ?? ''
      const isValue =
        (curl ?? wget) ? takesWord(option, curl !== undefined) : /^-OutFile$/i.test(option)
      return isValue || option.startsWith('>') ? [] : (BARE.exec(word)?.[1] ?? [])
    })
  })

const IPV4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/

/** Names and addresses that are reserved for samples and for the machine itself (RFC 2606, 6761, 5737, 3849). */
const RESERVED =
  /(?:^|\.)(?:test|example|invalid|localhost|example\.(?:com|net|org))$|^(?:0|127|192\.0\.2|198\.51\.100|203\.0\.113)\.[\d.]+$|^\[(?:::1?|2001:db8:.*)\]$/
/** The reader's own network, and public resolvers. */
const HARMLESS_IPV4 = /^(?:10|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|8\.8|1\.[0-2])\./
/** Placeholders that no author of a skill can register, because they are taken. */
const TAKEN =
  /(?:^|\.)(?:(?:your|my)-?(?:domain|server|site|company|app)|company|domain|website|site|contoso|acme|evil|attacker)\.com$/
/** A placeholder below the domain of a vendor: `your-tenant.auth0.com`. */
const OF_READER = /^(?:your|my)-[\w-]+\./

/** A placeholder for the reader's own Worker. Nobody answers there: a Worker's address has two names before the domain. */
const OWN_WORKER = /^(?:your|my)-[\w-]+\.workers\.dev$/

const isIn = (list: ReadonlySet<string>, host: string): boolean => {
  for (let at = 0; at >= 0; at = host.indexOf('.', at + 1))
    if (list.has(host.slice(at === 0 ? 0 : at + 1)) || list.has(host.slice(at))) return true
  return false
}

const HOST = /^(?:[a-z\d_-]{1,63}\.){0,10}[a-z\d_-]{1,63}\.?$/

const judgeHost = (host: string, path: string): HostKind => {
  if (IPV4.test(host))
    return RESERVED.test(host) || HARMLESS_IPV4.test(host) ? 'installer' : 'throwaway'
  const address = `${host}${path}`.replace(VERSION, 'VERSION').replace(/\/$/, '')
  if (INSTALLERS.has(address)) return 'installer'
  if (OWN_WORKER.test(host)) return 'installer'
  if (isIn(THROWAWAY, host)) return 'throwaway'
  if (HAS_OWNERS.test(host)) {
    const isPlain = /^(?:\/[\w-][\w.-]{0,100}){2}/.test(path) && !/\.\.|[\\%{}$]/.test(path)
    return isPlain && TRUSTED_OWNERS.has(path.split('/')[1] ?? '') ? 'trusted' : 'other'
  }
  return isIn(TRUSTED, host) ? 'trusted' : 'other'
}

interface Address {
  host: string
  kind: HostKind
}

/** Lists the addresses in a text. An address whose host cannot be read with certainty is another host. */
export const listAddresses = (text: string): Address[] => {
  const written = Array.from(text.matchAll(ADDRESS), ([, rest = '']) => rest)
  const isRerouted = REROUTES.test(text)
  return [...written, ...listBare(text)].flatMap((rest) => {
    const [, authority = '', path = ''] = /^([^/?#\\]*)(.*)$/s.exec(rest.toLowerCase()) ?? []
    const named = authority.slice(authority.lastIndexOf('@') + 1).replace(/[)\],;*:.]*$/, '')
    // A variable or a placeholder is no address.
    if (/^[${<[(]/.test(named) || named === '') return []
    const host = named.replace(/:\d{1,5}$/, '').replace(/^www\./, '')
    if (!HOST.test(host)) return [{ host, kind: 'other' }]
    const kind = judgeHost(host, path.replace(/[)\],;*.:]*$/, ''))
    const isOther = isRerouted && kind === 'installer' && !IPV4.test(host)
    return [{ host, kind: isOther ? 'other' : kind }]
  })
}

const WORST_FIRST: readonly HostKind[] = ['throwaway', 'other', 'trusted', 'installer']

/** Returns the reputation of the worst address in a text. */
export const judgeAddresses = (text: string): HostKind => {
  const kinds = new Set(listAddresses(text).map(({ kind }) => kind))
  return WORST_FIRST.find((kind) => kinds.has(kind)) ?? 'none'
}

/** Reserved names, and placeholders that nobody can register for an attack. */
export const isSampleHost = (host: string): boolean =>
  RESERVED.test(host) ||
  TAKEN.test(host) ||
  OWN_WORKER.test(host) ||
  (OF_READER.test(host) && isIn(TRUSTED, host))
