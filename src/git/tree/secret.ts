// Whether a new file looks like a secret, with few false alarms; messages never contain it.
import path from 'node:path';

/** `detail`: the kind and the line, never the value. */
export type SecretNote = Readonly<{ why: 'secret-name' | 'secret-content'; detail: string }>;

/** `file`: relative to the root; `head`: 64 KiB is plenty. Undefined if nothing looks secret. */
export function judgeSecret(file: string, head: Uint8Array): SecretNote | undefined {
  const text = new TextDecoder('latin1').decode(head);
  const name = secretName(file, text);
  if (name !== undefined) return { why: 'secret-name', detail: name };
  const content = secretContent(text);
  return content === undefined ? undefined : { why: 'secret-content', detail: content };
}

/** The kind of secret; if the name is not enough, the text decides. */
export function secretName(file: string, text: string): string | undefined {
  const base = path.posix.basename(file);
  if (/(?:^|[._-])(?:example|sample|template|tmpl|dist|defaults?|schema|encrypted)(?:[._-]|$)/i.test(base))
    return undefined;
  const found = names.find(({ shape, unless, only }) => {
    const isNamed = shape.test(file);
    return isNamed && !(unless?.test(text) ?? false) && (only?.test(text) ?? true);
  });
  return found && `${base} usually holds ${found.word}`;
}

export function secretContent(text: string): string | undefined {
  for (const { shape, word } of secretKeys) {
    for (const found of text.matchAll(shape)) {
      if (isPlaceholder(found[1] ?? found[0])) continue;
      const line = text.slice(0, found.index).split('\n').length;
      return `line ${line} looks like ${word}`;
    }
  }
  return undefined;
}

type Name = Readonly<{
  shape: RegExp;
  word: string;
  /** Text that shows it to be harmless. */
  unless?: RegExp;
  /** Text without which it is harmless. */
  only?: RegExp;
}>;

