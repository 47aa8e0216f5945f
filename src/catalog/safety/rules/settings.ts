import { isSuspicious, isTrusted, judgeHost, readAddress, linesAround } from '../hosts.ts'
import { COMMANDS } from '../rule.ts'
import type { SafetyRule } from '../rule.ts'

const group = 'Stays, or widens its rights'

const AGENT_FOLDER = String.raw`\.(?:claude|codex|cursor|gemini|openclaw|clawdbot|moltbot|agents|windsurf|copilot|continue|cline|opencode)\/`

/** How a skill describes itself if its task is to schedule things. */
const SCHEDULES =
  /\b(?:cron\w{0,4}|schedul\w{1,5}|timers?|recurring|periodic\w{0,4}|launchd|systemd|daemons?|backups?|reminders?|autostart|at login|daily|nightly|hourly|weekly)\b/i

/** What makes a line in standing instructions more than a habit: the network, a program, or secrecy. */
const RISKY_NEAR =
  /\b(?:curl|wget|npx\s{1,3}(?:-y|--yes)|bash\s{1,3}-c|python3?\s{1,3}-c|node\s{1,3}-e|iex)\b|\b(?:do not|don['’]t|never|without)\b[^.\n]{0,40}\b(?:tell|telling|mention\w{0,3}|ask\w{0,3}|list|show|confirm\w{0,3}|summary)\b|\bsilently\b|bypassPermissions/i

/** An isolated environment, such as a container. */
const CONTAINED =
  /\b(?:containers?|sandbox\w{0,3}|docker|podman|virtual machines?|vms?|devcontainers?|isolated|throwaway|disposable|ephemeral)\b/i

/** Rules for changes to the machine or the assistant beyond the task. */
export const SETTINGS_RULES: readonly SafetyRule[] = [
  {
    id: 'shell-profile',
    group,
    severity: 'medium',
    where: COMMANDS,
    finds: 'a line that is added to a shell’s profile and does more than set a path',
    says: 'has every new shell run something',
    remedy: 'Let the user add the line, and say how to undo it.',
    fooled: 'Hooks of version managers in unusual words; plain paths and variables are left out.',
    words: '.bashrc|.zshrc|.bash_profile|.profile|.zprofile|$profile|config.fish',
    span: 6,
    pattern:
      /\badd-content\b[^\n]{0,40}\$profile\b|(?:echo|printf|cat|tee|add-content)\b[^\n]{0,300}(?:>>|\btee\s{1,3}-a|add-content)[^\n]{0,40}(?:\.(?:bashrc|zshrc|bash_profile|profile|zprofile)\b|\$profile\b|config\.fish)|\.(?:bashrc|zshrc|bash_profile|profile|zprofile)["'][^]{0,200}\b(?:write_text|write|appendFile(?:Sync)?|writeFile(?:Sync)?|writelines)\([^]{0,200}?\b(?:curl|wget|base64|nohup|alias\s(?:sudo|ssh|git|claude))\b/i,
    judge: ([match], { text }) =>
      /\b(?:curl|wget|base64|nc|alias\s{1,3}(?:sudo|ssh|git|claude|npm|cd|ls)\b|irm|iwr|nohup|\/tmp\/|python3?\s{1,3}-c|iex)\b/i.test(
        // A here-document's content is in the lines after its beginning.
        text.split(text.includes('<<') ? /\n\s{0,8}(?:EOF|EOT|END)\b/ : '\n')[0] + match,
      )
        ? 'high'
        : undefined,
  },
  {
    id: 'scheduled-task',
    group,
    severity: 'medium',
    where: ['fence', 'script', 'config', 'comment'],
    finds:
      'an entry in a scheduler or among the programs that start with the system, made by a command',
    says: 'makes itself run again later, by itself',
    remedy: 'Let the user make the entry, and say how to remove it.',
    fooled: 'Skills whose task is to schedule.',
    words:
      'at now|at midnight|crontab|launchagents|launchctl|schtasks|currentversion\\run|currentversion\\\\run|systemctl|register-scheduledtask|itemproperty|systemd|startup|rc.local|autostart|/etc/cron',
    pattern:
      /\|\s{0,3}at\s{1,3}(?:now|midnight)\b|\|\s{0,3}(?:sudo\s{1,3})?crontab\s{1,3}(?:-u\s{1,3}\w{1,20}\s{1,3})?-(?=\s|$|["';)])|(?:>{1,2}|\btee\s{1,3}(?:-a\s{1,3})?)\s{0,3}["']?(?:\/etc\/(?:cron\.\w{1,8}|crontab|rc\.local)|[^\n"']{0,60}LaunchAgents\/[^\n"']{1,60}\.plist|[^\n"']{0,40}systemd\/(?:user|system)\/[^\n"']{1,60}\.(?:service|timer)|[^\n"']{0,40}\.config\/autostart\/)|\blaunchctl\s{1,3}(?:load|bootstrap)\b[^\n]{0,120}|\bschtasks(?:\.exe)?\s{1,3}\/create\b[^\n]{0,200}|\breg(?:\.exe)?\s{1,3}add\b[^\n]{0,80}\\Run\b|\bRegister-ScheduledTask\b|\b(?:copy|move|cp|mv|copy-item)\b[^\n]{0,160}Start Menu[\\/]{1,2}Programs[\\/]{1,2}Startup|\b(?:New|Set)-ItemProperty\b[^\n]{0,120}\\CurrentVersion\\Run\b|\b(?:open|write_text|writeFile(?:Sync)?|copyfile|copy2?)\([^\n]{0,160}(?:LaunchAgents|systemd[\\/]user|etc[\\/]systemd|\.config[\\/]autostart|Programs[\\/]{1,2}Startup|etc[\\/]cron)/i,
    judge: ([match], { text, region, file: { names } }) => {
      if (/\b(?:curl|wget|base64|hidden|-enc)\b|\/tmp\//i.test(text)) return 'high'
      if (/crontab\s{1,3}-l\s{0,3}\|\s{0,3}(?:sed|grep)\b/.test(text))
        return ['low', 'an entry that lies there already']
      if (/systemd/.test(match)) return ['low', 'a service that is set up in the open']
      if (region === 'fence' && /^launchctl/i.test(match))
        return ['low', 'an entry that lies there already']
      return SCHEDULES.test(names.name) || SCHEDULES.test(names.description)
        ? ['low', 'in a skill about schedules']
        : 'medium'
    },
  },
  {
    id: 'assistant-settings',
    group,
    severity: 'medium',
    where: [...COMMANDS, 'front matter'],
    finds: 'a command that writes an assistant’s settings, hooks, memory or standing instructions',
    says: 'changes what the assistant does in every later task',
    remedy: 'Show the exact lines, and let the user apply them.',
    fooled:
      'Generators of AGENTS.md and guides to MCP, whose task this is; files of the project count as low.',
    words:
      'claude.md|agents.md|gemini.md|soul.md|memory.md|heartbeat.md|identity.md|tools.md|settings.json|settings.local.json|mcp.json|.cursorrules|openclaw.json|claude_desktop_config|hooks.json',
    pattern: new RegExp(
      String.raw`(?:>{1,2}|\btee\s{1,3}(?:-a\s{1,3})?|\b(?:cp|mv|install|curl\s[^\n]{0,200}-o|wget\s[^\n]{0,200}-O)\s{1,3}[^\n;|]{0,120}?)\s{0,3}["']?((?:~|\$\{?HOME\}?|\/root|\/home\/\w{1,30}|%USERPROFILE%)?[\w./$ {}-]{0,60}(?:CLAUDE|AGENTS|GEMINI|SOUL|MEMORY|HEARTBEAT|IDENTITY|TOOLS)\.md|(?:~|\$\{?HOME\}?)\/?${AGENT_FOLDER}[\w./-]{0,60}\.(?:json|toml|md)|[^\s"']{0,60}claude_desktop_config\.json)|\b(?:append|write|add|insert|inject|put|save|copy|store)\b[^.\n]{0,80}\b(?:to|into|in|of)\b\s{1,3}(?:your |the |their |user['’]s |the user['’]s ){0,2}[\`"']?((?:~\/)?[\w./~-]{0,40}\b(?:SOUL|HEARTBEAT|IDENTITY|CLAUDE|AGENTS|GEMINI|MEMORY)\.md|~\/\.(?:claude|codex|gemini|cursor)\/settings\.json)|\b(?:append|write)File(?:Sync)?\([^\n]{0,60}(?:homedir\(\)|HOME)[^\n]{0,20}?(${AGENT_FOLDER}[\w./-]{1,40}\.(?:md|json))|\bopen\([^\n]{0,20}(?:expanduser|home\(\)|HOME)[^\n]{0,20}?(${AGENT_FOLDER}[\w./-]{1,40}\.(?:md|json))["')]{1,4},\s{0,3}["'][aw]`,
      'i',
    ),
    judge: (found, { text, region, file, line }) => {
      const target = found[1] ?? found[2] ?? ''
      if (found[3] ?? found[4]) return 'medium'
      if (/\b(?:curl|wget|base64)\b/i.test(text) && /https?:/i.test(text)) {
        const address = readAddress(/https?:\/\/[^\s"'`)]{4,200}/i.exec(text)?.[0] ?? '')
        if (address && !isTrusted(judgeHost(address, file.names))) return 'high'
      }
      if ((region === 'prose' || region === 'table') && RISKY_NEAR.test(linesAround(file, line, 4)))
        return 'medium'
      if (/(?:SOUL|HEARTBEAT|IDENTITY|MEMORY)\.md/i.test(target))
        return /memor|soul|heartbeat|identity/i.test(file.names.name)
          ? ['low', 'in a skill about such files']
          : region === 'prose' || region === 'table'
            ? 'low'
            : 'medium'
      const isReplaced =
        region === 'fence' &&
        />\s{0,3}["']?(?:~|\$\{?HOME)/.test(text) &&
        !/>>/.test(text) &&
        /settings\.json/.test(target)
      if (
        isReplaced &&
        /"(?:hooks|permissions)"/.test(
          file.lines
            .slice(line, line + 8)
            .join('\n')
            .slice(0, 2_000),
        )
      )
        return 'medium'
      return /^(?:~|\$|\/root|\/home|%)/.test(target)
        ? region === 'script'
          ? 'medium'
          : 'low'
        : undefined
    },
  },
  {
    id: 'hook-command',
    group,
    severity: 'medium',
    where: ['fence', 'script', 'config', 'front matter', 'comment', 'prose'],
    finds: 'a hook of an assistant whose command goes to the network',
    says: 'has the assistant run a command with the network at every step, without asking',
    remedy: 'Read the command, and pin what it runs.',
    fooled: 'Lessons about hooks.',
    words: 'pretooluse|posttooluse|sessionstart|userpromptsubmit|"stop"|onstart',
    span: 16,
    pattern:
      /\b(?:PreToolUse|PostToolUse|SessionStart|UserPromptSubmit|Stop|SubagentStop)\b["']?\s{0,3}:[^]{0,500}?["']?command["']?\s{0,3}:\s{0,3}["']([^\n]{0,60}\b(?:curl|wget|nc|iwr|base64\s{1,3}-d)\b[^\n]{0,300})|\b(?:PreToolUse|PostToolUse|SessionStart|UserPromptSubmit)\b[^\n]{0,80}`([^`\n]{0,60}\b(?:curl|wget|nc|iwr)\s[^`\n]{0,300})/,
    judge: ([, written, said, command = written ?? said ?? ''], { file }) => {
      const address = readAddress(/https?:\/\/[^\s"'`)\\]{4,200}/i.exec(command)?.[0] ?? '')
      const kind = address ? judgeHost(address, file.names) : 'unknown'
      return isTrusted(kind) || kind === 'hook' ? 'low' : isSuspicious(kind) ? 'high' : 'medium'
    },
  },
  {
    id: 'approvals-off',
    group,
    severity: 'medium',
    where: [...COMMANDS, 'front matter'],
    finds: 'a switch with which an assistant acts without asking or outside of its sandbox',
    says: 'switches the assistant’s questions to its user off',
    remedy: 'Keep the questions on; allow single commands by name.',
    fooled:
      'Scripts that run an assistant inside a container of their own; texts that only name the switch count as low.',
    words:
      '--dangerously|--yolo|bypasspermissions|bypass-approvals|autoapprove|auto_approve|alwaysallow|danger-full-access|skipdangerous|--allow-all-tools|--trust-all-tools|enableallprojectmcp|"allow"',
    pattern:
      /--dangerously-skip-permissions|--dangerously-bypass-approvals-and-sandbox|--(?:allow|trust)-all-tools\b|\b(?:claude|codex|gemini|cursor-agent|copilot|amp|droid)\b[^\n|;]{0,80}\s--yolo\b|["']?(?:defaultMode|permissionMode|permission[_-]mode)["']?\s{0,3}[=: ]\s{0,3}["']?bypassPermissions|\b(?:sandbox_mode|--sandbox)\s{0,3}=?\s{0,3}["']?danger-full-access|["']?(?:autoApprove|alwaysAllow)["']?\s{0,3}:\s{0,3}(?:true\b|\[\s{0,3}["']\*["'])|["']defaultMode["']\]\s{0,3}=\s{0,3}["']bypassPermissions|["']?enableAllProjectMcpServers["']?\]?\s{0,3}[:=]\s{0,3}[Tt]rue|["']allow["']\]?\s{0,3}[:=]\s{0,3}\[\s{0,3}["']\*["']/,
    judge: (_, { region, text, file, line }) => {
      if (
        CONTAINED.test(
          file.lines
            .slice(Math.max(0, line - 3), line + 2)
            .join(' ')
            .slice(0, 2_000),
        )
      )
        return ['low', 'inside a container']
      if (region !== 'prose' && region !== 'table' && region !== 'front matter') return 'medium'
      return /\b(?:run|start|launch|always use)\b[^\n]{0,30}[`"]/i.test(text) ||
        (/\b(?:set|setting|enable|add|write|put|switch)\b/i.test(text) &&
          /\b(?:do not ask|don['’]t ask|don['’]t bring|in the user['’]s settings|without asking|nothing (?:\w+ ){0,3}confirm\w{0,3}|before (?:the first|anything|starting)|silently|automatically)\b/i.test(
            text,
          ))
        ? 'medium'
        : /\b(?:set|enable|use|add|switch)\b/i.test(text)
          ? 'low'
          : undefined
    },
  },
  {
    id: 'account-access',
    group,
    severity: 'high',
    where: COMMANDS,
    finds:
      'a key added to those that may sign in, or rights of an administrator without a password',
    says: 'gives somebody lasting access to the machine',
    remedy: 'Do it by hand, for a key you know.',
    fooled: 'Guides to setting a server up, where it counts as medium.',
    words:
      'chpasswd|permitrootlogin|authorized_keys|sudoers|nopasswd|usermod|useradd|net user|localgroup',
    pattern:
      /(?:>{1,2}|\btee\s{1,3}(?:-a\s{1,3})?)\s{0,3}["']?[^\s"']{0,60}(?:authorized_keys|\/etc\/sudoers(?:\.d\/\w{1,30})?)\b|\bNOPASSWD\s{0,3}:\s{0,3}ALL\b|["'][\w-]{1,20}:[^"'$\n]{3,40}["']\s{0,3}\|\s{0,3}(?:sudo\s)?chpasswd\b|\bPermitRootLogin\b[^\n]{0,30}\byes\b|\bnet\s{1,3}localgroup\s{1,3}administrators\b[^\n]{0,60}\/add\b/i,
    judge: ([match], { text, region }) =>
      /ssh-(?:rsa|ed25519)\s{1,3}AAAA/.test(text)
        ? 'high'
        : region === 'script'
          ? 'high'
          : /chpasswd/.test(match)
            ? 'medium'
            : /NOPASSWD/.test(match) || region === 'fence'
              ? 'low'
              : 'medium',
  },
  {
    id: 'git-redirect',
    group,
    severity: 'medium',
    where: COMMANDS,
    finds: 'settings of git, for all repositories, that run hooks or lead addresses elsewhere',
    says: 'has git run programs or fetch from elsewhere in every repository',
    remedy: 'Set it for one repository, and say how to undo it.',
    fooled: 'Switches between SSH and HTTPS of one host are left out.',
    words: 'hookspath|insteadof|core.sshcommand|credential.helper|.git/hooks/',
    pattern:
      /\bgit\s{1,3}config\s{1,3}--(?:global|system)\s{1,3}(?:core\.hooksPath|core\.sshCommand|credential\.helper\s{1,3}["']?!)[^\n]{0,200}|(?:>{1,2}|\btee\b)\s{0,3}["']?[^\s"']{0,40}\.git\/hooks\/[a-z-]{4,24}[^]{0,300}?\b(?:curl|wget|nc|iwr)\b[^]{0,200}?(https?:\S{6,160})|\bgit\s{1,3}config\s{1,3}--(?:global|system)\s{1,3}url\.["']?(https?:\/\/[^\s"']{4,200})["']?\.insteadOf[^\n]{0,120}/i,
    span: 8,
    judge: ([match, hooked, url = hooked], { file, region }) => {
      if (/credential\.helper[^\n]{0,8}!(?:gh|aws|glab|gcloud|az|\/usr\/bin\/gh)\b/.test(match))
        return undefined
      if (url === undefined)
        return region === 'fence' && /hooksPath\s{1,3}~\/\.(?:git-?hooks|config\/git)/.test(match)
          ? ['low', 'a folder of the reader’s own']
          : 'medium'
      const address = readAddress(url)
      const kind = address ? judgeHost(address, file.names) : 'unknown'
      return isTrusted(kind) && kind !== 'own' ? undefined : 'high'
    },
  },
  {
    id: 'trust-off',
    group,
    severity: 'medium',
    where: ['fence', 'script', 'config', 'comment'],
    finds:
      'checks of certificates switched off, or a certificate made trusted for the whole system',
    says: 'switches off the check of whom it speaks to',
    remedy: 'Trust one certificate for one call.',
    fooled: 'Calls to the reader’s own machine are left out.',
    words:
      'tls_reject|sslverify|verify=false|verify = false|strict-ssl|_create_unverified|rejectunauthorized|insecureskipverify|trusted-cert|ca-certificates|root -plaintext|addstore|/etc/hosts',
    pattern:
      /NODE_TLS_REJECT_UNAUTHORIZED["']?\]?\s{0,3}=\s{0,3}["']?0|\bgit\s{1,3}config\s{1,3}--(?:global|system)\s{1,3}http\.sslVerify\s{1,3}false|\b(?:npm|yarn)\s{1,3}config\s{1,3}set\s{1,3}strict-ssl\s{1,3}false|\bsecurity\s{1,3}add-trusted-cert\b[^\n]{0,120}|\bcertutil\b[^\n]{0,40}-addstore\b[^\n]{0,40}root|(?:>{1,2}|\btee\s{1,3}(?:-a\s{1,3})?)\s{0,3}["']?\/etc\/hosts\b|ssl\._create_default_https_context\s{0,3}=\s{0,3}ssl\._create_unverified_context/i,
    judge: (_, { text }) => (/127\.0\.0\.1|localhost|::1/.test(text) ? undefined : 'medium'),
  },
  {
    id: 'self-install',
    group,
    severity: 'medium',
    where: COMMANDS,
    finds:
      'a download straight into an assistant’s folder of skills, from a host that is not a known one',
    says: 'brings further skills past any review',
    remedy: 'Install skills by the registry, one by one, and read them.',
    fooled: 'Installers of skills by their own vendor.',
    words: '/skills|skills/',
    pattern: new RegExp(
      String.raw`\b(?:curl|wget|iwr|git\s{1,3}clone)\b[^\n]{0,200}?(https?:\/\/[^\s"'\`]{4,200})[^\n]{0,200}${AGENT_FOLDER}(?:workspace\/)?skills\b|\b(?:curl|wget)\b[^\n]{0,120}${AGENT_FOLDER}(?:workspace\/)?skills\/[^\n]{0,120}?(https?:\/\/[^\s"'\`]{4,200})`,
      'i',
    ),
    judge: (found, { file }) => {
      const address = readAddress(found[1] ?? found[2] ?? '')
      if (!address) return undefined
      const kind = judgeHost(address, file.names)
      return isTrusted(kind)
        ? undefined
        : isSuspicious(kind)
          ? 'high'
          : kind === 'code'
            ? 'low'
            : 'medium'
    },
  },
  {
    id: 'spreads',
    group,
    severity: 'high',
    where: [...COMMANDS, 'front matter'],
    finds: 'an order or a command that writes the skill, or something else, into other skills',
    says: 'writes into other skills',
    remedy: 'Delete it; a skill has its own folder.',
    fooled: 'Skills whose task is to mend or make skills.',
    words: 'other skill|all skills|every skill|each skill|skills/*',
    pattern:
      /\b(?:copy|append|add|insert|inject|write|replicate|propagate)\b[^\n]{0,80}\b(?:in)?to\b\s{1,3}(?:every|all|each|any|the)\s{1,3}(?:of\s{1,3}the\s{1,3})?(?:other\s{1,3}|installed\s{1,3}|existing\s{1,3}){1,2}skills?(?:['’]s?)?\b|\bfor (?:every|each|all) (?:other |installed ){1,2}skills?\b[^.\n]{0,30}[^\n]{0,30}\b(?:add|append|insert|write|put)\b[^\n]{0,60}|\bfor\s{1,3}\w{1,12}\s{1,3}in\s{1,3}[^\n;]{0,60}\/skills\/\*[^\n]{0,120}(?:>>|\btee\s{1,3}-a|\bcp\b)/i,
    judge: (_, { region }) => (region === 'fence' ? 'medium' : 'high'),
  },
]
