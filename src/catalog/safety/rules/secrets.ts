import { isSuspicious, isTrusted, judgeHost, readAddress, kindsIn } from '../hosts.ts'
import type { HostKind } from '../hosts.ts'
import { ALL_REGIONS, COMMANDS, PROSE_REGIONS } from '../rule.ts'
import type { Judgement, Place, SafetyRule, SkillNames } from '../rule.ts'

const secrets = 'Credentials'
const sends = 'Sends away'

/** Files that hold credentials, as a command names them. */
const CREDENTIAL_FILE = String.raw`(?:(?:~|\$\{?HOME\}?|\/root|\/home\/[\w*$.{}-]{1,30}|\/Users\/[\w*$.{}-]{1,30}|%USERPROFILE%|\$env:USERPROFILE|expanduser\([^)]{0,20}|homedir\(\)[^\n]{0,12})?[\\/"', ~]{0,4}(?:\.ssh\/(?:id_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|\*|id_\*)|\.aws\/credentials|\.netrc\b|\.git-credentials\b|\.(?:ssh|aws|gnupg)\/?(?=["'\s]|$)|\.config\/gcloud\/(?:application_default_credentials|credentials|access_tokens)[\w.]{0,6}|\.azure\/(?:accessTokens|msal_token_cache)[\w.]{0,6}|\.docker\/config\.json|\.npmrc\b|\.pypirc\b|\.kube\/config\b|\.gnupg\/(?:private|secring)[\w.-]{0,20}|\.(?:openclaw|clawdbot|moltbot|claude|codex|gemini)\/(?:\.env|\.?credentials(?:\.json)?|auth(?:-profiles)?\.json|oauth_creds\.json)|\.electrum\/wallets|\.ethereum\/keystore|\.config\/solana\/id\.json|\.bitcoin\/wallet\.dat|wallet\.dat\b)|\/etc\/shadow\b)`

const READS = String.raw`(?:\b(?:cat|less|more|head|tail|cp|scp|rsync|tar\s{1,3}\S{1,8}|zip|gzip|base64|xxd|type|copy|get-content|gc|grep|awk|sed|strings|upload|send|read|open|readfile(?:sync)?|read_text|fs\.\w{4,14})\b|[<@])`

/** Words of skills about a product that keeps its keys in such a file. */
const KEPT_BY: readonly (readonly [RegExp, RegExp])[] = [
  [/\.aws\b/, /\baws\b|amazon/i],
  [/\.ssh\b/, /\bssh\b|server|\bgit\b/i],
  [/\.docker\b/, /docker|container/i],
  [/\.(?:npmrc|pypirc)\b/, /\bnpm\b|package|publish/i],
  [/\.kube\b/, /kube|k8s/i],
  [/gcloud/, /\bgcp\b|google|gcloud/i],
  [/\/etc\/shadow/, /linux|unix|permission/i],
]

const isItsTask = (match: string, { name, description }: SkillNames): boolean =>
  KEPT_BY.some(([file, about]) => file.test(match) && about.test(`${name} ${description}`))

const READS_CREDENTIAL = new RegExp(
  `${READS}[^\\n|;&]{0,80}?${CREDENTIAL_FILE}|open\\([^\\n]{0,60}${CREDENTIAL_FILE}`,
  'i',
)

const SENDS_NEAR =
  /\b(?:curl|wget|nc|ncat|git\s{1,3}push|requests\.post|fetch\(|axios|http\.request|urlopen|invoke-(?:webrequest|restmethod)|scp|rsync)\b/i

const FILES_OF_CREDENTIALS = new RegExp(CREDENTIAL_FILE, 'gi')

const WELL_KNOWN_SECRET =
  /\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}\b|\bgithub_pat_[A-Za-z0-9_]{60,90}\b|\bglpat-[A-Za-z0-9_-]{20}\b|\bsk-(?:ant-|proj-|or-v1-)?[A-Za-z0-9_-]{32,160}|\bxox[abprs]-[0-9A-Za-z-]{20,80}|\bAIza[0-9A-Za-z_-]{35}\b|\b[sr]k_live_[0-9A-Za-z]{20,99}\b|\bSG\.[\w-]{22}\.[\w-]{43}\b|\bnpm_[A-Za-z0-9]{36}\b|\bhf_[A-Za-z0-9]{34}\b|\b\d{8,10}:AA[\w-]{33}\b|https:\/\/hooks\.slack\.com\/services\/T[0-9A-Z]{8,12}\/B[0-9A-Z]{8,12}\/[A-Za-z0-9]{24}/g

/** Entropy of a text in bits per character; words and repeated letters have little. */
const entropyOf = (text: string): number => {
  const counts = new Map<string, number>()
  for (const one of text) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...counts.values()].reduce(
    (sum, count) => sum - (count / text.length) * Math.log2(count / text.length),
    0,
  )
}

/** Whether a secret is a sample: a vendor's example, or made-up characters. */
const isSampleSecret = (secret: string): boolean =>
  /example|sample|dummy|fake|test|your|xxx|placeholder|redacted|\.\.\.|abcd|1234|0000|changeme|insert|secret[-_]?key|t0{6}|demo|mock/i.test(
    secret,
  ) || entropyOf(secret.replace(/^[a-z]{2,4}[_-]/i, '')) < 3.3

const judgeTunnel = (kind: HostKind): Judgement =>
  isTrusted(kind) ? undefined : kind === 'bare' ? 'high' : 'medium'

const judgeEnvironment = ([match]: RegExpExecArray, { text }: Place): Judgement =>
  /\b(?:curl|wget|nc|fetch|post|requests|axios|send|upload|base64|webhook|socket|urlopen|https?)\b/i.test(
    text,
  )
    ? 'high'
    : /JSON\.stringify|json\.dumps|\/proc\//.test(match)
      ? 'low'
      : 'medium'

