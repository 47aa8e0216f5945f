// What the readers of this folder know about programs, packages and services. A pair is `name=other`.

const list = (words: string): string[] => words.trim().split(/\s+/)
const setOf = (words: string): ReadonlySet<string> => new Set(list(words))
const mapOf = (pairs: string): ReadonlyMap<string, string> =>
  new Map(list(pairs).map((pair) => pair.split('=') as [string, string]))

/** Commands that every Unix has, so that a skill need not ask for them, and keywords of other languages. */
export const EVERYWHERE = setOf(`
  return exit break continue local declare typeset readonly unset shift eval trap set shopt source alias unalias
  export cd pushd popd echo printf read test true false wait let sleep clear pwd type builtin hash history jobs fg
  bg kill ulimit umask cat ls ll dir mkdir cp mv rm rmdir touch head tail sort uniq wc tee cut tr chmod chown ln
  whoami date dirname basename realpath less more man help seq yes tac rev paste join fold du df ps rem pause call
  mapfile getopts complete compgen bind stty tty id uname hostname sync del copy move mktemp split nproc readarray grep egrep find sed awk
  diff cmp comm import from def class const function raise open pgrep pkill lsof file stat expr tput nl od base64
  md5sum sha256sum skip fail abort die warn env readlink printenv reset logout bc gzip gunzip disown fmt cls chsh which command sudo xargs
  tar sh bash iwr irm iex`)

/** Programs that are recognized by name, even on lines that could be prose or output. */
export const KNOWN = setOf(`
  git gh glab npm npx pnpm yarn bun bunx deno node tsx tsc python python3 pip pip3 pipx uv uvx poetry conda pytest
  ruff mypy cargo rustup go ruby gem bundle rails php composer java mvn gradle dotnet docker docker-compose podman
  kubectl helm terraform tofu ansible aws gcloud az azd vercel netlify wrangler flyctl heroku supabase firebase
  stripe curl wget jq yq rg fd ffmpeg ffprobe magick pandoc cmake make brew apt apt-get systemctl ssh scp rsync
  psql mysql sqlite3 redis-cli mongosh playwright claude codex gemini opencode swift xcodebuild xcrun flutter dart
  adb eas expo zsh d2 mmdc plantuml typst pdflatex xelatex latexmk soffice tesseract pdftotext pdftoppm qpdf
  exiftool yt-dlp ollama hugo rclone shellcheck trivy semgrep eslint prettier vitest jest unzip openssl gpg tmux
  dbt airflow pulumi k6 nvidia-smi packer vault consul nomad objdump rustc javac pwsh powershell ffplay mpv
  pre-commit`)

/** Programs that call the hosts in their arguments, with or without a scheme. */
export const NETWORK = setOf(`
  nc ncat netcat telnet ssh scp sftp rsync curl wget ftp tftp http https xh ping dig nslookup lftp lynx`)

/** Programs that call the addresses in their arguments. */
export const CALLERS: ReadonlySet<string> = new Set([
  ...NETWORK,
  ...list(`git pip pip3 uv uvx pipx poetry npm npx pnpm yarn bun bunx deno cargo gem composer brew conda helm kubectl
  aria2c wscat websocat yt-dlp ffmpeg psql mongosh redis-cli`),
])

/** Programs that open connections, erase disks, or start something later. */
export const RISKY: ReadonlySet<string> = new Set([
  ...NETWORK,
  ...list('socat dd mkfs shred crontab at launchctl systemctl schtasks security osascript'),
])

/** Services by the program that logs in to them, if the names differ. `_` stands for a space. */
export const SERVICES = mapOf(`
  gh=GitHub glab=GitLab gcloud=Google_Cloud aws=AWS az=Azure azd=Azure npm=npm docker=Docker_Hub
  wrangler=Cloudflare cloudflared=Cloudflare eas=Expo eas-cli=Expo fly=Fly.io flyctl=Fly.io snow=Snowflake
  hf=Hugging_Face huggingface-cli=Hugging_Face wandb=Weights_&_Biases doctl=DigitalOcean op=1Password
  terraform=HCP_Terraform sentry-cli=Sentry ngrok=ngrok astro=Astro auth0=Auth0 codex=OpenAI neonctl=Neon
  sf=Salesforce oc=OpenShift cargo=crates.io gem=RubyGems firebase=Firebase firebase-tools=Firebase tb=Tinybird
  atlas=MongoDB_Atlas sam=AWS bq=Google_Cloud gsutil=Google_Cloud firecrawl=Firecrawl trigger.dev=Trigger.dev
  convex=Convex`)

