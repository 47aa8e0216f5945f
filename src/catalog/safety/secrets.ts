/**
 * Keys of well-known services, by the prefix and length that each service publishes. Text that only begins like a key
 * (`pk_test_`, `risk-check`) is shorter or has other characters. Before each expression are its keywords.
 */
const FORMS: Readonly<Record<string, RegExp>> = {
  'gho_|ghp_|ghr_|ghs_|ghu_|github_pat_|glpat-|gldt-|glrt-|glptt-|gloas-|glsoat-|glagent-|glcbt-':
    /\bgh[oprsu]_[A-Za-z0-9]{36}\b|\bgithub_pat_\w{60,90}|\bgl(?:pat|dt|rt|ptt|oas|soat|agent|cbt)-[\w.-]{20,80}/,
  'sk-|gsk_|xai-':
    /\bsk-(?:ant|proj|svcacct|admin|or-v1)-[\w-]{40,200}|\bsk-[A-Za-z0-9]{32,64}\b|\bgsk_\w{52}\b|\bxai-\w{70,90}/,
  'rk_live_|sk_live_|whsec_|aiza|gocspx-':
    /\b[rs]k_live_[A-Za-z0-9]{16,120}\b|\bwhsec_[A-Za-z0-9+/]{32,60}|\bAIza[\w-]{35}(?![\w-])|\bGOCSPX-[\w-]{28}/,
  'npm_|hf_|pypi-|sg.':
    /\bnpm_[A-Za-z0-9]{36}\b|\bhf_[A-Za-z]{34}\b|\bpypi-[\w-]{50,220}|\bSG\.[\w-]{16,32}\.[\w-]{32,64}/,
  'xox|xapp-|hooks.slack':
    /\bxox[abeoprs]-[\w-]{24,200}|\bxapp-\d-[\w-]{24,200}|\bhooks\.slack\.com\/services\/T\w{8,12}\/B\w{8,12}\/\w{24}/,
  'akia|asia|abia|acca|age-secret|:aa':
    /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b|\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b|\b\d{8,10}:AA[\w-]{33}(?![\w-])/,
  'dop_v1_|shpat_|shpca_|shppa_|shpss_|dckr_pat_|pmak-':
    /\bdop_v1_[a-f0-9]{64}\b|\bshp(?:at|ca|pa|ss)_[a-f0-9]{32}\b|\bdckr_pat_[\w-]{27}|\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}/i,
  'figd_|lin_api_|ntn_|glsa_|hvs.|sbp_':
    /\bfigd_[\w-]{40,60}|\blin_api_\w{32,48}|\bntn_\w{40,50}\b|\bglsa_\w{32,48}|\bhvs\.[\w-]{24,120}|\bsbp_[a-f0-9]{40}\b/,
  'dapi|pscale_|r8_|pplx-|tskey-':
    /\bdapi[a-f0-9]{32}\b|\bpscale_(?:tkn|pw)_[\w-]{32,64}|\br8_\w{37}\b|\bpplx-\w{48}\b|\btskey-\w{2,9}-[\w-]{16,64}/,
  '/api/webhooks/|sntrys_|nrak-':
    /\bdiscord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,90}|\bsntrys_[\w+/=]{60,220}|\bNRAK-[A-Z0-9]{27}\b/,
  'rubygems_|sb_secret_|tvly-|fc-':
    /\brubygems_[a-f0-9]{48}\b|\bsb_secret_[\w-]{31}|\btvly-(?:dev-)?[A-Za-z0-9]{32}\b|\bfc-[a-f0-9]{32}\b/,
  're_|atatt3|phx_|sk_':
    /\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b|\bATATT3[\w=-]{150,220}|\bphx_[A-Za-z0-9]{40,50}\b|\bsk_[a-f0-9]{48}\b/,
  'lsv2_|vercel_blob_rw_':
    /\blsv2_[ps][tk]_[a-f0-9]{32}_[a-f0-9]{10}\b|\bvercel_blob_rw_\w{16}_\w{20,40}/,
  'secret_access|secretaccess':
    /secret_?access_?key["']?\s{0,3}[:=]\s{0,3}["']?[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/i,
}
export const KEYS: readonly RegExp[] = Object.values(FORMS)

/** Keywords of KEYS, as `words` of a rule. */
export const KEY_WORDS = Object.keys(FORMS).join('|')

/** Private keys, also below headers, in quotations and joined from strings. One without a body is a sample. */
export const PRIVATE_KEYS: readonly RegExp[] = [
  /-----BEGIN (?:[A-Z]{2,9} )?PRIVATE KEY(?: BLOCK)?-----[\w+/=\s\\>"']{64,600}/,
  /-----BEGIN (?:[A-Z]{2,9} )?PRIVATE KEY-----(?:\s{0,8}[A-Z][\w-]{3,12}: [^\n]{0,99}\n){1,3}[\w+/=\s\\>"']{64,600}/,
]

/** Words and sequences of placeholders. By chance, fewer than one key in a thousand has one of them. */
const PLACEHOLDER =
  /example|sample|placeholder|dummy|fake|redact|replace|insert|changeme|random|your|here\b|x{4}|0{5}|12345|abcde|abc123|123abc|a1b2c3/i

/** A key has at least this many different characters; `ghp_aaaa…` has one. */
const LEAST_VARIETY = 9

/** Whether a text with the form of a key only shows the form. */
export const isPlaceholder = (key: string): boolean => {
  // The last part is random, whatever the service puts before it.
  const random = key.slice(-24)
  const isMixed = /\d/.test(random) || (/[a-z]/.test(random) && /[A-Z]/.test(random))
  return PLACEHOLDER.test(key.slice(0, 100)) || !isMixed || new Set(random).size < LEAST_VARIETY
}

/** Characters of a key that are quoted: enough for its owner to recognize it. */
const SHOWN = 8

/** All keys, with everything that continues them. */
const WHOLE = [...KEYS, ...PRIVATE_KEYS].map(
  ({ source, flags }) => new RegExp(`(${source})[\\w+/=\\\\-]{0,4000}`, `${flags}g`),
)

/** Replaces all keys in a text, except for a few characters of each. The length of the text remains. */
export const maskKeys = (text: string): string =>
  WHOLE.reduce(
    (masked, form) =>
      masked.replace(form, (whole, key: string) =>
        isPlaceholder(key) ? whole : whole.slice(0, SHOWN) + '•'.repeat(whole.length - SHOWN),
      ),
    text,
  )