const encrypted =
  /ENC\[AES256_GCM|^[ \t]*"?sops"?[ \t]*:|\$ANSIBLE_VAULT|-----BEGIN AGE ENCRYPTED|^age-encryption\.org/m;
/** A secret's name with a value, no reference. Bounded, and in one line up to the value: no text may make it slow. */
const assigned =
  /^[ \t]*(?:export[ \t]+)?["']?\w{0,99}?(?:secret|token|passw(?:or)?d|api_?key|private_?key|access_?key|credentials?)\w{0,99}["']?[ \t]*[=:]\s{0,99}["']?(?!\s|$|["']|\$|<|\{\{|your|change|example|xxx|test|dummy|fake|null|none|true|false|placeholder|todo)[^\n]{8,}/im;

const names: readonly Name[] = [
  {
    shape: /(?:^|\/)\.env(?:\.(?:local|prod|production|staging|live|secret|[\w-]+\.local))?$/i,
    word: 'secrets of an environment',
    unless: encrypted,
  },
  {
    shape: /(?:^|\/)(?:\.env\.[\w.-]+|[\w-]+\.env|\.envrc|\.dev\.vars)$/i,
    word: 'secrets of an environment',
    only: assigned,
    unless: encrypted,
  },
  { shape: /(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$|\.ppk$/, word: 'a private SSH key' },
  { shape: /\.(?:pem|key|asc|gpg)$/i, word: 'a private key', only: /PRIVATE KEY/ },
  {
    shape: /\.(?:p12|pfx|jks|kdbx|agilekeychain)$|(?:^|\/)(?!debug\.)[^/]*\.keystore$/i,
    word: 'a store of keys',
  },
  {
    shape: /(?:^|\/)\.(?:npmrc|yarnrc(?:\.yml)?|pypirc)$/,
    word: 'a login of a package registry',
    only: /(?::_(?:authToken|auth|password)|npmAuth(?:Token|Ident)["']?|^[ \t]*password)[ \t]*[=:][ \t]*["']?(?!["']?\$)\S/m,
  },
  {
    shape:
      /(?:^|\/)(?:\.(?:gem|cargo)\/credentials(?:\.toml)?|[._]netrc|\.git-credentials|\.pgpass|\.my\.cnf|\.vault-token|\.s3cfg|\.boto|\.kube\/config|kubeconfig(?:\.ya?ml)?|\.htpasswd)$/,
    word: 'logins',
  },
  {
    shape:
      /(?:^|\/)(?:\.(?:aws|oci)\/(?:credentials|config)|\.?credentials\.json|(?:client_?secrets?|service[-_]?account)[^/]*\.json)$/i,
    word: 'logins',
    only: /secret|token|private_key|password|key_file/i,
  },
  {
    shape: /(?:^|\/)(?:\.docker\/config\.json|\.dockercfg)$/,
    word: 'logins of image registries',
    only: /"auth"\s*:\s*"\S/,
  },
  {
    shape: /(?:^|\/)auth\.json$/,
    word: 'logins',
    only: /"(?:access_token|refresh_token|OPENAI_API_KEY|http-basic|github-oauth)"\s*:\s*["{]/,
  },
  {
    shape: /(?:^|\/)secrets?\.(?:json|ya?ml|toml|ini|properties)$|\.tfvars(?:\.json)?$/i,
    word: 'secrets',
    only: assigned,
    unless: encrypted,
  },
  {
    shape:
      /(?:^|\/)(?:master|credentials\/\w+)\.key$|\.tfstate(?:\.backup)?$|(?:^|\/)\.(?:bash|zsh|sh|python|node_repl|psql|mysql|rediscli)_history$/,
    word: 'secrets',
  },
];

/** Spelled out, or too uniform to be random. */
function isPlaceholder(value: string): boolean {
  if (
    /example|placeholder|x{5}|\.{3}|your|dummy|fake|sample|redacted|12345678|abcdefgh|00000000|deadbeef/i.test(
      value,
    )
  )
    return true;
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  const bits = [...counts.values()].reduce(
    (sum, count) => sum - (count / value.length) * Math.log2(count / value.length),
    0,
  );
  return bits < 3;
}

// Prefixes and lengths as the issuers document them, if unlikely in ordinary text.

/** Global; its first group, or whole match, is the secret. */
type KeyShape = Readonly<{ shape: RegExp; word: string }>;

const secretKeys: readonly KeyShape[] = [
  {
    // Code that only mentions the header has no base64 after it. A line such as `Version: 1` must match to its end, or
    // a long one would backtrack forever.
    shape:
      /-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED |PGP )?PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n|\\r|[\w-]+: [^\n\\]*(?=[\n\\]))+([A-Za-z0-9+/=]{40,})/g,
    word: 'a private key',
  },
  { shape: /\b(?:AKIA|ASIA)([A-Z2-7]{16})\b/g, word: 'an AWS access key' },
  { shape: /aws_secret_access_key["']?\s*[=:]\s*["']?([A-Za-z0-9/+]{40})\b/gi, word: 'an AWS secret key' },
  { shape: /\bgh[pousr]_([A-Za-z0-9]{36,251})\b/g, word: 'a GitHub token' },
  { shape: /\bgithub_pat_([A-Za-z0-9_]{60,})\b/g, word: 'a GitHub token' },
  { shape: /\bglpat-([\w-]{20,})/g, word: 'a GitLab token' },
  { shape: /\bxox[abeprs]-((?:\d+-)+[A-Za-z0-9-]{16,})/g, word: 'a Slack token' },
  { shape: /\bxapp-\d-([A-Z0-9]+-\d+-[a-f0-9]{32,})/g, word: 'a Slack token' },
  {
    shape: /hooks\.slack\.com\/services\/(T[A-Z0-9]{6,}\/B[A-Z0-9]{6,}\/[A-Za-z0-9]{20,})/g,
    word: 'a Slack webhook',
  },
  { shape: /discord(?:app)?\.com\/api\/webhooks\/(\d{17,20}\/[\w-]{60,})/g, word: 'a Discord webhook' },
  { shape: /\bsk-ant-(?:api|oat|ort|admin|sid)\d\d-([\w-]{32,})/g, word: 'an Anthropic key' },
  { shape: /\bsk-(?:proj|svcacct|admin)-([\w-]{40,})/g, word: 'an OpenAI key' },
  { shape: /\bsk-([A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})\b/g, word: 'an OpenAI key' },
  { shape: /\bsk-or-v1-([a-f0-9]{64})\b/g, word: 'an OpenRouter key' },
  { shape: /\bAIza([\w-]{35})(?![\w-])/g, word: 'a Google API key' },
  { shape: /\bGOCSPX-([\w-]{28})(?![\w-])/g, word: 'a Google client secret' },
  { shape: /\bya29\.([\w-]{60,})/g, word: 'a Google access token' },
  { shape: /\bnpm_([A-Za-z0-9]{36})\b/g, word: 'an npm token' },
  { shape: /\bpypi-(AgEIcHlwaS5vcmc[\w-]{50,})/g, word: 'a PyPI token' },
  { shape: /\b(?:sk|rk)_live_([A-Za-z0-9]{20,})\b/g, word: 'a Stripe key' },
  { shape: /\bwhsec_([A-Za-z0-9+/]{32,})/g, word: 'a webhook signing secret' },
  { shape: /\bSG\.([\w-]{22}\.[\w-]{43})(?![\w-])/g, word: 'a SendGrid key' },
  { shape: /\bhf_([A-Za-z]{34})\b/g, word: 'a Hugging Face token' },
  { shape: /\bdop_v1_([a-f0-9]{64})\b/g, word: 'a DigitalOcean token' },
  { shape: /\bshp(?:at|ca|pa|ss)_([a-fA-F0-9]{32})\b/g, word: 'a Shopify token' },
  { shape: /\bdapi([a-f0-9]{32})\b/g, word: 'a Databricks token' },
  { shape: /\bEAACEdEose0cBA([A-Za-z0-9]{20,})/g, word: 'a Facebook token' },
  { shape: /\bAccountKey=([A-Za-z0-9+/]{86}==)/g, word: 'an Azure storage key' },
  { shape: /\bAGE-SECRET-KEY-1([0-9A-Z]{58})\b/g, word: 'an age key' },
  { shape: /\bhvs\.([\w-]{90,})/g, word: 'a Vault token' },
];