const CALLS =
  /\b(?:curl|wget|fetch|axios|requests?\.\w{3,7}|httpx|urlopen|http\.\w{3,7}|invoke-(?:webrequest|restmethod)|iwr|irm|post|send|upload|exfil\w{0,6}|websocket|connect|beacon|report)\b|\b(?:url|endpoint|webhook|host|server|c2|api|base|addr)\w{0,12}["']?\s{0,3}[:=]|\b(?:to|via)\s{1,3}[`"<(]{0,2}https?:/i

/** A sentence that says to send something somewhere. */
const SENDS_PROSE =
  /\b(?:send|post|upload|forward|transmit|exfiltrate|submit|report|e-?mail|deliver|leak|copy|append|include|encode)\b(?:[^.\n]{1,40}(?:(?<=[\s`"'(])\.env\b|~\/\.[\w./-]{2,40})|[^.\n]{0,80}\b(?:conversation|chat (?:history|log)|history|transcript|credentials?|passwords?|secrets?|api[ _-]?keys?|tokens?|private keys?|ssh keys?|environment variables?|env(?:ironment)?(?: vars)?|source (?:code|files?)|(?:project|workspace|repository)(?:['’]s)? (?:files|contents?)|codebase|(?:whole|entire|complete) (?:repository|project|workspace|folder)|(?:file )?contents? of|file contents?|user(?:'s)? (?:data|input|prompt|messages?|files?|information)|(?:every|each|all)\s(?:\w{1,12}\s)?(?:e-?mails?|messages?|documents?|files?|invoices?)|system prompt|memory|workspace|output)\b)[^\n]{0,120}?\b(?:to|at|via|in|into)\b\s{1,3}[^\n]{0,40}?(https?:\/\/[^\s)`"'>\]]{4,200}|[\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10}\b)|(?<=(?:^|[.:;,*]\s{0,3}|\b(?:also|and|then|must|should|always)\s))(?:forward|bcc|cc|copy)\b[^.\n]{0,60}\bto\b\s{1,3}[`"'<]{0,2}([\w.+-]{1,40}@[\w-]{1,40}\.[a-z]{2,10}\b)/gi

/** Rules for what reads or leaks secrets, and what sends data out. */
export const SECRET_RULES: readonly SafetyRule[] = [
  {
    id: 'credential-files',
    group: secrets,
    severity: 'medium',
    where: [...COMMANDS, 'front matter'],
    finds: 'a command or a call that reads a file of keys, tokens or wallets',
    says: 'reads a file that holds credentials',
    remedy: 'Say why it is needed; better, take an agent, single sign-on or one variable.',
    fooled:
      'Guides to deployment and to keys themselves. Naming such a file without reading it is no finding.',
    words:
      '/.ssh|/.aws|/.gnupg|.ssh/|credentials|.netrc|.npmrc|.pypirc|.kube/|.gnupg|.docker/config|wallet|keystore|solana/id|/etc/shadow|auth-profiles|.openclaw/|.clawdbot/|msal_token|accesstokens|oauth_creds|.codex/auth',
    pattern: READS_CREDENTIAL,
    judge: ([match], place) => {
      const { region, text, file, line } = place
      // Connecting with a key, setting its permissions or creating one is normal use.
      if (
        /\b(?:ssh-keygen|ssh-add|ssh-copy-id|chmod|ls|kubectl|--kubeconfig|KUBECONFIG|npm config|grep -v|gh secret set|type=secret|touch|mkdir|edit|nano|vim|code)\b|\.pub\b|\s-i\s|(?:>>?|\btee\b)\s{0,3}["']?~?[/\w.$"]{0,20}\.(?:npmrc|pypirc|netrc|docker|aws|ssh|kube)|^\s{0,8}(?:COPY|ADD)\s|grep -[qc]/.test(
          text,
        )
      )
        return undefined
      if (region === 'prose' || region === 'table') {
        // One such file may be the skill's subject; two in one order are a collection.
        if (
          text
            .match(FILES_OF_CREDENTIALS)
            ?.slice(1)
            .some((one) => one !== text.match(FILES_OF_CREDENTIALS)?.[0]) &&
          /\b(?:run|read|take|print|include|collect|extract|output|cat)\b[^\n]{0,30}`/i.test(
            text,
          ) &&
          !/\b(?:only|consent|never|not|ask)\b/i.test(text)
        )
          return 'medium'
        return /\b(?:cat|send|upload|read|copy|include|collect|base64)\b/i.test(match) &&
          kindsIn(text, file).some((kind) => !isTrusted(kind))
          ? 'high'
          : undefined
      }
      const near = file.lines
        .slice(Math.max(0, line - 3), line + 6)
        .join('\n')
        .slice(0, 2_000)
      if (SENDS_NEAR.test(near) && kindsIn(near, file).some((kind) => !isTrusted(kind)))
        return 'high'
      if (region === 'fence' && isItsTask(match, file.names))
        return ['low', 'what the skill is about']
      // A sentence of a comment reads nothing.
      return /^(?:read|open|send|upload|type|copy)\s{1,3}[a-z]/i.test(match) ? undefined : 'medium'
    },
  },
  {
    id: 'other-programs-secrets',
    group: secrets,
    severity: 'high',
    where: COMMANDS,
    finds:
      'reading of passwords, cookies or keys that browsers, the system or wallets keep for themselves',
    says: 'takes secrets that another program keeps',
    remedy: 'A skill has no business there; delete it.',
    fooled: 'Tools that import cookies of the user’s own browser; sample data.',
    words:
      'credential fill|keychain|lsass|mimikatz|login data|cookies.sqlite|logins.json|key4.db|local extension settings|local state|sekurlsa|secretsdump|lazagne|vault dump|display dialog|exodus.wallet|tdata|local storage|browser_cookie3|rookiepy|_history',
    pattern:
      /\bgit\s{1,3}credential\s{1,3}fill\b|\bsecurity\s{1,3}(?:dump-keychain|find-(?:generic|internet)-password\b[^\n]{0,80}-[ag]?w\b)|\blogin\.keychain(?:-db)?\b|\blsass\b[^\n]{0,40}\b(?:dump|dmp|minidump|procdump)\b|\bprocdump\b[^\n]{0,40}\blsass\b|\bsekurlsa::|\bmimikatz\b[^\n]{0,40}(?:\.exe|::|privilege)|\bsecretsdump\.py\b|\blazagne\b[^\n]{0,20}\b(?:all|browsers)\b|(?:User Data|Default|Profile \d|Application Support|Chrome|Brave|Edge|Mozilla|Firefox)[^\n]{0,60}[\\/"', ](?:Login Data|cookies\.sqlite|logins\.json|key4\.db|Local Extension Settings)\b|\b(?:exodus\.wallet|Telegram Desktop[\\/]{1,2}tdata|atomic[\\/]{1,2}Local Storage|discord[\\/]{1,2}Local Storage)\b|\bdisplay dialog\b[^\n]{0,200}\bhidden answer\b|\b(?:browser_cookie3|rookiepy)\.(?:load|\w{4,10})\(\s{0,3}(?:\)|domain_name\s{0,3}=\s{0,3}(?:""|''))|\.(?:bash|zsh)_history\b[^\n]{0,80}\|\s{0,3}(?:e?grep|rg|awk|sed|strings)\b[^\n]{0,80}(?:pass|token|secret|key)|\b(?:e?grep|rg)\b[^\n]{0,80}(?:pass|token|secret|key)[^\n]{0,80}\.(?:bash|zsh)_history\b/i,
    judge: ([match], { region }) =>
      /find-(?:generic|internet)-password/i.test(match)
        ? 'low'
        : region === 'prose' || region === 'table'
          ? 'medium'
          : 'high',
  },
  {
    id: 'environment-dump',
    group: secrets,
    severity: 'high',
    where: COMMANDS,
    finds: 'the whole environment, written out or sent, where one variable would do',
    says: 'takes the whole environment, with every secret in it',
    remedy: 'Read only the variable that is needed.',
    fooled: 'An environment that is passed on to a child process is left out.',
    words: 'env |$(env|`env|printenv|environ|process.env|env:|env.to|export -p',
    pattern:
      /(?:^|[\s;&|$(`])(?:env|printenv|export\s{1,2}-p|set)\s{0,3}(?:\|\s{0,3}(?:sort\s{0,3}\|\s{0,3})?(?:base64|curl|nc|ncat|wget|gzip|openssl|xxd)\b)|(?<=\s)(?:-d|--data\S{0,12}|-F|--form)[\s=]{0,3}["']?[^\n]{0,60}(?:\$\(|`)(?:env|printenv|set)\b|JSON\.stringify\(\s{0,3}(?:\{\s{0,3}\.\.\.)?process\.env\s{0,3}[,)}]|json\.dumps\(\s{0,3}(?:dict\()?os\.environ(?:\.copy\(\))?\s{0,3}[,)]|\b(?:data|json|params|body|payload)\s{0,3}[=:]\s{0,3}(?:dict\(|\{\*\*)?\s{0,3}(?:os\.environ|process\.env)\s{0,3}(?:[,)}]|$)|\b(?:http\.Post|NewRequest|Post)\([^\n]{0,160}os\.Environ\(\)|\b(?:requests|httpx|axios)\.post\([^\n]{0,200}os\.environ(?:\.items\(\)|\.copy\(\)|[)}])|\bENV\.(?:to_h|to_json|inspect)\b[^\n]{0,80}\b(?:http|post|send)|\/proc\/(?:self|\d{1,6}|\*)\/environ\b|get-childitem\s{1,3}env:[^\n]{0,40}\||(?:os\.environ\.items\(\)|Object\.(?:entries|keys)\(process\.env\))[^\n]{0,160}(?:KEY|TOKEN|SECRET|PASS)[^]{0,400}?(?:requests\.post|fetch\(|axios|urlopen|http\.request)/i,
    span: 6,
    judge: judgeEnvironment,
  },
  {
    id: 'key-sweep',
    group: secrets,
    severity: 'high',
    where: COMMANDS,
    finds: 'a search of the home folder or the whole disk for keys, wallets or environment files',
    says: 'searches the whole disk or the home folder for secrets',
    remedy: 'Limit the search to the project’s folder.',
    fooled: 'Scanners for leaked secrets.',
    words: 'find |grep |glob|rglob|os.walk|get-childitem|get-childitem|home()|expanduser',
    pattern:
      /\bfind\s{1,3}["']?(?:\/|~|\$\{?HOME\}?|\/home|\/Users|\/root)["']?(?=\s)[^\n]{0,200}(?:\.env\b|\.pem\b|id_rsa|id_ed25519|\*?\.key\b|wallet|credential|\.aws|\.kdbx|seed|keystore|password)|\b(?:grep|rg)\s[^\n]{0,80}(?:api[_-]?key|secret|password|token|private key|mnemonic|BEGIN [A-Z ]{0,12}PRIVATE)[^\n]{0,80}\s["']?(?:\/|~\/?|\$\{?HOME\}?\/?|\/home\/?|\/Users\/?)["']?(?=\s|$|\||;|2>)|(?:glob|rglob|os\.walk)\([^\n]{0,60}(?:home|~|expanduser|"\/")[^\n]{0,80}(?:\.env|\.pem|id_rsa|wallet|credential|\.key\b)|\bGet-ChildItem\b[^\n]{0,120}-(?:Include|Filter)\b[^\n]{0,80}(?:kdbx|id_rsa|\.pem|wallet|\.env\b|\.key\b)|(?:\bhome\(\)|expanduser\([^\n)]{0,10}\)\)?)[^\n]{0,20}\.r?glob\([^\n]{0,60}(?:\.env|\.pem|id_|wallet|credential|\.key\b|\.kdbx)/i,
  },
  {
    id: 'cloud-metadata',
    group: secrets,
    severity: 'medium',
    where: COMMANDS,
    finds: 'a call to the address at which a cloud hands its machines their credentials',
    says: 'fetches the credentials of the machine it runs on',
    remedy: 'Give the task a role of its own, and let the vendor’s client sign in.',
    fooled: 'Lessons about attacks on servers; scripts that only ask for a region are left out.',
    words: '169.254.169.254|metadata.google.internal|169.254.170.2',
    pattern:
      /\b(?:curl|wget|requests\.\w{3,4}|fetch|urlopen|invoke-\w{7,10}|iwr|irm|httpx\.\w{3,4}|axios\S{0,6})\b[^\n]{0,160}(?:169\.254\.169\.254\/[^\s"']{0,60}(?:security-credentials|oauth2)|metadata\.google\.internal\/[^\s"']{0,60}(?:token|identity)|169\.254\.170\.2)/i,
  },
  {
    id: 'secret-elsewhere',
    group: sends,
    severity: 'high',
    where: [...COMMANDS, 'front matter'],
    finds: 'the key of a well-known service beside a host that nobody can be held to',
    says: 'gives the key of one service to another’s host',
    remedy: 'Send a key to the service it belongs to only.',
    fooled: 'Proxies that the user runs; only free hosting, bare addresses and the like are told.',
    words:
      'openai_api_key|anthropic_api_key|github_token|gh_token|aws_secret|gemini_api_key|google_api_key|npm_token|anthropic_base_url|openai_base_url|openai_api_base|anthropic_auth_token|stripe_secret|slack_bot_token',
    pattern:
      /\b(?:(?:OPENAI|ANTHROPIC|GEMINI|GOOGLE)_API_KEY|ANTHROPIC_AUTH_TOKEN|(?:GITHUB|GH|NPM|SLACK_BOT)_TOKEN|AWS_SECRET\w{0,12}|STRIPE_SECRET\w{0,4}|(?:ANTHROPIC|OPENAI)_(?:BASE_URL|API_BASE))\b[^\n]{0,200}/i,
    judge: ([match], { file, text }) => {
      const kinds = kindsIn(text, file)
      if (!kinds.some((kind) => isSuspicious(kind) && kind !== 'hook' && kind !== 'paste'))
        return undefined
      // The place where a key is obtained is not where it is sent.
      return /_(?:BASE_URL|API_BASE)\b/i.test(match) ||
        CALLS.test(text) ||
        /\b(?:call(?:s|ing)?|headers?|include|pass)\b/i.test(text)
        ? 'high'
        : undefined
    },
  },
  {
    id: 'secret-value',
    group: secrets,
    severity: 'high',
    where: ALL_REGIONS,
    finds: 'what has the shape of a real token or private key',
    says: 'holds what looks like a real secret',
    remedy: 'Revoke it, and keep secrets out of the skill.',
    fooled:
      'Examples that look real; those that vendors document, and texts of few different letters, are left out.',
    words:
      'akia|ghp_|gho_|ghu_|ghs_|ghr_|github_pat_|glpat-|sk-|xox|aiza|k_live_|sg.|npm_|hf_|:aa|hooks.slack.com/services/t',
    pattern: WELL_KNOWN_SECRET,
    judge: ([secret], { text }) =>
      isSampleSecret(secret) ||
      !/\d/.test(secret) ||
      /\b(?:example|sample|fake|dummy|placeholder|regex|pattern)\b/i.test(text)
        ? undefined
        : 'high',
    isSecret: true,
  },
  {
    id: 'private-key',
    group: secrets,
    severity: 'high',
    where: ALL_REGIONS,
    finds: 'a private key with its body, not its header alone',
    says: 'holds a private key',
    remedy: 'Replace the key wherever it was used, and keep it out of the skill.',
    fooled: 'Keys that were made for a test.',
    words: 'private key-----',
    span: 3,
    pattern: /-----BEGIN (?:[A-Z]{2,9} ){0,2}PRIVATE KEY-----(?:\\n|\s){0,4}([A-Za-z0-9+/]{48,80})/,
    judge: ([, body = '']) => (isSampleSecret(body) || entropyOf(body) < 4 ? undefined : 'high'),
    isSecret: true,
  },
  {
    id: 'asks-for-secret',
    group: secrets,
    severity: 'medium',
    where: PROSE_REGIONS,
    finds:
      'an order to ask the user for a seed phrase, a private key or the password of an account',
    says: 'has the assistant ask for a secret that nobody should type into a chat',
    remedy: 'Sign in with a browser or OAuth; never give a seed phrase to anybody.',
    fooled: 'Setup of wallets for tests.',
    words:
      ' words of|word phrase|word seed|word recovery|seed phrase|recovery phrase|mnemonic|private key|secret phrase|master password|password',
    isWrapped: true,
    pattern:
      /\b(?:ask|prompt|request|tell|instruct|have|require)\b[^.\n]{0,60}\b(?:user|them|customer)\b[^.\n]{0,60}\b(?:seed phrase|recovery phrase|secret phrase|mnemonic|(?:wallet(?:'s)? )?private keys?|(?:master|account|login|e-?mail|bank\w{0,3}|sudo|system|admin|mac|keychain) passwords?)\b|(?<=(?:^|[.,;:*)-]\s{1,3}|\b(?:and|then|please|must|always)\s))ask (?:them |the (?:user|customer) )?for (?:their|the (?:user|customer)['’]s)\b[^.\n]{0,30}\bpasswords?\b|\b(?:types?|enters?|gives?|provides?|pastes?|ask|tells?|sends?|shares?|submits?)\b[^.\n]{0,40}\b(?:12|24|twelve|twenty-four)(?:[ -](?:or|\/)[ -](?:24|twenty-four))?[ -]words?\b[^.\n]{0,30}\b(?:wallet|phrase|seed|recover\w{0,3})\b|\b(?:enter|paste|provide|share|type|input|give)\b[^.\n]{0,40}\b(?:your|the user's)\b[^.\n]{0,30}\b(?:seed phrase|recovery phrase|secret phrase|mnemonic|wallet private key|private key|master password|keychain password)\b/i,
  },
  {
    id: 'request-bin',
    group: sends,
    severity: 'high',
    where: ALL_REGIONS,
    finds: 'an address of a service that collects whatever is sent to it',
    says: 'names a place that collects requests, where data ends up with somebody unknown',
    remedy: 'Name the destination and what is sent; take a host of your own.',
    fooled: 'Guides to testing webhooks.',
    words:
      'webhook.site|requestbin|requestcatcher|pipedream.net|beeceptor|hookbin|postb.in|burpcollaborator|oastify|oast.|interact.sh|interactsh|dnslog|ceye.io|canarytokens|requestrepo|putsreq|webhook.cool',
    pattern:
      /(?:https?:\/\/|[\s"'`(=/@.<])[\w.-]{0,80}\b(?:webhook\.site|requestbin\.(?:com|net|whapi\.cloud)|requestcatcher\.com|pipedream\.net|beeceptor\.com|hookbin\.com|postb\.in|burpcollaborator\.net|oastify\.com|oast\.(?:fun|pro|live|site|online|me)|interact\.sh|interactsh\.com|dnslog\.cn|ceye\.io|canarytokens\.com|requestrepo\.com|putsreq\.com|webhook\.cool)\b[^\s"'`)]{0,100}/i,
    judge: ([match], { text, region }) =>
      // The service's name alone receives nothing; that takes an address of one's own there.
      /your|xxx|<|\{|uuid/i.test(match) ||
      /^\W?(?:https?:\/\/)?(?:www\.)?(?:webhook|beeceptor|requestcatcher|pipedream|hookbin|requestbin|oastify|canarytokens|interactsh|requestrepo|putsreq)\.[a-z.]{2,8}\/?[\W]{0,3}$/i.test(
        match,
      )
        ? 'low'
        : /https?:\/\/[^\s/]{4,90}\/?[\w-]{4,}|\b(?:curl|fetch|post|send|wget)\b/i.test(match) ||
            CALLS.test(text)
          ? region === 'prose' &&
            !/\b(?:send|post|curl|upload|include|append|report|fetch|request)\b/i.test(text)
            ? 'medium'
            : 'high'
          : 'low',
  },
  {
    id: 'chat-hook',
    group: sends,
    severity: 'medium',
    where: ['fence', 'script', 'config', 'comment'],
    finds: 'a Discord or Telegram hook with its secret written out',
    says: 'sends to a chat of somebody whose key is written here',
    remedy: 'Take the address from the user’s own settings.',
    fooled: 'Notifiers with a sample key; placeholders are left out.',
    words: 'api/webhooks/|api.telegram.org/bot',
    pattern:
      /discord(?:app)?\.com\/api\/webhooks\/\d{15,21}\/[\w-]{40,90}|api\.telegram\.org\/bot\d{6,12}:[\w-]{30,40}/i,
    judge: ([match]) => (isSampleSecret(match.replace(/^.*[/:]/, '')) ? undefined : 'high'),
    isSecret: true,
  },
  {
    id: 'paste-site',
    group: sends,
    severity: 'medium',
    where: COMMANDS,
    finds: 'a command that fetches from or sends to a paste site or an anonymous file host',
    says: 'trades with a site where anybody leaves anything unnamed',
    remedy: 'Put the text into the skill; send data to a named host only.',
    fooled: 'Skills about such sites.',
    words:
      'pastebin.com|rentry.co|rentry.org|glot.io|hastebin|paste.ee|dpaste|ghostbin|transfer.sh|file.io|0x0.st|paste.rs|ix.io|termbin|gofile.io|catbox.moe|bashupload|temp.sh|tmpfiles.org|anonfiles',
    pattern:
      /\b(?:curl|wget|nc|iwr|irm|invoke-\w{7,10}|requests?\.\w{3,4}|fetch|urlopen|httpx\.\w{3,4}|axios\S{0,6}|open|start)\b[^\n]{0,200}\b(?:pastebin\.com|rentry\.(?:co|org)|glot\.io|hastebin\.com|paste\.ee|dpaste\.(?:com|org)|ghostbin\.\w{2,3}|transfer\.sh|file\.io|0x0\.st|paste\.rs|ix\.io|termbin\.com|gofile\.io|catbox\.moe|bashupload\.com|temp\.sh|tmpfiles\.org|anonfiles\.com)/i,
    judge: (_, { region, text }) =>
      region === 'prose' && !/\b(?:curl|wget|nc)\b\s/.test(text)
        ? undefined
        : /\||\$\(|-F|-T|--data|-d\b|upload|raw/i.test(text)
          ? 'high'
          : 'medium',
  },
  {
    id: 'tunnel',
    group: sends,
    severity: 'medium',
    where: ['fence', 'script', 'config', 'comment'],
    finds: 'the address of a tunnel, written out: a machine of somebody, for a day',
    says: 'calls a tunnel to somebody’s own machine',
    remedy: 'Name a host that can be held to account.',
    fooled: 'Samples of the user’s own tunnel; those with placeholder names are left out.',
    words: 'ngrok|trycloudflare.com|loca.lt|serveo|localhost.run|lhr.life|pinggy|bore.pub|ssh -',
    pattern:
      /https?:\/\/([\w-]{4,60})\.(?:ngrok(?:-free)?\.(?:io|app|dev)|trycloudflare\.com|loca\.lt|serveo\.net|lhr\.life|(?:a\.)?(?:free\.)?pinggy\.link)|\b(?:[02468]\.tcp\.ngrok\.io|bore\.pub):\d{2,5}|\bssh\s[^\n|;]{0,80}-\w{0,4}R\s{0,2}[\w:.*]{3,60}\s[^\n|;]{0,60}?@([\w.-]{4,80})/i,
    judge: ([, name = 'x', server], { text, file }) =>
      server !== undefined
        ? judgeTunnel(
            judgeHost({ host: server.toLowerCase(), path: '', isPlain: false }, file.names),
          )
        : /abc|xxx|your|my|example|random|test|subdomain|demo|tunnel|1234|sample/i.test(name) ||
            !CALLS.test(text)
          ? undefined
          : 'medium',
  },
  {
    id: 'bare-address',
    group: sends,
    severity: 'high',
    where: ALL_REGIONS,
    finds: 'a call to a public address without a name',
    says: 'calls a machine by its bare address, which names nobody',
    remedy: 'Name a host with a certificate.',
    fooled:
      'Resolvers, private and sample networks are left out; servers of the reader’s own in guides are not.',
    words: 'http://|https://|socket|/tcp/|ssh |nc |scp |rsync |sftp ',
    pattern:
      /\b(?:https?|hxxps?|wss?|ftp|tcp):\/\/(?:\d{1,3}\.){3}\d{1,3}\b[^\s"'`)]{0,120}|\bconnect\(\s{0,3}\(?\s{0,3}["'](?:\d{1,3}\.){3}\d{1,3}["']\s{0,3},|\b(?:scp|rsync|sftp)\s[^\n]{0,120}@(?:\d{1,3}\.){3}\d{1,3}\b/gi,
    judge: ([match], place) => {
      const host = /(?:\d{1,3}\.){3}\d{1,3}/.exec(match)?.[0] ?? ''
      if (judgeHost({ host, path: '', isPlain: true }) !== 'bare') return undefined
      if (/^(?:connect|tcp)/i.test(match)) return 'high'
      if (!CALLS.test(place.text)) return place.region === 'table' ? 'low' : 'medium'
      return /\b(?:curl|wget|fetch|requests|post|send|iwr|irm|download|axios|bash)\b/i.test(
        place.text,
      )
        ? 'high'
        : 'medium'
    },
  },
  {
    id: 'sends-file',
    group: sends,
    severity: 'high',
    where: COMMANDS,
    finds:
      'a file of secrets or the output of a command that is sent to a host which is not a known one',
    says: 'sends files or the output of commands away',
    remedy: 'Name the destination and the data, and ask before each upload.',
    fooled: 'Skills whose task is to upload, where the host is a small vendor’s.',
    words: 'curl|wget|nc |ncat|requests.post|invoke-',
    pattern:
      /\bcurl\b[^\n|;]{0,300}(?:(?:-\w{0,4}[dFT]|--data(?:-binary|-raw|-urlencode)?|--json|--form|--upload-file)\s{0,3}["']?[^\s]{0,60}?(?:@|\$\(|`)|["']\$\(|\?[\w=&]{1,40}\$\()[^\n]{0,300}|\b(?:tar|zip|cat|env|gzip|base64|whoami|hostname|ps|ls|history|pbpaste|xclip|xsel|wl-paste|screencapture|get-clipboard|tail|mysqldump|pg_dump|kubectl|aws|gh|git|find|grep|sqlite3|docker)\b[^\n|]{0,120}\|\s{0,3}(?:(?:base64|gzip|xxd|tr|openssl)\b[^\n|]{0,40}\|\s{0,3}){0,3}(?:curl|nc|ncat)\b[^\n]{0,300}|\brequests\.post\([^\n]{0,200}(?:open\(|check_output|subprocess|os\.environ(?!\s?\[|\.get\())[^\n]{0,200}|\bwget\b[^\n]{0,200}(?:--post-(?:file|data)=|\?[\w=&]{1,40}\$\()[^\n]{0,200}/gi,
    judge: ([match], place) => {
      const kinds = kindsIn(match, place.file)
      const isSecretFile =
        /\.env\b|\.ssh|\.aws|credentials|wallet|id_rsa|\.netrc|passwd|shadow|cookies|Login Data|\$\((?:(?:cat|base64|tar|head|tail)\s[^)\n]{0,30}~|(?:env|printenv|cat\s{1,3}\/etc|history|whoami|hostname|id)\b)|\bgh auth token|credential fill|print-access-token|get-access-token|get\s{1,3}secrets?\b|bundle create|pg_dump|mysqldump|mongodump|find-(?:generic|internet)-password|os\.environ(?!\s?\[|\.get\()/i.test(
          match,
        )
      if (kinds.length === 0) {
        return /\b(?:nc|ncat)\s{1,3}(?:-\w{1,4}\s{1,3}){0,3}(?:\d{1,3}\.){3}\d{1,3}/.test(match)
          ? 'high'
          : undefined
      }
      if (kinds.every((kind) => isTrusted(kind) && !(kind === 'own' && isSecretFile)))
        return isSecretFile && kinds.includes('known') ? ['low', 'to a known host'] : undefined
      if (kinds.every((kind) => kind === 'hook') && !/@|~/.test(match)) return undefined
      return isSecretFile ||
        kinds.some((kind) => isSuspicious(kind) && !['free', 'odd', 'hook'].includes(kind))
        ? 'high'
        : undefined
    },
  },
  {
    id: 'hidden-copy',
    group: sends,
    severity: 'medium',
    where: ['script', 'config', 'fence'],
    finds: 'a blind copy of each mail, to an address that is written out',
    says: 'sends a copy of what is mailed to somebody whom the recipients do not see',
    remedy: 'Delete it, or take the address from the user’s own settings.',
    fooled: 'Archives that an office keeps of its own mail; sample addresses are left out.',
    words: 'bcc',
    pattern:
      /\bbcc["']?\]?\s{0,3}(?:[:=]|,)\s{0,3}\[?["'][\w.+-]{1,40}@((?:[\w-]{1,40}\.){1,3}[a-z]{2,10})["']/i,
    judge: ([, host = '']) =>
      judgeHost({ host: host.toLowerCase(), path: '', isPlain: false }) === 'sample'
        ? undefined
        : 'medium',
  },
  {
    id: 'publishes-secrets',
    group: sends,
    severity: 'high',
    where: [...PROSE_REGIONS, 'fence'],
    finds: 'an order to write secrets into what others read: an issue, a commit, a gist, a message',
    says: 'has the assistant publish secrets of its user',
    remedy: 'Delete it.',
    fooled: 'Warnings not to do so count as low. Other wordings are not seen.',
    words:
      '`env |`printenv|repository secrets|environment variables|credentials|all secrets|every secret|of secrets|api keys|all tokens|private keys|all passwords|.env|.ssh|.aws|.npmrc|.netrc',
    isWrapped: true,
    pattern:
      /\b(?:put|include|append|add|paste|write|embed|encode|attach|copy|insert|post|commit|save|print|echo|output|dump)\b[^.\n]{0,60}(?:\b(?:all|every|the values? of|(?:the )?contents? of|the user['’]s)\b[^.\n]{0,40}(?:\benvironment variables\b|\bcredentials?\b|\bsecrets\b|\bapi keys?\b|\btokens\b|\bprivate keys?\b|\bpasswords\b|\.env\b|\.ssh\b|\.aws\b))[^\n]{0,100}?\b(?:in|into|to|as)\b\s[^.\n]{0,40}?\b(?:issues?|comments?|commit(?: message)?|pr|pull request|gist|header|description|badge|url|query string|its end|logs?|poem)\b|\b(?:issues?|comments?|commits?|pull requests?|replies|reply|answers?|messages?|description)\b[^.\n]{0,80}\b(?:base64|output|result|value)\b[^.\n]{0,30}`(?:env|printenv|set|cat\s{1,3}[^`]{0,20}\.(?:env|netrc|npmrc))\b[^`\n]{0,60}`|\b(?:read|cat|open)\b[^.\n]{0,20}~\/\.(?:ssh|aws|npmrc|netrc|env|config\/gh)[^\n]{0,40}\b(?:append|add|include|put|paste|write|commit)\b[^.\n]{0,40}\b(?:issue|comment|commit(?: message)?|pr|pull request|gist|description)\b/i,
    judge: (found, { region, text }) =>
      /\b(?:never|not|don['’]t|avoid|no)\b/i.test(text.slice(0, found.index + found[0].length))
        ? undefined
        : region === 'fence'
          ? 'low'
          : 'high',
  },
  {
    id: 'sends-in-words',
    group: sends,
    severity: 'high',
    where: [...PROSE_REGIONS, 'fence'],
    finds: 'a sentence that has secrets, files or the conversation sent to an address',
    says: 'has the assistant send what is the user’s to an address',
    remedy: 'Ask the user each time, and name who receives it.',
    fooled: 'Sentences about the API that the skill is for; known hosts count as low.',
    words:
      'send|post|upload|forward|transmit|exfiltrat|submit|report|email|e-mail|append|encode|leak',
    isWrapped: true,
    pattern: SENDS_PROSE,
    judge: ([, sent, forwarded, target = sent ?? forwarded ?? ''], { file, text }) => {
      if (/\bonly (?:ever )?(?:to|send)|\bonly\b[^\n]{0,40}\bto\b/i.test(text)) return undefined
      if (target.includes('@'))
        return /example|your|@company|@domain|test|^(?:user|you|me|name)@/i.test(target)
          ? undefined
          : 'high'
      const address = readAddress(target)
      const kind = address ? judgeHost(address, file.names) : 'sample'
      if (isTrusted(kind)) return undefined
      return isSuspicious(kind) && kind !== 'odd' ? 'high' : 'medium'
    },
  },
  {
    id: 'reverse-shell',
    group: sends,
    severity: 'high',
    where: COMMANDS,
    finds: 'a shell that is handed to another machine',
    says: 'opens a shell to another machine',
    remedy: 'Delete it.',
    fooled: 'Lessons about attacks; a check of a port is left out.',
    words:
      '/dev/tcp|/dev/udp|sh -i|nc |ncat |netcat|mkfifo|dup2|tcpclient|socat|pty.spawn|fsockopen',
    pattern:
      /\b(?:ba|z)?sh\s{1,3}-i\b[^\n]{0,40}(?:>&|<|&>|>)\s{0,3}\/dev\/(?:tcp|udp)\/|\bexec\s{1,3}\d{1,3}<>\s{0,3}\/dev\/(?:tcp|udp)\/|\b(?:nc|ncat|netcat)\b[^\n|;]{0,80}\s-(?:\w{0,4}[ec]\w{0,2}|-(?:sh-)?exec)\s{1,3}["']?(?:\/bin\/|cmd|powershell|bash|sh)|\bexec\s{0,2}\(?\s{0,2}["']\/bin\/(?:ba|z)?sh -i|\bmkfifo\b[^\n]{0,120}\b(?:nc|ncat|netcat)\b|\/bin\/(?:ba)?sh\b[^\n]{0,60}\|\s{0,3}(?:nc|ncat)\b|\bos\.dup2\(\s{0,3}\w{1,12}\.fileno\(\)|\bsocket\b[^\n]{0,200}\bpty\.spawn\(|New-Object\s{1,3}(?:System\.)?Net\.Sockets\.TCPClient\(|\bsocat\b[^\n]{0,100}\bexec:["']?(?:\/bin\/)?(?:ba)?sh|\bfsockopen\([^\n]{0,80}\b(?:exec|shell_exec|proc_open)\(/i,
    judge: ([match], { text }) =>
      /(?:\/dev\/(?:tcp|udp)\/|["'(\s])(?:127\.0\.0\.1|localhost|0\.0\.0\.0|\$\{?(?:HOST|host|DB_HOST)\b)/.test(
        text.slice(text.indexOf(match)),
      )
        ? undefined
        : 'high',
  },
  {
    id: 'shell-on-a-socket',
    group: sends,
    severity: 'high',
    where: ['script', 'fence'],
    finds: 'a shell whose input and output are joined to a connection',
    says: 'hands a shell to whoever is at the other end of a connection',
    remedy: 'Delete it.',
    fooled: 'Lessons about attacks; servers of terminals, whose task this is.',
    words:
      '"sh"|\'sh\'|"/bin/|\'/bin/|net.connect|net.socket|net.createconnection|tls.connect|.pipe(',
    span: 8,
    pattern:
      /\b(?:spawn|exec)\(\s{0,3}["'](?:\/bin\/|\/usr\/bin\/)?(?:ba|z)?sh["'][^]{0,400}\b(?:net\.(?:connect|createConnection|Socket)|tls\.connect)\b|\b(?:net\.(?:connect|createConnection|Socket)|tls\.connect)\b[^]{0,400}\b(?:spawn|exec)\(\s{0,3}["'](?:\/bin\/|\/usr\/bin\/)?(?:(?:ba|z)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?)["']|\.pipe\(\s{0,3}\w{1,20}\.stdin\b[^]{0,200}\.stdout\.pipe\(/,
    judge: ([match], { file: { lines }, line }) =>
      /\b(?:net|tls)\.(?:connect|Socket|createConnection)/.test(
        `${match} ${lines
          .slice(Math.max(0, line - 20), line)
          .join(' ')
          .slice(0, 4_000)}`,
      )
        ? 'high'
        : undefined,
  },
  {
    id: 'dns-smuggling',
    group: sends,
    severity: 'high',
    where: COMMANDS,
    finds: 'a look-up of a name that is put together from data, or a ping filled with it',
    says: 'carries data out in the names it looks up',
    remedy: 'Delete it.',
    fooled: 'Checks of records whose domain is in a variable are left out.',
    words:
      'ping -|dig |nslookup|gethostbyname|getaddrinfo|resolve-dnsname|dns.resolve|dns.lookup|resolver.resolve',
    pattern:
      /\b(?:dig|nslookup)\s[^\n;|]{0,60}(?:\$\([^)\n]{1,80}\)|`[^`\n]{1,80}`)\.[\w.-]{2,60}|\b(?:gethostbyname|getaddrinfo|(?:dns|resolver)\.(?:resolve|lookup)\w{0,5})\(\s{0,3}f?["'`][^"'`\n]{0,40}\{[^}\n]{1,60}\}\.[\w.-]{2,60}["'`]|\b(?:gethostbyname|getaddrinfo|(?:dns|resolver)\.(?:resolve|lookup)\w{0,5})\(\s{0,3}\w[^\n]{0,120}\+\s{0,3}["'][\w.-]{0,40}\.[\w-]{2,40}\.[a-z]{2,10}["']|\bping\b[^\n]{0,40}\s-p\s{0,2}["']?\$|\bResolve-DnsName\b[^\n]{0,40}\$\{?\(?\w{1,20}[^\s"']{0,12}\.[\w-]{2,40}\.[a-z]{2,10}|\b(?:base64|xxd|od)\b[^\n]{0,120}\b(?:dig|nslookup)\b[^\n]{0,40}\$\{?\w{1,20}\}?\.|\|\s{0,3}(?:base64|xxd)[^\n]{0,80}\b(?:dig|nslookup)\b/i,
  },
  {
    id: 'image-beacon',
    group: sends,
    severity: 'medium',
    where: PROSE_REGIONS,
    finds: 'an image, or a call, whose address is to be filled with data of the conversation',
    says: 'carries data out in an address',
    remedy: 'Delete it; show images from fixed addresses.',
    fooled: 'Badges and charts whose address has a placeholder; known hosts are left out.',
    words: '![|<img|followed by|= plus|=` with|=" with|=` plus|=<|=[|q={|c={|d={|m={|t={|s={|a={',
    pattern:
      /!\[[^\]\n]{0,80}\]\(\s{0,3}(https?:\/\/[^\s)]{4,160}[?&][\w-]{1,20}=[^\s)]{0,60}(?:\{\{?|\$\{|<|%7B|\[)\s{0,2}[\w -]{0,20}(?:data|secret|conversation|history|summary|prompt|user|env|token|key|content|context|output|base64|encoded|query|info)\w{0,20})|\b(?:call|fetch|get|load|open|request|ping|visit|hit)\b\s{1,3}(?:the\s|image\s){0,2}[`"'<(]{0,2}(https?:\/\/[^\s`"']{4,160}[?&][\w-]{1,20}=)(?:<|\{|\[)[^>}\]\n]{0,40}\b(?:summary|messages?|conversation|chat|prompt|history|answers?|connection string|password|environment|secrets?|credentials?|base64|url-?encoded)\b|\b(?:call|fetch|get|load|open|request|ping|visit)\b\s{1,3}[`"'<(]{0,2}(https?:\/\/[^\s`"']{4,160}[?&][\w-]{1,20}=)[`"')>]{0,2}\s{1,3}(?:followed by|plus|with|and|\+)\b[^.\n]{0,60}\b(?:message|conversation|prompt|summary|history|input|answer|question)s?\b/i,
    judge: ([, image, filled, called], { file }) => {
      const address = readAddress(image ?? filled ?? called ?? '')
      const kind = address ? judgeHost(address, file.names) : 'sample'
      // A host named after the skill still has no claim to the conversation.
      return isTrusted(kind) && !(kind === 'own' && filled !== undefined) ? undefined : 'medium'
    },
  },
]