/** Programs that are of little use without a login. */
export const LOGGED_IN = setOf(`
  gh glab gcloud aws az azd vercel netlify heroku fly flyctl eas eas-cli doctl railway snow databricks firebase
  stripe sf neonctl wrangler hf huggingface-cli sentry-cli auth0 op firebase-tools tb atlas sam bq gsutil firecrawl
  trigger.dev convex`)

/** Tools and settings that only one client has. */
export const OF_CLIENT: Readonly<Record<string, RegExp>> = {
  'Claude Code':
    /\b(?:subagent_type|AskUserQuestion|ExitPlanMode|EnterPlanMode|CLAUDE_(?:PLUGIN_ROOT|CONFIG_DIR))\b/,
  Codex: /\b(?:Codex Desktop|Codex in-app browser|CODEX_HOME|request_user_input)\b/,
  Copilot: /#tool:\w+|\brunSubagent\b|\bvscode_askQuestions\b/,
}

/** npm packages by their program, if its name differs. */
export const PACKAGE_OF_PROGRAM = mapOf(`
  tsc=typescript ng=@angular/cli eas=eas-cli sb=storybook cap=@capacitor/cli nest=@nestjs/cli vsce=@vscode/vsce
  changeset=@changesets/cli firebase=firebase-tools`)

/** PyPI packages by their module, if its name differs. */
export const PACKAGE_OF_MODULE = mapOf(`
  PIL=pillow cv2=opencv-python yaml=pyyaml sklearn=scikit-learn skimage=scikit-image bs4=beautifulsoup4
  dotenv=python-dotenv docx=python-docx pptx=python-pptx fitz=pymupdf jwt=pyjwt jose=python-jose
  dateutil=python-dateutil Bio=biopython OpenSSL=pyopenssl serial=pyserial git=gitpython win32com=pywin32
  airflow=apache-airflow magic=python-magic mpl_toolkits=matplotlib Crypto=pycryptodome slugify=python-slugify
  telegram=python-telegram-bot discord=discord.py pkg_resources=setuptools
  MySQLdb=mysqlclient googleapiclient=google-api-python-client imblearn=imbalanced-learn umap=umap-learn
  graphql=graphql-core snowflake=snowflake-connector-python weaviate=weaviate-client skbio=scikit-bio nacl=pynacl
  ee=earthengine-api faiss=faiss-cpu opentelemetry=opentelemetry-api openlineage=openlineage-python
  cosmos=astronomer-cosmos`)

/** Python's standard modules. */
export const PYTHON = setOf(`
  __future__ abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii
  bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys
  compileall concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses
  datetime dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl
  filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp
  gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json
  keyword lib2to3 linecache locale logging lzma machine mailbox mailcap marshal math mimetypes mmap modulefinder msvcrt
  multiprocessing netrc nntplib ntpath numbers opcode operator optparse os pathlib pdb pickle pickletools pipes
  pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc queue
  quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil
  signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 ssl stat statistics string stringprep struct
  subprocess sunau symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this
  threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing
  unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml
  xmlrpc zipapp zipfile zipimport zlib zoneinfo`)

/** Rust's standard crates and path keywords. */
export const RUST = setOf('std core alloc crate self super proc_macro test')

/** Modules of the reader's own project in code samples, and names that many packages share. */
export const NO_PACKAGE = setOf(`
  app apps src main util utils helper helpers config settings model models test tests lib core common script scripts server
  client api db database schema schemas service services routes tools foo bar components dags plugins domain entities
  use_cases repositories auth agent agents examples google azure odc`)

/** Placeholder names of programs, packages, variables and servers. */
export const PLACEHOLDER_NAME =
  /^(?:your|my(?:cli|app|tool)?|some|any|other|the|example|sample|foo|bar)(?:[-_. \d]|$)/i

/** Words before "MCP server" that are not its name. */
export const NO_SERVER = setOf(`
  the a an no built-in hosted your my our its their this that these each any every all use using configure configured custom
  remote local native new connect connected monitor validate confirm verify check generate build building create
  creating install installing python typescript javascript node node.js rust go java kotlin php ruby swift c if
  when what how for with of from in and or to start run add enable launch available multiple external internal
  example sample simple basic production official review scan manage is as via by on mcp standard stdio http sse
  optional required requires prefer note missing ensure set setup audit call execute discover exact key request
  requests host-specific step-by-step net .net full checking oauth test server name servername server-name`)
