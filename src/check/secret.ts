// Whether a new file looks like a secret that must not be committed, by its name and first bytes. A table with few false
// alarms rather than a scanner; its messages never contain the secret.
import path from 'node:path';
import { secretKeys } from './secret-key.ts';

/** Why a file looks secret; `detail` names the kind and the line, never the value. */
export type SecretNote = Readonly<{ why: 'secret-name' | 'secret-content'; detail: string }>;

/** Judges a file by its path relative to the root and its first bytes (64 KiB is plenty); undefined when nothing speaks against it. */
export function judgeSecret(file: string, head: Uint8Array): SecretNote | undefined {
  const text = new TextDecoder('latin1').decode(head);
  const name = secretName(file, text);
  if (name !== undefined) return { why: 'secret-name', detail: name };
  const content = secretContent(text);
  return content === undefined ? undefined : { why: 'secret-content', detail: content };
}

/** What kind of secret a file is by its name; where names alone don't tell, its text decides. */
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

/** What kind of key a text holds, with its line. */
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
/** An assignment to a name that speaks of a secret, with a value that is no reference to elsewhere. Bounded, and within its line up to the value: what an agent writes must not keep it busy. */
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
  { shape: /(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/, word: 'a private SSH key' },
  { shape: /\.ppk$/i, word: 'a private SSH key' },
  { shape: /\.(?:pem|key|asc|gpg)$/i, word: 'a private key', only: /PRIVATE KEY/ },
  { shape: /\.(?:p12|pfx|jks|kdbx|agilekeychain)$/i, word: 'a store of keys' },
  { shape: /(?:^|\/)(?!debug\.)[^/]*\.keystore$/i, word: 'a store of keys' },
  {
    shape: /(?:^|\/)\.npmrc$/,
    word: 'a login of a package registry',
    only: /:_(?:authToken|auth|password)\s*=\s*(?!\$)\S/,
  },
  {
    shape: /(?:^|\/)\.yarnrc(?:\.yml)?$/,
    word: 'a login of a package registry',
    only: /npmAuth(?:Token|Ident)["']?\s*:\s*["']?(?!["']?\$)\S/,
  },
  {
    shape: /(?:^|\/)\.pypirc$/,
    word: 'a login of a package registry',
    only: /^[ \t]*password[ \t]*[=:][ \t]*\S/m,
  },
  {
    shape: /(?:^|\/)(?:\.gem\/credentials|\.cargo\/credentials(?:\.toml)?)$/,
    word: 'a login of a package registry',
  },
  {
    shape: /(?:^|\/)(?:\.netrc|_netrc|\.git-credentials|\.pgpass|\.my\.cnf|\.vault-token|\.s3cfg|\.boto)$/,
    word: 'logins',
  },
  {
    shape: /(?:^|\/)\.(?:aws|oci)\/(?:credentials|config)$/,
    word: 'logins of a cloud',
    only: /(?:secret|key_file)/i,
  },
  {
    shape: /(?:^|\/)(?:\.docker\/config\.json|\.dockercfg)$/,
    word: 'logins of image registries',
    only: /"auth"\s*:\s*"\S/,
  },
  { shape: /(?:^|\/)(?:\.kube\/config|kubeconfig(?:\.ya?ml)?)$/, word: 'logins of a cluster' },
  { shape: /(?:^|\/)\.?credentials\.json$/, word: 'logins', only: /secret|token|private_key|password/i },
  {
    shape: /(?:^|\/)(?:client_?secrets?|service[-_]?account)[^/]*\.json$/i,
    word: 'a login of a cloud',
    only: /"(?:client_secret|private_key)"\s*:\s*"\S/,
  },
  {
    shape: /(?:^|\/)auth\.json$/,
    word: 'logins',
    only: /"(?:access_token|refresh_token|OPENAI_API_KEY|http-basic|github-oauth)"\s*:\s*["{]/,
  },
  {
    shape: /(?:^|\/)secrets?\.(?:json|ya?ml|toml|ini|properties)$/i,
    word: 'secrets',
    only: assigned,
    unless: encrypted,
  },
  {
    shape: /(?:^|\/)(?:config\/)?(?:master|credentials\/\w+)\.key$/,
    word: 'the key of encrypted credentials',
  },
  { shape: /\.tfstate(?:\.backup)?$/, word: 'the state of an infrastructure, secrets included' },
  { shape: /\.tfvars(?:\.json)?$/, word: 'secrets of an infrastructure', only: assigned },
  { shape: /(?:^|\/)\.htpasswd$/, word: 'password hashes' },
  {
    shape: /(?:^|\/)\.(?:bash|zsh|sh|python|node_repl|psql|mysql|rediscli)_history$/,
    word: 'typed commands, secrets included',
  },
];

/** Example values: spelled out, or too uniform to be random. */
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
