import { POLICIES, fitPrivacy } from '../../src/api/policies.ts'

/** What the configuration of a front is rendered from. */
interface FrontSettings {
  /** The folder `public` of the output. */
  root: string
  listen?: string
  /** Host and port of the function. */
  upstream?: string
  isPrivate?: boolean
  /** Whether the build wrote precompressed files beside pages. */
  isCompressed?: boolean
}

const LISTEN = '8080'
const UPSTREAM = '127.0.0.1:4321'

/**
 * What a front answers by itself: a GET or HEAD without Markdown in Accept, whose target, as sent and without a query,
 * is a plain lower-case page or an asset that exists as a file. The function answers all else. No pattern matches a
 * file of a skill: its `notes.html` must not be served as a page.
 */
const NAME = '[a-z0-9][a-z0-9-]*'
const PAGES = [
  `skills(?:/${NAME}|/page/[0-9]+)?`,
  `(?:authors|categories)(?:/${NAME})?(?:/page/[0-9]+)?`,
  `(?:blog|docs)(?:/${NAME})?`,
  'about|stats',
].join('|')
const ASSETS = '_astro/[A-Za-z0-9_-][A-Za-z0-9._-]*'

type Answered = 'html' | 'asset'

const headersOf = (policy: Answered, isPrivate: boolean): [string, string][] =>
  Object.entries(fitPrivacy(POLICIES[policy].headers, isPrivate)).filter(
    ([name]) => name !== 'Content-Type',
  )

const HTML_TYPE = POLICIES.html.headers['Content-Type'] ?? ''

const renderNginxFields = (policy: Answered, isPrivate: boolean): string =>
  headersOf(policy, isPrivate)
    .map(([name, value]) => `    add_header ${name} "${value}" always;`)
    .join('\n')

const renderCaddyFields = (policy: Answered, isPrivate: boolean): string =>
  [...(policy === 'html' ? [['Content-Type', HTML_TYPE]] : []), ...headersOf(policy, isPrivate)]
    .map(([name, value]) => `\t\t\t\t${name} "${value}"`)
    .join('\n')

/** A year, without includeSubDomains: whether subdomains have TLS is not known here. */
const HSTS = 'max-age=31536000'

const NGINX_HSTS = 'add_header Strict-Transport-Security $registry_hsts always;'

/** Sends files that the build compressed; nginx has no brotli built in. */
const NGINX_CODED = `
  gzip_static on;
  # With the module ngx_brotli: brotli_static on;`

const CADDY_CODED = '\n\t\t\t\tprecompressed br gzip'

const NGINX_PROXY = `proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header Connection "";
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_redirect off;`

/** Renders a configuration of nginx: plain pages and assets from the disk, all else from the function. */
export const renderNginx = ({
  root,
  listen = LISTEN,
  upstream = UPSTREAM,
  isPrivate = false,
  isCompressed = false,
}: FrontSettings): string => `# Include it in the block http. Written by: npm run host -- nginx
upstream skill_registry {
  server ${upstream};
  keepalive 32;
}

map $http_accept $registry_form {
  default html;
  ~*markdown markdown;
}

map $request_uri $registry_file {
  default "";
  / page/index.html;
  "~^/(?<page>${PAGES})$" page/$page.html;
  "~^/(?<asset>${ASSETS})$" asset/$asset;
}

# Only over TLS, where this server itself ends it (RFC 6797 7.2).
map $https $registry_hsts {
  default "";
  on "${HSTS}";
}

map "$request_method $registry_form $registry_file" $registry_page {
  default "";
  "~^(?:GET|HEAD) html page/(?<file>.+)$" /$file;
}

map "$request_method $registry_file" $registry_asset {
  default "";
  "~^(?:GET|HEAD) asset/(?<file>.+)$" /$file;
}

# Method and target as they were sent, where nginx found the request too broken to keep them; what has no path is
# as bad to the function as this fragment.
map $request $registry_method {
  default GET;
  "~^(?<method>[A-Z]+) " $method;
}

map $request $registry_target {
  default "/#";
  "~^\\S+ (?<target>/\\S*)" $target;
}

server {
  listen ${listen};
  root "${root}";
  ${NGINX_HSTS}
  merge_slashes off;
  large_client_header_buffers 4 64k;
  client_max_body_size 64k;
  server_tokens off;
  if_modified_since off;
  max_ranges 0;
  gzip on;
  gzip_types text/css text/javascript application/javascript;${isCompressed ? NGINX_CODED : ''}
  error_page 400 414 = /refused;
  error_page 405 = @function;

  location / {
    error_page 470 = @page;
    error_page 471 = @asset;
    if ($registry_page) {
      return 470;
    }
    if ($registry_asset) {
      return 471;
    }
    proxy_pass http://skill_registry$request_uri;
    ${NGINX_PROXY}
  }

  location @page {
    types {}
    default_type "${HTML_TYPE}";
    ${NGINX_HSTS}
${renderNginxFields('html', isPrivate)}
    try_files $registry_page @function;
  }

  location @asset {
    types {
      "text/css; charset=utf-8" css;
      "text/javascript; charset=utf-8" js;
      font/woff2 woff2;
      "image/svg+xml; charset=utf-8" svg;
      image/png png;
    }
    ${NGINX_HSTS}
${renderNginxFields('asset', isPrivate)}
    try_files $registry_asset @function;
  }

  location @function {
    proxy_pass http://skill_registry$request_uri;
    ${NGINX_PROXY}
  }

  # No name: nginx redirects a broken request to an address only.
  location = /refused {
    internal;
    proxy_method $registry_method;
    proxy_pass http://skill_registry$registry_target;
    # Its header fields were not read any more.
    ${NGINX_PROXY.replace('$http_host', 'broken.invalid')}
  }
}
`

/** Renders a configuration of Caddy with the same division. */
export const renderCaddyfile = ({
  root,
  listen = `:${LISTEN}`,
  upstream = UPSTREAM,
  isPrivate = false,
  isCompressed = false,
}: FrontSettings): string => {
  /** Caddy asks the matchers of a set in any order, so whether there is a file is asked below what names it. */
  const renderCaddyHandle = (
    matcher: string,
    file: string,
    policy: Answered,
  ): string => `	handle @${matcher} {
		@printed file ${file}
		handle @printed {
			rewrite * ${file}
			header {
${renderCaddyFields(policy, isPrivate)}
			}
			file_server {
				index off${isCompressed ? CADDY_CODED : ''}
			}
		}
		handle {
			reverse_proxy ${upstream}
		}
	}
`
  return `# Written by: npm run host -- caddy
${listen} {
	root * "${root}"

	@secure protocol https
	header @secure Strict-Transport-Security "${HSTS}"

	@home {
		method GET HEAD
		not header_regexp Accept (?i)markdown
		vars {http.request.orig_uri} /
	}
	@page {
		method GET HEAD
		not header_regexp Accept (?i)markdown
		vars_regexp page {http.request.orig_uri} ^/(${PAGES})$
	}
	@asset {
		method GET HEAD
		vars_regexp asset {http.request.orig_uri} ^/(${ASSETS})$
	}

${[
  renderCaddyHandle('home', '/index.html', 'html'),
  renderCaddyHandle('page', '/{re.page.1}.html', 'html'),
  renderCaddyHandle('asset', '/{re.asset.1}', 'asset'),
].join('')}	handle {
		reverse_proxy ${upstream}
	}
}
`
}
